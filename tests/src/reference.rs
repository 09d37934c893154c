//! A second referee, slow and obvious, to compare the fast one with.
//!
//! Written from `rules.md` alone; the quotations are from there. It shares no code and no idea with the crate
//! `mahbusa-rules`: a point is a struct, a step clones the state, a turn is the recursion over all orders of all
//! steps, and the dice duty is a filter over the sequences that come out of it.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;

/// "two sides (White, Black)"
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Upper case in the notation.
    White,
    /// Lower case in the notation.
    Black,
}

impl Side {
    /// The opponent.
    pub fn enemy(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// Where the point that this side calls `point` (1..=24) stands in [`State::points`].
    ///
    /// "Each side numbers the points for itself [...] My point p is the other side's point 25-p."
    pub fn place(self, point: u8) -> usize {
        match self {
            Side::White => usize::from(point),
            Side::Black => usize::from(25 - point),
        }
    }
}

/// "A point holds a *free* stack of one owner (n >= 1), and under it at most one trapped enemy checker."
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// Whose the free stack is; `None` on an empty point.
    pub owner: Option<Side>,
    /// Free checkers.
    pub count: u8,
    /// Whose checker is trapped under the free stack.
    pub trapped: Option<Side>,
}

impl Point {
    /// Nothing stands there.
    pub const EMPTY: Point = Point { owner: None, count: 0, trapped: None };
}

/// Everything that a position notation says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// "`mother` on (Mahbusa, Plakoto)" or off (Tapa).
    pub mother: bool,
    /// "`checkers` is a rule parameter, 1..=15".
    pub checkers: u8,
    /// The points by White's numbers, 1..=24; the place 0 is not used.
    pub points: [Point; 25],
    /// Borne off by White and by Black.
    pub off: [u8; 2],
    /// "the side to roll or to move"
    pub turn: Side,
    /// "`-`, or two digits, higher first"
    pub dice: Option<[u8; 2]>,
    /// "`<white>.<black>.<length>`"
    pub score: [u64; 3],
}

/// One checker moved by one die, in the mover's numbers; `to` 0 is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The point left.
    pub from: u8,
    /// The point reached.
    pub to: u8,
}

impl Ord for Step {
    /// "higher `from` first, then lower `to` (off = 0)"
    fn cmp(&self, other: &Step) -> Ordering {
        other.from.cmp(&self.from).then(self.to.cmp(&other.to))
    }
}

impl PartialOrd for Step {
    fn partial_cmp(&self, other: &Step) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// One order of steps, taken until the dice, the legal steps or the game came to an end.
#[derive(Clone, Debug)]
pub struct Line {
    /// The steps in the order taken.
    pub steps: Vec<Step>,
    /// The die of each step.
    pub dice: Vec<u8>,
    /// What stands on the board then, the mover still in turn.
    pub state: State,
    /// The mover's points, if the game has ended.
    pub points: Option<i8>,
}

/// A legal play.
#[derive(Clone, Debug)]
pub struct Play {
    /// The wire form: "the legal sequence that comes first when compared step by step". Empty is a pass.
    pub steps: Vec<Step>,
    /// The position after it.
    pub state: State,
    /// "`points` (of the side that played, null if the game goes on)"
    pub points: Option<i8>,
}

impl Play {
    /// The wire form as text.
    pub fn wire(&self) -> String {
        wire(&self.steps)
    }
}

/// "every step written out, the mover's own point numbers, `24/20 20/18`, `6/off 5/off`; a pass is `-`"
pub fn wire(steps: &[Step]) -> String {
    if steps.is_empty() {
        return "-".to_owned();
    }
    let words: Vec<String> = steps
        .iter()
        .map(|step| if step.to == 0 { format!("{}/off", step.from) } else { format!("{}/{}", step.from, step.to) })
        .collect();
    words.join(" ")
}

impl State {
    /// "All my checkers start on my 24-point (the other's 1-point)." White to roll, a single game.
    pub fn start(mother: bool, checkers: u8) -> State {
        let mut points = [Point::EMPTY; 25];
        for side in [Side::White, Side::Black] {
            points[side.place(24)] = Point { owner: Some(side), count: checkers, trapped: None };
        }
        State { mother, checkers, points, off: [0, 0], turn: Side::White, dice: None, score: [0, 0, 0] }
    }

    /// What stands on the point that `side` calls `point`.
    pub fn at(&self, side: Side, point: u8) -> Point {
        self.points[side.place(point)]
    }

    /// "One checker trapped": `side`'s checker lies under an enemy stack on its own point `point`.
    pub fn is_trapped(&self, side: Side, point: u8) -> bool {
        self.at(side, point).trapped == Some(side)
    }

    /// Free checkers of `side` on its own point `point`.
    pub fn free(&self, side: Side, point: u8) -> u8 {
        let there = self.at(side, point);
        if there.owner == Some(side) { there.count } else { 0 }
    }

    /// Checkers that `side` has borne off.
    pub fn off(&self, side: Side) -> u8 {
        self.off[side as usize]
    }

    /// How the game has ended, in points of `mover`; `None` if it goes on.
    ///
    /// "End and score (tested on the state after every step of the mover)"
    pub fn ending(&self, mover: Side) -> Option<i8> {
        let enemy = mover.enemy();
        // "A start is *pinned* when the trapped checker belongs to the side that starts there."
        let my_start_pinned = self.is_trapped(mover, 24);
        let their_start_pinned = self.is_trapped(enemy, 24);
        // "1. Both starts are pinned [...]: draw, 0 points, whatever the variant"
        if my_start_pinned && their_start_pinned {
            return Some(0);
        }
        // "2. `mother` on: I pin the enemy's last checker on its start, and I have no checker, free or trapped, on my
        // own start: I win 2 points at once. If I still have one there, play goes on, and I win at the moment my start
        // is empty while the pin still stands."
        if self.mother && their_start_pinned && self.free(mover, 24) == 0 && !my_start_pinned {
            return Some(2);
        }
        // "3. My last checker is off: I win 1 point, or 2 (mars) if the enemy has borne off none."
        if self.off(mover) == self.checkers {
            return Some(if self.off(enemy) == 0 { 2 } else { 1 });
        }
        None
    }

    /// "A finished position [...] its score is that of the side not on roll."
    pub fn finished(&self) -> Option<i8> {
        self.ending(self.turn.enemy())
    }

    /// "Allowed while all my checkers still on the board are in my home **and none of them is pinned, anywhere**"
    pub fn may_bear_off(&self, side: Side) -> bool {
        (1..=24).all(|point| !self.is_trapped(side, point)) && (7..=24).all(|point| self.free(side, point) == 0)
    }

    /// The step of the side in turn from its point `from` with `die`, if it is legal: where it leads, and the state then.
    pub fn step(&self, from: u8, die: u8) -> Option<(Step, State)> {
        let me = self.turn;
        let enemy = me.enemy();
        // "A step moves one free checker of mine by one die"
        if self.free(me, from) == 0 {
            return None;
        }
        let mut after = self.clone();
        let left = &mut after.points[me.place(from)];
        left.count -= 1;
        if left.count == 0 {
            // "When my last free checker leaves a point where I pin, the prisoner is free at once"
            *left = match left.trapped {
                Some(prisoner) => Point { owner: Some(prisoner), count: 1, trapped: None },
                None => Point::EMPTY,
            };
        }
        if from > die {
            let to = from - die;
            let target = self.at(me, to);
            let reached = match target.owner {
                // "to a point that is empty"
                None => Point { owner: Some(me), count: 1, trapped: None },
                // "mine (also where I already pin)"
                Some(owner) if owner == me => Point { count: target.count + 1, ..target },
                // "or held by exactly one enemy checker that is not itself pinning. That enemy checker is now pinned."
                Some(_) if target.count == 1 && target.trapped.is_none() => {
                    Point { owner: Some(me), count: 1, trapped: Some(enemy) }
                }
                // "Closed to me: two or more enemy checkers; one enemy checker that pins one of mine."
                Some(_) => return None,
            };
            after.points[me.place(to)] = reached;
            return Some((Step { from, to }, after));
        }
        if !self.may_bear_off(me) {
            return None;
        }
        // "The exact point; or, with a die higher than my highest occupied point, from that highest point."
        let highest = (1..=24).rev().find(|&point| self.free(me, point) > 0)?;
        if die == from || (die > highest && from == highest) {
            after.off[me as usize] += 1;
            return Some((Step { from, to: 0 }, after));
        }
        None
    }

    /// All lines of the turn with the dice, in every order, before the dice duty is applied.
    pub fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        // "A finished position [...]: its legal plays are none"
        if let (Some([high, low]), None) = (self.dice, self.finished()) {
            // "Two dice; a double is played four times."
            let dice = if high == low { vec![high; 4] } else { vec![high, low] };
            self.explore(&dice, &mut Vec::new(), &mut Vec::new(), &mut lines);
        }
        lines
    }

    fn explore(&self, left: &[u8], steps: &mut Vec<Step>, used: &mut Vec<u8>, lines: &mut Vec<Line>) {
        // "tested on the state after every step of the mover", "A step that ends the game ends the turn"
        let points = if steps.is_empty() { None } else { self.ending(self.turn) };
        let mut stuck = true;
        if points.is_none() {
            for (i, &die) in left.iter().enumerate() {
                if left[..i].contains(&die) {
                    continue; // the same die once more
                }
                let mut rest = left.to_vec();
                rest.remove(i);
                for from in 1..=24 {
                    if let Some((step, after)) = self.step(from, die) {
                        stuck = false;
                        steps.push(step);
                        used.push(die);
                        after.explore(&rest, steps, used, lines);
                        steps.pop();
                        used.pop();
                    }
                }
            }
        }
        if stuck {
            lines.push(Line { steps: steps.clone(), dice: used.clone(), state: self.clone(), points });
        }
    }

    /// The lines that the dice duty allows; the line of no steps is a pass.
    pub fn legal_lines(&self) -> Vec<Line> {
        let mut lines = self.lines();
        let Some([high, low]) = self.dice else { return lines };
        let all = if high == low { 4 } else { 2 };
        // "such a play counts as having used every die"
        let used = |line: &Line| if line.points.is_some() { all } else { line.dice.len() };
        // "Both dice must be used if any order allows it; of a double as many as possible."
        let most = lines.iter().map(used).max().unwrap_or(0);
        lines.retain(|line| used(line) == most);
        // "If only one of two different dice can be used, the higher one if it can be played, else the lower."
        if high != low && most == 1 && lines.iter().any(|line| line.dice == [high]) {
            lines.retain(|line| line.dice == [high]);
        }
        lines
    }

    /// All legal plays in the order of the wire form; "No legal step: the turn is passed", one play of no steps.
    ///
    /// # Panics
    /// When two ways to one position end differently, which would be a fault of this referee.
    pub fn plays(&self) -> Vec<Play> {
        // "Two plays are the same play if they lead to the same position; it is then written as the legal sequence that
        // comes first when compared step by step"
        let mut distinct: HashMap<State, (Vec<Step>, Option<i8>)> = HashMap::new();
        for line in self.legal_lines() {
            let known = distinct.entry(line.state).or_insert_with(|| (line.steps.clone(), line.points));
            assert_eq!(known.1, line.points, "equal positions end alike");
            if line.steps < known.0 {
                known.0 = line.steps;
            }
        }
        let mut plays: Vec<Play> = distinct
            .into_iter()
            .map(|(mut state, (steps, points))| {
                state.turn = self.turn.enemy();
                state.dice = None;
                Play { steps, state, points }
            })
            .collect();
        // "Lists of plays stand in that order"
        plays.sort_by(|a, b| a.steps.cmp(&b.steps));
        plays
    }

    /// Reads a position notation: canonical, but for the aliases of the rules.
    ///
    /// # Errors
    /// What is wrong, in a few words.
    pub fn read(text: &str) -> Result<State, &'static str> {
        // "`<rules>:<board>:<off>:<turn>:<dice>:<match>`"
        let fields: Vec<&str> = text.split(':').collect();
        let [rules, board, off, turn, dice, score] = fields[..] else { return Err("not six fields") };
        let (mother, checkers) = read_rules(rules)?;
        let mut state = State { points: read_board(board)?, ..State::start(mother, checkers) };
        let off = read_numbers(off)?;
        let [white_off, black_off] = off[..] else { return Err("off") };
        // "a count over 15"
        state.off = [u8::try_from(white_off).map_err(|_| "off")?, u8::try_from(black_off).map_err(|_| "off")?];
        // "wrong checker sum per side (free + trapped + off)"
        for side in [Side::White, Side::Black] {
            let on_board: u32 = (1..=24)
                .map(|point| u32::from(state.free(side, point)) + u32::from(state.is_trapped(side, point)))
                .sum();
            if on_board + u32::from(state.off(side)) != u32::from(checkers) {
                return Err("checker sum");
            }
        }
        state.turn = match turn {
            "w" => Side::White,
            "b" => Side::Black,
            _ => return Err("turn"),
        };
        state.dice = match dice.as_bytes() {
            b"-" => None,
            &[high @ b'1'..=b'6', low @ b'1'..=b'6'] if high >= low => Some([high - b'0', low - b'0']),
            _ => return Err("dice"),
        };
        let score = read_numbers(score)?;
        let [white, black, length] = score[..] else { return Err("match") };
        // "`0.0.0` = a single game", "a match already decided" is rejected
        if if length == 0 { white + black > 0 } else { white >= length || black >= length } {
            return Err("match decided");
        }
        state.score = [white, black, length];
        // "A finished position is valid, with dice `-` only"
        if state.dice.is_some() && state.finished().is_some() {
            return Err("dice in a finished position");
        }
        Ok(state)
    }
}

/// "Options follow the id after commas, sorted, only where they differ from it: `checkers=1..15`, `mother=on|off`.
/// Readers accept `plakoto` and any `mother=`"
fn read_rules(text: &str) -> Result<(bool, u8), &'static str> {
    let words: Vec<&str> = text.split(',').collect();
    let mut mother = match words[0] {
        "mahbusa" | "plakoto" => true,
        "tapa" => false,
        _ => return Err("rules"),
    };
    let mut checkers = 15;
    let mut options = &words[1..];
    if let Some(number) = options.first().and_then(|word| word.strip_prefix("checkers=")) {
        checkers = read_number(number)?;
        if !(1..=14).contains(&checkers) {
            return Err("checkers");
        }
        options = &options[1..];
    }
    match options {
        [] => {}
        ["mother=on"] => mother = true,
        ["mother=off"] => mother = false,
        _ => return Err("options"),
    }
    Ok((mother, checkers as u8))
}

/// "from White's 24-point down to White's 1-point: decimal = run of empty points; letter = free stack, `A`..`O` 1..15
/// White, `a`..`o` 1..15 Black; a following `~` = one enemy checker trapped under it"
fn read_board(text: &str) -> Result<[Point; 25], &'static str> {
    let mut found: Vec<Point> = Vec::new();
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        if bytes[i].is_ascii_digit() {
            let begin = i;
            while i < bytes.len() && bytes[i].is_ascii_digit() {
                i += 1;
            }
            let run = read_number(&text[begin..i])?;
            if !(1..=24).contains(&run) {
                return Err("run");
            }
            found.extend((0..run).map(|_| Point::EMPTY));
            continue;
        }
        let (owner, count) = match bytes[i] {
            letter @ b'A'..=b'O' => (Side::White, letter - b'A' + 1),
            letter @ b'a'..=b'o' => (Side::Black, letter - b'a' + 1),
            _ => return Err("board character"),
        };
        i += 1;
        let pins = bytes.get(i) == Some(&b'~');
        if pins {
            i += 1;
        }
        found.push(Point { owner: Some(owner), count, trapped: pins.then_some(owner.enemy()) });
    }
    if found.len() != 24 {
        return Err("width");
    }
    let mut points = [Point::EMPTY; 25];
    for (i, point) in found.into_iter().enumerate() {
        points[24 - i] = point;
    }
    Ok(points)
}

/// "no leading zero"
fn read_number(text: &str) -> Result<u64, &'static str> {
    let canonical = text == "0" || !text.starts_with('0');
    if text.is_empty() || !canonical || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("number");
    }
    // rules.md sets no bound to the numbers of a match; ten digits keep the sums here from overflowing.
    if text.len() > 10 { Err("number too long") } else { text.parse().map_err(|_| "number") }
}

fn read_numbers(text: &str) -> Result<Vec<u64>, &'static str> {
    text.split('.').map(read_number).collect()
}

impl fmt::Display for State {
    /// The canonical position notation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // "writers always emit `mahbusa` or `tapa` and never `mother=`"
        f.write_str(if self.mother { "mahbusa" } else { "tapa" })?;
        if self.checkers != 15 {
            write!(f, ",checkers={}", self.checkers)?;
        }
        f.write_str(":")?;
        let mut empty = 0;
        for point in (1..=24).rev() {
            let there = self.at(Side::White, point);
            let Some(owner) = there.owner else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                write!(f, "{empty}")?;
                empty = 0;
            }
            let first = if owner == Side::White { b'A' } else { b'a' };
            write!(f, "{}", char::from(first + there.count - 1))?;
            if there.trapped.is_some() {
                f.write_str("~")?;
            }
        }
        if empty > 0 {
            write!(f, "{empty}")?;
        }
        write!(f, ":{}.{}", self.off[0], self.off[1])?;
        f.write_str(if self.turn == Side::White { ":w:" } else { ":b:" })?;
        match self.dice {
            Some([high, low]) => write!(f, "{high}{low}")?,
            None => f.write_str("-")?,
        }
        let [white, black, length] = self.score;
        write!(f, ":{white}.{black}.{length}")
    }
}

/// Nodes and distinct positions of each ply from the start, `depth` plies deep: every distinct result of each of the 21
/// rolls is a node, a pass is one, an ended game is one and goes no further.
pub fn perft(mother: bool, depth: usize) -> Vec<(u64, u64)> {
    let mut level = HashMap::from([(State::start(mother, 15), 1u64)]);
    let mut counts = Vec::new();
    for _ in 0..depth {
        let mut next: HashMap<State, u64> = HashMap::new();
        #[expect(clippy::iter_over_hash_type, reason = "sums do not depend on the order")]
        for (state, ways) in level {
            if state.finished().is_some() {
                continue;
            }
            for high in 1..=6 {
                for low in 1..=high {
                    for play in (State { dice: Some([high, low]), ..state.clone() }).plays() {
                        *next.entry(play.state).or_default() += ways;
                    }
                }
            }
        }
        counts.push((next.values().sum(), next.len() as u64));
        level = next;
    }
    counts
}
