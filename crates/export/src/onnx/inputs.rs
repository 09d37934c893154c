//! The encoding as a graph: what `mahbusa_net::encoding` computes, out of the raw board.
//!
//! All numbers are small whole ones, so that 32-bit floating point holds them exactly; a condition is a number that is 0 or 1.

use mahbusa_net::encoding::INPUTS;
use mahbusa_rules::{POINTS, Roll};

use super::graph::{Graph, Value};

/// The raw board, as the side to roll sees it.
pub(super) struct RawBoard {
    /// `[N, 24]`: free checkers, mine positive.
    pub points: Value,
    /// `[N, 24]`: 1 where a checker of mine is trapped, -1 where one of theirs is.
    pub pins: Value,
    /// `[N, 2]`: borne off, mine and theirs.
    pub off: Value,
}

/// What is computed of it.
pub(super) struct Encoded {
    /// `[N, 379]`: the inputs of the net.
    pub features: Value,
    /// `[N, 1]`: 1 if a draw is possible.
    pub draw: Value,
}

/// Computes the inputs.
pub(super) fn encode(graph: &mut Graph, board: &RawBoard) -> Encoded {
    let one = graph.constant("one", &[], &[1.0]);
    let sides = Sides::new(graph, board, &one);
    let race = race(graph, &sides, &one);
    let parts = [points(graph, board, &one), off(graph, board, &one), experts(graph, &sides, &one), race];
    let features = graph.concat("features", &parts.each_ref(), 1);
    // Nobody draws unless each side still has a checker on its own start.
    let on_starts = graph.take("on_starts", &sides.checkers, 2, &[1], &[POINTS - 1]);
    let draw = graph.lowest("both_on_starts", &on_starts, 1);
    Encoded { features, draw: graph.reshape("draw_possible", &draw, &[1]) }
}

/// Inputs of a point: for each side thresholds of its free checkers, then what is trapped.
const STACK: usize = 5;
const TRAPPED: usize = 4;
/// Thresholds of the checkers that a side has borne off.
const OFF: usize = 15;
/// Expert inputs of both sides.
const EXPERTS: usize = 12;

const _: () = assert!(INPUTS == POINTS * (2 * STACK + TRAPPED) + 2 * OFF + EXPERTS + 1);

/// `[N, 336]`: fourteen inputs a point.
fn points(graph: &mut Graph, board: &RawBoard, one: &Value) -> Value {
    let both = |mine: [f32; STACK], theirs: [f32; STACK]| [mine, theirs].concat();
    let counts = graph.reshape("points.each", &board.points, &[POINTS, 1]);

    // How far a count lies above 0, 1, 2, 3, at most 1; and how far above 4.
    let sign = graph.constant("points.sign", &[2 * STACK], &both([1.0; STACK], [-1.0; STACK]));
    let threshold = [0.0, 1.0, 2.0, 3.0, 4.0];
    let threshold = graph.constant("points.threshold", &[2 * STACK], &both(threshold, threshold));
    let most = [1.0, 1.0, 1.0, 1.0, 15.0];
    let most = graph.constant("points.most", &[2 * STACK], &both(most, most));
    let stack = graph.mul("points.signed", &counts, &sign);
    let stack = graph.sub("points.above", &stack, &threshold);
    let stack = graph.relu("points.above_threshold", &stack);
    let stack = graph.min("points.thermometer", &[&stack, &most]);
    // Exactly 1 is at least 1 and not at least 2; checkers above 4 count a quarter.
    let mut matrix = [[0.0; 2 * STACK]; 2 * STACK];
    for first in [0, STACK] {
        matrix[first][first] = 1.0;
        matrix[first + 1][first] = -1.0;
        for k in 1..STACK {
            matrix[first + k][first + k] = if k < STACK - 1 { 1.0 } else { 0.25 };
        }
    }
    let matrix = graph.constant("points.matrix", &[2 * STACK, 2 * STACK], &matrix.concat());
    let stack = graph.matmul("points.stack", &stack, &matrix);

    let pins = graph.reshape("pins.each", &board.pins, &[POINTS, 1]);
    let sign = graph.constant("pins.sign", &[TRAPPED], &[1.0, 1.0, -1.0, -1.0]);
    let trapped = graph.mul("pins.signed", &pins, &sign);
    let trapped = graph.relu("pins.trapped", &trapped);
    // 1 where at most one checker lies above, and for the inputs that do not ask that.
    let two = graph.constant("two", &[], &[2.0]);
    let lone = graph.abs("pins.above", &counts);
    let lone = graph.sub("pins.not_two_above", &two, &lone);
    let lone = graph.relu("pins.few_above", &lone);
    let lone = graph.min("pins.lone_above", &[&lone, one]);
    let any = graph.constant("pins.any", &[TRAPPED], &[1.0, 0.0, 1.0, 0.0]);
    let lone = graph.max("pins.lone_or_any", &[&lone, &any]);
    let trapped = graph.mul("pins.inputs", &trapped, &lone);

    let inputs = graph.concat("points.inputs", &[&stack, &trapped], 2);
    graph.reshape("points.flat", &inputs, &[POINTS * (2 * STACK + TRAPPED)])
}

/// `[N, 30]`: the thermometers of the checkers borne off.
fn off(graph: &mut Graph, board: &RawBoard, one: &Value) -> Value {
    let thresholds: Vec<f32> = (0..OFF).map(|k| k as f32).collect();
    let thresholds = graph.constant("off.threshold", &[OFF], &thresholds);
    let each = graph.reshape("off.each", &board.off, &[2, 1]);
    let above = graph.sub("off.above", &each, &thresholds);
    let above = graph.relu("off.above_threshold", &above);
    let inputs = graph.min("off.inputs", &[&above, one]);
    graph.reshape("off.flat", &inputs, &[2 * OFF])
}

/// The checkers of both sides, all `[N, 2, 24]`: mine, then theirs, each in its own numbering.
struct Sides {
    /// Free checkers.
    count: Value,
    /// 1 where there are any.
    free: Value,
    /// 1 where one is trapped.
    trapped: Value,
    /// 1 where there is one, free or trapped.
    checkers: Value,
    /// 1 where free ones block the other side: two or more, or one that pins.
    closed: Value,
    /// 1 where this side may land.
    open: Value,
    /// 1 where this side would pin.
    blots: Value,
    /// The point of the rearmost checker, 0 when all are off; `[N, 2, 1]`.
    rear: Value,
    /// The number of each point; `[24]`.
    number: Value,
}

impl Sides {
    fn new(graph: &mut Graph, board: &RawBoard, one: &Value) -> Sides {
        // The board and its mirror image, in which what is theirs is positive.
        let places: Vec<usize> = (0..POINTS).chain((0..POINTS).rev()).collect();
        let sign = graph.constant("sides.sign", &[2, 1], &[1.0, -1.0]);
        let mut seen = |name: &str, of: &Value| {
            let both = graph.take(&format!("{name}.both"), of, 1, &[2, POINTS], &places);
            graph.mul(&format!("{name}.seen"), &both, &sign)
        };
        let (points, pins) = (seen("points", &board.points), seen("pins", &board.pins));

        let count = graph.relu("count", &points);
        let free = graph.min("free", &[&count, one]);
        let trapped = graph.relu("trapped", &pins);
        let checkers = graph.max("checkers", &[&free, &trapped]);
        let their_points = graph.neg("their_points", &points);
        let their_count = graph.relu("their_count", &their_points);
        let their_free = graph.min("their_free", &[&their_count, one]);
        let pins_theirs = graph.neg("their_pins", &pins);
        let pins_theirs = graph.relu("pins_theirs", &pins_theirs);
        let closed = blocks(graph, "closed", &count, &pins_theirs, one);
        let closed_to_me = blocks(graph, "closed_to_me", &their_count, &trapped, one);
        let open = graph.sub("open", one, &closed_to_me);
        let blots = graph.sub("blots", &their_free, &closed_to_me);

        let number: Vec<f32> = (1..=POINTS).map(|point| point as f32).collect();
        let number = graph.constant("number", &[POINTS], &number);
        let rear = graph.mul("checkers.number", &checkers, &number);
        let rear = graph.highest("rear", &rear, 2);
        Sides { count, free, trapped, checkers, closed, open, blots, rear, number }
    }
}

/// 1 where free checkers block the other side: two or more, or one that pins.
fn blocks(graph: &mut Graph, name: &str, count: &Value, pins: &Value, one: &Value) -> Value {
    let more = graph.add(&format!("{name}.count_and_pin"), count, pins);
    let more = graph.sub(&format!("{name}.beyond_one"), &more, one);
    let more = graph.relu(&format!("{name}.positive"), &more);
    graph.min(name, &[&more, one])
}

/// `[N, 12]`: the expert inputs of both sides.
fn experts(graph: &mut Graph, sides: &Sides, one: &Value) -> Value {
    let pips = graph.add("pips.checkers", &sides.count, &sides.trapped);
    let pips = graph.mul("pips.each", &pips, &sides.number);
    let pips = graph.sum("pips", &pips, 2);

    let outside: Vec<f32> = (0..POINTS).map(|index| f32::from(u8::from(index >= 6))).collect();
    let outside = graph.constant("outside", &[POINTS], &outside);
    let barred = graph.mul("barred.outside", &sides.free, &outside);
    let barred = graph.max("barred.where", &[&barred, &sides.trapped]);
    let barred = graph.highest("barred", &barred, 2);
    let bears_off = graph.sub("bears_off", one, &barred);

    let run = longest_run(graph, sides);
    let chances = pin_chances(graph, sides);

    let inputs = graph.concat("experts.whole", &[&pips, &sides.rear, &bears_off, &run, &chances], 2);
    let unit = graph.constant("experts.unit", &[6], &[100.0, 24.0, 1.0, 6.0, 36.0, 36.0]);
    let inputs = graph.div("experts.inputs", &inputs, &unit);
    graph.reshape("experts.flat", &inputs, &[EXPERTS])
}

/// `[N, 1]`: 1 if contact is over: both rearmost checkers have passed each other.
fn race(graph: &mut Graph, sides: &Sides, one: &Value) -> Value {
    let meeting = graph.constant("race.meeting", &[], &[POINTS as f32 + 1.0]);
    let rears = graph.sum("race.rears", &sides.rear, 1);
    let passed = graph.sub("race.apart", &meeting, &rears);
    let passed = graph.relu("race.passed", &passed);
    let race = graph.min("race", &[&passed, one]);
    graph.reshape("race.flat", &race, &[1])
}

/// `[N, 2, 1]`: the longest run of closed points, at most 7.
fn longest_run(graph: &mut Graph, sides: &Sides) -> Value {
    const LONGEST: usize = 7;
    // How many points are closed among the k + 1 that begin at each; all of them are when that is more than k.
    let mut windows = vec![0.0; POINTS * LONGEST * POINTS];
    let mut less = [0.0; LONGEST];
    for length in 1..=LONGEST {
        less[length - 1] = length as f32 - 1.0;
        for first in 0..POINTS {
            for point in first..(first + length).min(POINTS) {
                windows[(point * LONGEST + length - 1) * POINTS + first] = 1.0;
            }
        }
    }
    let windows = graph.constant("run.windows", &[POINTS, LONGEST * POINTS], &windows);
    let less = graph.constant("run.less", &[LONGEST, 1], &less);
    let run = graph.matmul("run.closed", &sides.closed, &windows);
    let run = graph.reshape("run.by_length", &run, &[2, LONGEST, POINTS]);
    let run = graph.sub("run.beyond", &run, &less);
    let run = graph.relu("run.complete", &run);
    let run = graph.highest("run.any", &run, 3);
    let run = graph.sum("run.longest", &run, 2);
    graph.reshape("run", &run, &[2, 1])
}

/// `[N, 2, 2]`: in how many of 36 throws a side can reach a lone checker, and the one on the other side's start.
fn pin_chances(graph: &mut Graph, sides: &Sides) -> Value {
    let rolls = |double: bool| Roll::ALL.into_iter().filter(move |roll| roll.is_double() == double);
    let high: Vec<usize> = rolls(false).map(|roll| usize::from(roll.high())).collect();
    let low: Vec<usize> = rolls(false).map(|roll| usize::from(roll.low())).collect();
    let both: Vec<usize> = high.iter().zip(&low).map(|(high, low)| high + low).collect();
    let doubled = |times: usize| -> Vec<usize> { rolls(true).map(|roll| times * usize::from(roll.high())).collect() };

    let free = Behind::new(graph, "free", &sides.free, &[&high, &low, &both, &doubled(2), &doubled(3), &doubled(4)]);
    let open = Behind::new(graph, "open", &sides.open, &[&high, &low, &doubled(2), &doubled(3)]);

    // With one die, or with both over an open point between.
    let between = [open.at(graph, "open.high", &high), open.at(graph, "open.low", &low)];
    let between = graph.max("between", &between.each_ref());
    let far = free.at(graph, "free.both", &both);
    let far = graph.mul("two_dice.both", &between, &far);
    let near = [free.at(graph, "free.high", &high), free.at(graph, "free.low", &low)];
    let [by_high, by_low] = near.each_ref();
    let two_dice = graph.max("two_dice", &[&far, by_high, by_low]);

    // With one to four steps of a double: from the farthest point inwards, over open points.
    let mut double = free.at(graph, "free.four", &doubled(4));
    for (times, name) in [(3, "three"), (2, "two"), (1, "one")] {
        let way = open.at(graph, &format!("open.{name}"), &doubled(times));
        let from = free.at(graph, &format!("free.{name}"), &doubled(times));
        let over = graph.mul(&format!("double.over_{name}"), &way, &double);
        double = graph.max(&format!("double.{name}"), &[&from, &over]);
    }

    let reached = graph.concat("reached", &[&two_dice, &double], 2);
    let blots = graph.reshape("blots.each", &sides.blots, &[2, 1, POINTS]);
    let pinned = graph.mul("pinned", &reached, &blots);
    let any = graph.highest("pinned.any", &pinned, 3);
    let start = graph.take("pinned.start", &pinned, 3, &[1], &[0]);
    let pinned = graph.concat("pinned.both", &[&any, &start], 3);
    let weights: Vec<f32> = rolls(false).chain(rolls(true)).map(|roll| f32::from(roll.weight())).collect();
    let weights = graph.constant("throws", &[weights.len(), 1], &weights);
    let throws = graph.mul("pinned.throws", &pinned, &weights);
    graph.sum_away("chances", &throws, 2)
}

/// What stands so many points behind each point, 0 beyond the board; for several distances, each found once.
struct Behind {
    distances: Vec<usize>,
    /// `[N, 2, distances, 24]`.
    table: Value,
}

impl Behind {
    fn new(graph: &mut Graph, name: &str, of: &Value, distances: &[&[usize]]) -> Behind {
        let mut distances = distances.concat();
        distances.sort_unstable();
        distances.dedup();
        // One more place, which is nowhere on the board.
        let nowhere = graph.constant(&format!("{name}.zero"), &[1], &[0.0]);
        let nowhere = graph.mul(&format!("{name}.nothing"), of, &nowhere);
        let nowhere = graph.highest(&format!("{name}.nowhere"), &nowhere, 2);
        let extended = graph.concat(&format!("{name}.extended"), &[of, &nowhere], 2);
        let places: Vec<usize> = distances
            .iter()
            .flat_map(|distance| (0..POINTS).map(move |place| (place + distance).min(POINTS)))
            .collect();
        let table = graph.take(&format!("{name}.behind"), &extended, 2, &[distances.len(), POINTS], &places);
        Behind { distances, table }
    }

    /// `[N, 2, at, 24]`: for these distances, one after the other.
    fn at(&self, graph: &mut Graph, name: &str, at: &[usize]) -> Value {
        let rows: Vec<usize> =
            at.iter().filter_map(|distance| self.distances.iter().position(|d| d == distance)).collect();
        graph.take(name, &self.table, 2, &[rows.len()], &rows)
    }
}
