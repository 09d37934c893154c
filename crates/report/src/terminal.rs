//! How a run stands, as lines of text for a terminal.

use std::path::Path;
use std::time::{Duration, SystemTime};

use mahbusa_arena::Verdict;
use mahbusa_train::{Run as Standing, State, saved_by_run};

use crate::line::thinned;
use crate::unit::{Unit, duration, roughly, signed, thousands};
use crate::{Line, ReportError, Run};

/// Columns of the names of facts, the space behind them included.
const NAMES: usize = 8;

/// Rows of the chart, without its axis: fewer show nothing, more show no more.
const ROWS: (usize, usize) = (3, 18);

/// Columns of the bar of games and of the small curves, at most.
const WIDE: usize = 48;

/// What somebody sees who looks at the folder of a run.
#[derive(Clone, Debug)]
pub struct Seen {
    /// What its files say, openings left out.
    pub run: Run,
    /// How it stands.
    pub standing: Standing,
    /// Games of its newest checkpoint, and how long ago it was saved.
    pub saved: Option<(u64, Duration)>,
}

/// What can be shown on a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Its columns; fewer than 20 are taken for 20.
    pub columns: usize,
    /// Its rows, of which the last is left to the cursor.
    pub rows: usize,
    /// Whether it has dots and blocks, and not only ASCII.
    pub unicode: bool,
    /// Whether it has colours.
    pub colours: bool,
}

/// How a piece of text is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tint {
    Plain,
    Strong,
    Faint,
    Curve,
    Good,
    Waiting,
}

/// Pieces of text, one behind the other.
type Text = Vec<(Tint, String)>;

impl Seen {
    /// Looks at a folder; nothing in it changes.
    ///
    /// # Errors
    /// When it is no run, the run is broken, or a file in it cannot be read or is damaged.
    pub fn at(folder: &Path) -> Result<Seen, ReportError> {
        let run = Run::read_numbers(folder)?;
        let standing = Standing::at(folder);
        if let State::Broken { why } = standing.state {
            return Err(ReportError::Damaged { path: folder.to_owned(), message: format!("the run is broken: {why}") });
        }
        let age = |time: SystemTime| time.elapsed().unwrap_or_default();
        let saved = saved_by_run(folder)?.map(|(games, time)| (games, age(time)));
        Ok(Seen { run, standing, saved })
    }

    /// Whether nothing more will happen.
    pub fn is_complete(&self) -> bool {
        self.standing.state == State::Complete
    }

    /// The picture, one text a row of the terminal. `resume` is the command that goes on with the run.
    pub fn draw(&self, terminal: Terminal, resume: &str) -> Vec<String> {
        let columns = terminal.columns.max(20);
        let rows = terminal.rows.saturating_sub(1);
        let mut top = wrapped(&self.head(), columns);
        top.extend(self.progress(columns));
        let mut bottom = wrapped(&self.strength(), columns);
        let facts = bottom.len();
        bottom.extend(self.facts(columns).iter().flat_map(|fact| wrapped(fact, columns)));
        bottom.extend(self.next(resume).iter().flat_map(|text| wrapped(text, columns)));

        // What is free goes to the chart, its title and axis, and two empty lines.
        let free = rows.saturating_sub(top.len() + bottom.len());
        let (least, most) = ROWS;
        let height = free.saturating_sub(if free >= least + 5 { 5 } else { 3 });
        let chart = if height >= least { self.chart(columns, height.min(most)) } else { Vec::new() };
        if free >= chart.len() + 2 {
            top.push(Text::new());
            if bottom.len() > facts {
                bottom.insert(facts, Text::new());
            }
        }
        let lines = top.into_iter().chain(chart).chain(bottom).take(rows);
        lines.map(|line| terminal.write(&line)).collect()
    }

    fn head(&self) -> Text {
        let Standing { rules, net, state, .. } = &self.standing;
        let name = self.run.name.replace(char::is_control, "?");
        let known = rules.iter().chain(net).map(|word| format!("{word}, ")).collect::<String>();
        let state = match state {
            State::Running if self.run.complete => (Tint::Good, "measuring at the end"),
            State::Running => (Tint::Good, "running"),
            State::Complete => (Tint::Good, "complete"),
            State::Paused => (Tint::Waiting, "paused"),
            State::Stopped => (Tint::Waiting, "stopped"),
            State::Broken { .. } => (Tint::Waiting, "broken"),
        };
        vec![(Tint::Strong, name), plain(format!(": {known}")), (state.0, state.1.to_owned())]
    }

    /// Games done of those asked for, as a bar and in words.
    fn progress(&self, columns: usize) -> Vec<Text> {
        let done = self.standing.games;
        let of = self.standing.of.unwrap_or(done);
        let mut words = format!("{} of {} games", thousands(done as f64), thousands(of as f64));
        match self.standing.state {
            State::Running => {
                words.extend(self.run.speed().map(|speed| format!(", {}", Unit::PerSecond.value(speed))));
                words.extend(self.run.seconds_left().map(|left| format!(", {} left", roughly(left))));
            }
            _ => words.extend(self.run.seconds().map(|seconds| format!(", {}", duration(seconds)))),
        }
        let beside = columns.saturating_sub(words.chars().count() + 2);
        let cells = if beside >= 10 { beside.min(WIDE) } else { columns.min(WIDE) };
        let full = (done.min(of) as f64 / of.max(1) as f64 * cells as f64) as usize;
        let mut bar = vec![(Tint::Curve, "█".repeat(full)), (Tint::Faint, "░".repeat(cells - full))];
        if beside >= 10 {
            bar.push(plain(format!("  {words}")));
            vec![bar]
        } else {
            [vec![bar], wrapped(&[plain(words)], columns)].concat()
        }
    }

    /// The last measurement in words.
    fn strength(&self) -> Text {
        let last = self.run.measured().last().map(|(line, measured)| (line.games as f64, &measured.heuristic));
        let (when, Verdict { points_per_game: points, win_rate, .. }) = match (&self.run.verdict, last) {
            (Some(verdict), _) => ("Closing measurement: ".to_owned(), verdict),
            (None, Some((games, verdict))) => (format!("After {} games ", thousands(games)), verdict),
            (None, None) => {
                let every = self.run.setting("evaluation.every").and_then(|every| every.parse().ok());
                let first = every.map_or(String::new(), |every: f64| format!(" before {} games", thousands(every)));
                return vec![plain(format!("Strength is not measured{first}."))];
            }
        };
        let [mean, low, high] = [points.mean, points.low, points.high].map(|points| signed(points, 3));
        let wins = Unit::Share.value(win_rate.mean);
        vec![plain(when), (Tint::Strong, mean), plain(format!(" a game [95 %: {low} to {high}], wins {wins}"))]
    }

    /// Loss, learning rate, what games are like, and what has been saved, as far as they are known.
    fn facts(&self, columns: usize) -> Vec<Text> {
        let fact = |name: &str, text: String| vec![(Tint::Faint, format!("{name:<NAMES$}")), plain(text)];
        let loss = self.small_curve("loss", Unit::Nats, |line| line.loss, columns);
        let rate = self.small_curve("rate", Unit::Factor, |line| line.learning_rate, columns);
        let last = self.run.lines.last();
        let ends = last.and_then(|line| {
            let (mars, mother, draw) = (line.mars?, line.mother?, line.draw?);
            let [single, mars, mother, draw] = [1.0 - mars - mother - draw, mars, mother, draw].map(share);
            Some(fact("ends", format!("single {single}, mars {mars}, mother {mother}, draw {draw}")))
        });
        let games = last.and_then(|line| {
            let (turns, first) = (Unit::Turns.value(line.plies?), Unit::Share.value(line.first_mover?));
            Some(fact("games", format!("{turns} turns, the first mover wins {first}")))
        });
        let saved = self.saved.map(|(games, age)| {
            let games = thousands(games as f64);
            fact("saved", format!("after {games} games, {} ago", roughly(age.as_secs_f64())))
        });
        [loss, rate, ends, games, saved].into_iter().flatten().collect()
    }

    /// A value over games in one row, between the first one and the last.
    fn small_curve(&self, name: &str, unit: Unit, value: fn(&Line) -> Option<f64>, columns: usize) -> Option<Text> {
        let mut known = self.run.lines.iter().filter_map(value);
        let first = known.next()?;
        let ends = [first, known.next_back().unwrap_or(first)].map(|value| unit.value(value));
        let taken = NAMES + ends.iter().map(|end| end.chars().count() + 1).sum::<usize>();
        let scaled = |value: f64| if unit.is_logarithmic() { value.ln() } else { value };
        let lines = thinned(&self.run.lines, columns.saturating_sub(taken).clamp(1, WIDE));
        let values: Vec<f64> = lines.iter().map(|line| value(line).map_or(f64::NAN, scaled)).collect();
        let (low, high) = range(values.iter().copied());
        let level = |&value: &f64| match ((value - low) / (high - low) * 7.0).round() {
            level if level >= 0.0 => ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'][(level as usize).min(7)],
            // One value has no range, and what is missing has no value.
            _ if value.is_finite() => '▄',
            _ => ' ',
        };
        let curve = values.iter().map(level).collect();
        let [first, last] = ends;
        let name = (Tint::Faint, format!("{name:<NAMES$}"));
        Some(vec![name, plain(format!("{first} ")), (Tint::Curve, curve), plain(format!(" {last}"))])
    }

    /// What is to be done, where the run does not go on by itself.
    fn next(&self, resume: &str) -> Vec<Text> {
        let why = match self.standing.state {
            State::Stopped => format!(
                "Stopped without saving: its last {} games will be played again. Go on with",
                thousands(self.run.games().saturating_sub(self.standing.games) as f64)
            ),
            State::Paused => "Paused, or stopped right after a checkpoint. Go on with".to_owned(),
            State::Complete if self.run.verdict.is_none() => {
                "The closing measurement is missing. Make it with".to_owned()
            }
            _ => return Vec::new(),
        };
        vec![vec![(Tint::Waiting, why)], vec![(Tint::Strong, format!("  {resume}"))]]
    }

    /// Points a game over games, with the interval of the last measurement as an upright line; empty before the first measurement.
    fn chart(&self, columns: usize, rows: usize) -> Vec<Text> {
        // No game is worth more than two points.
        let points = |points: f64| points.clamp(-2.0, 2.0);
        let measured: Vec<_> = self
            .run
            .measured()
            .map(|(line, measured)| (line.games as f64, measured.heuristic.points_per_game))
            .collect();
        let Some(&(at, last)) = measured.last() else { return Vec::new() };
        let interval = [points(last.low), points(last.high)];
        let (low, high) = range(measured.iter().map(|(_, estimate)| points(estimate.mean)).chain(interval));
        // Where all are nearly equal, small differences are not to look large.
        let air = (0.1 - (high - low)).max(0.0) / 2.0;
        let (low, high) = (low - air, high + air);
        let (ticks, step) = Unit::Points.ticks(low, high, rows.div_ceil(2));
        let row = |value: f64| (high - value) / (high - low) * (4 * rows - 1) as f64;
        let mut names = vec![String::new(); rows];
        for tick in ticks {
            names[row(tick).round() as usize / 4] = Unit::Points.tick(tick, step);
        }
        let margin = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let width = columns - margin - 1;
        let most = self.run.games().max(1) as f64;
        let column = |games: f64| games / most * (2 * width - 1) as f64;

        let mut dots = Dots::new(width, rows);
        let places: Vec<_> = measured.iter().map(|(games, e)| (column(*games), row(points(e.mean)))).collect();
        places.windows(2).for_each(|pair| dots.line(pair[0], pair[1]));
        dots.line((column(at), row(interval[0])), (column(at), row(interval[1])));

        let title = vec![(Tint::Faint, "Points a game against heuristic".to_owned())];
        let body = names.iter().zip(dots.rows()).map(|(name, dots)| {
            let edge = if name.is_empty() { '│' } else { '┤' };
            vec![(Tint::Faint, format!("{name:>margin$}{edge}")), (Tint::Curve, dots)]
        });
        let axis = format!("{:margin$}└{}", "", "─".repeat(width));
        let mut games = " ".repeat(margin + 1);
        let (ticks, step) = Unit::Games.ticks(0.0, most, width / 12);
        for tick in ticks {
            let name = Unit::Games.tick(tick, step);
            let length = name.chars().count();
            let begin = margin + 1 + (column(tick) / 2.0) as usize;
            let begin = begin.saturating_sub(length / 2).clamp(margin + 1, columns - length.min(width));
            let taken = games.chars().count();
            if begin > taken || taken == margin + 1 {
                games += &format!("{:1$}{name}", "", begin - taken);
            }
        }
        let axis = [axis, games].map(|text| vec![(Tint::Faint, text)]);
        [title].into_iter().chain(body).chain(axis).collect()
    }
}

/// A field of small dots, two by four to a character.
struct Dots {
    cells: Vec<Vec<u8>>,
}

impl Dots {
    fn new(columns: usize, rows: usize) -> Dots {
        Dots { cells: vec![vec![0; columns]; rows] }
    }

    /// A line from one place to another, dots to the right and downwards.
    fn line(&mut self, from: (f64, f64), to: (f64, f64)) {
        // The bits of Unicode's Braille patterns, by column and row.
        const BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
        let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).ceil().max(1.0);
        for step in 0..=steps as usize {
            let way = |from: f64, to: f64| (from + (to - from) * step as f64 / steps).round() as usize;
            let (x, y) = (way(from.0, to.0), way(from.1, to.1));
            if let Some(cell) = self.cells.get_mut(y / 4).and_then(|row| row.get_mut(x / 2)) {
                *cell |= BITS[x % 2][y % 4];
            }
        }
    }

    fn rows(&self) -> impl Iterator<Item = String> {
        let dots = |&cell: &u8| if cell == 0 { ' ' } else { char::from_u32(0x2800 + u32::from(cell)).unwrap_or(' ') };
        self.cells.iter().map(move |row| row.iter().map(dots).collect::<String>().trim_end().to_owned())
    }
}

impl Terminal {
    fn write(self, text: &[(Tint, String)]) -> String {
        let paint = |(tint, text): &(Tint, String)| {
            let text: String = if self.unicode { text.clone() } else { text.chars().map(ascii).collect() };
            let colour = match tint {
                _ if !self.colours || text.is_empty() => return text,
                Tint::Plain => return text,
                Tint::Strong => 1,
                Tint::Faint => 2,
                Tint::Good => 32,
                Tint::Waiting => 33,
                Tint::Curve => 36,
            };
            format!("\x1b[{colour}m{text}\x1b[0m")
        };
        text.iter().map(paint).collect()
    }
}

/// What stands for one of our signs where there is only ASCII.
fn ascii(sign: char) -> char {
    match sign {
        '▁' => '_',
        '▂' => '.',
        '▃' => ':',
        '▄' => '-',
        '▅' => '=',
        '▆' => '+',
        '▇' => '*',
        '█' => '#',
        '░' => '.',
        '│' | '┤' => '|',
        '└' => '+',
        '─' | '\u{2212}' => '-',
        '\u{2801}'..='\u{28ff}' => '*',
        other => other,
    }
}

fn plain(text: String) -> (Tint, String) {
    (Tint::Plain, text)
}

/// A share in percent, as exact as it is of interest.
fn share(share: f64) -> String {
    if share < 0.0995 { Unit::Share.value(share) } else { format!("{:.0} %", 100.0 * share) }
}

/// The least and the greatest of the values that are numbers.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

/// A text in lines of so many columns, broken between words; a word that is longer than that is broken in itself.
fn wrapped(text: &[(Tint, String)], columns: usize) -> Vec<Text> {
    let mut lines = vec![Text::new()];
    let mut taken = 0;
    for (tint, piece) in text {
        for word in piece.split_inclusive(' ') {
            if taken > 0 && taken + word.trim_end().chars().count() > columns {
                lines.push(Text::new());
                taken = 0;
            }
            let letters: Vec<char> = word.chars().collect();
            for (number, part) in letters.chunks(columns).enumerate() {
                if number > 0 {
                    lines.push(Text::new());
                    taken = 0;
                }
                taken += part.len();
                let line = lines.len() - 1;
                match lines[line].last_mut() {
                    Some((last, text)) if last == tint => text.extend(part),
                    _ => lines[line].push((*tint, part.iter().collect())),
                }
            }
        }
    }
    for (_, text) in lines.iter_mut().filter_map(|line| line.last_mut()) {
        text.truncate(text.trim_end().len());
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use mahbusa_train::Kept;

    use super::*;

    const SCREEN: Terminal = Terminal { columns: 80, rows: 24, unicode: true, colours: false };
    const RESUME: &str = "mahbusa resume runs/quick";

    fn line(games: u64, points: Option<f64>) -> Line {
        let share = games as f64 / 10_000.0;
        let strength = points.map_or("null".to_owned(), |mean| {
            let estimate = |mean: f64| format!(r#"{{"mean":{mean},"low":{},"high":{}}}"#, mean - 0.0625, mean + 0.0625);
            let rates = "win_single win_mars win_mother draw lose_single lose_mars lose_mother";
            let rates: Vec<_> = rates.split(' ').map(|name| format!("\"{name}\":0.125")).collect();
            format!(
                r#"{{"heuristic":{{"games":2000,"points_per_game":{},"win_rate":{},"rates":{{{}}},"plies":92.5}}}}"#,
                estimate(mean),
                estimate(0.75),
                rates.join(",")
            )
        });
        let text = format!(
            r#"{{"games":{games},"seconds":{},"games_per_second":400.0,"loss":{},"learning_rate":{},"plies":93.42,
            "mother":0.045,"mars":0.372,"draw":0.0006,"first_mover":0.527,"strength":{strength}}}"#,
            games as f64 / 400.0,
            0.75 + 0.5 * (1.0 - share).powi(2),
            0.001 * (1.0 - 0.99 * share),
        );
        Line { span: 1000, ..serde_json::from_str(&text).unwrap() }
    }

    fn seen(state: State, lines: Vec<Line>) -> Seen {
        let run = Run {
            name: "runs/quick".to_owned(),
            folder: PathBuf::from("runs/quick"),
            config: vec![
                ("train.games".to_owned(), "10000".to_owned()),
                ("evaluation.every".to_owned(), "2000".to_owned()),
            ],
            manifest: Vec::new(),
            complete: state == State::Complete,
            running: state == State::Running,
            verdict: None,
            kept: Kept::default(),
            openings: None,
            lines,
        };
        let standing = Standing {
            path: run.folder.clone(),
            state,
            rules: Some("mahbusa".to_owned()),
            net: Some("128 squared and 32 rectified hidden units".to_owned()),
            layers: Some("128 + 32".to_owned()),
            games: run.games(),
            of: Some(10_000),
            strength: None,
            bytes: 0,
        };
        Seen { run, standing, saved: None }
    }

    /// Eight thousand games of ten, measured every two thousand.
    fn midway(state: State) -> Seen {
        let strength = |games: u64| games.is_multiple_of(2000).then(|| 1.125 - 4.0 / (games as f64 / 500.0));
        let lines = (1..=8).map(|thousand| line(1000 * thousand, strength(1000 * thousand))).collect();
        Seen { saved: Some((8000, Duration::from_secs(12))), ..seen(state, lines) }
    }

    fn drawn(seen: &Seen, screen: Terminal) -> String {
        let lines = seen.draw(screen, RESUME);
        assert!(
            lines.len() < screen.rows && lines.iter().all(|line| line.chars().count() <= screen.columns),
            "{lines:#?}"
        );
        lines.join("\n")
    }

    #[test]
    fn a_run_that_has_learnt_nothing_yet_says_when_it_will_be_measured() {
        assert_eq!(
            drawn(&seen(State::Running, Vec::new()), SCREEN),
            "\
runs/quick: mahbusa, 128 squared and 32 rectified hidden units, running
░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  0 of 10,000 games

Strength is not measured before 2,000 games."
        );
    }

    #[test]
    fn one_measurement_is_its_interval() {
        let one = seen(State::Running, vec![line(1000, None), line(2000, Some(0.125))]);
        assert_eq!(
            drawn(&one, Terminal { rows: 18, ..SCREEN }),
            "\
runs/quick: mahbusa, 128 squared and 32 rectified hidden units, running
███████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  2,000 of 10,000 games, 400/s, 20 s left

Points a game against heuristic
     │                                                                         ⢸
+0.15┤                                                                         ⢸
     │                                                                         ⢸
+0.10┤                                                                         ⢸
     │                                                                         ⢸
     └──────────────────────────────────────────────────────────────────────────
      0                500              1000               1500             2000
After 2,000 games +0.125 a game [95 %: +0.062 to +0.188], wins 75.0 %

loss    1.1550 █▁ 1.0700
rate    9.01e-4 █▁ 8.02e-4
ends    single 58 %, mars 37 %, mother 4.5 %, draw 0.1 %
games   93.4 turns, the first mover wins 52.7 %"
        );
    }

    #[test]
    fn a_run_halfway_shows_everything() {
        assert_eq!(
            drawn(&midway(State::Running), SCREEN),
            "\
runs/quick: mahbusa, 128 squared and 32 rectified hidden units, running
████████████████████████████████░░░░░░░░  8,000 of 10,000 games, 400/s, 5 s left

Points a game against heuristic
    │                                                                        ⢀⣀⣸
+0.8┤                                                       ⣀⣀⣀⡠⠤⠤⠤⠤⠒⠒⠒⠒⠊⠉⠉⠉⠉⠁ ⠸
    │                                             ⢀⣀⣀⠤⠤⠔⠒⠊⠉⠉
    │                                     ⢀⡠⠤⠤⠒⠒⠉⠉⠁
+0.6┤                                  ⣀⠤⠊⠁
    │                               ⣀⠔⠊
+0.4┤                            ⡠⠔⠉
    │                        ⢀⡠⠔⠉
+0.2┤                     ⢀⡠⠒⠁
    │                  ⢀⠤⠊⠁
    └───────────────────────────────────────────────────────────────────────────
     0               2000               4000              6000              8000
After 8,000 games +0.875 a game [95 %: +0.812 to +0.938], wins 75.0 %

loss    1.1550 █▆▅▄▃▂▁▁ 0.7700
rate    9.01e-4 █▇▇▆▅▄▃▁ 2.08e-4
ends    single 58 %, mars 37 %, mother 4.5 %, draw 0.1 %
games   93.4 turns, the first mover wins 52.7 %
saved   after 8,000 games, 12 s ago"
        );
    }

    #[test]
    fn a_narrow_terminal_without_unicode_gets_what_fits() {
        let ascii = Terminal { columns: 40, rows: 20, unicode: false, ..SCREEN };
        assert_eq!(
            drawn(&midway(State::Running), ascii),
            "\
runs/quick: mahbusa, 128 squared and 32
rectified hidden units, running
################################........
8,000 of 10,000 games, 400/s, 5 s left
Points a game against heuristic
    |                    ***************
+0.5|             *******
    |        ******
    +-----------------------------------
     0                  5000
After 8,000 games +0.875 a game [95 %:
+0.812 to +0.938], wins 75.0 %
loss    1.1550 #+=-:.__ 0.7700
rate    9.01e-4 #**+=-:_ 2.08e-4
ends    single 58 %, mars 37 %, mother
4.5 %, draw 0.1 %
games   93.4 turns, the first mover wins
52.7 %
saved   after 8,000 games, 12 s ago"
        );
        assert!(drawn(&midway(State::Running), ascii).is_ascii());
    }

    #[test]
    fn who_stops_is_told_how_to_go_on_and_what_is_lost() {
        let mut run = midway(State::Paused);
        assert!(drawn(&run, SCREEN).ends_with("Go on with\n  mahbusa resume runs/quick"));
        assert!(drawn(&run, SCREEN).contains("hidden units, paused\n"));
        run.standing.games = 6000;
        run.standing.state = State::Stopped;
        let text = drawn(&run, SCREEN);
        assert!(text.contains("hidden units, stopped\n") && text.contains("its last 2,000 games"), "{text}");
    }

    #[test]
    fn every_size_is_filled_and_none_overrun() {
        let wild = |line: Line| Line { loss: Some(1e9), learning_rate: Some(0.0), mother: None, ..line };
        let mut run = midway(State::Paused);
        run.run.lines.extend((9..=10).map(|thousand| wild(line(1000 * thousand, Some(1e12)))));
        for (columns, rows) in [(1, 1), (20, 10), (33, 24), (40, 20), (80, 24), (150, 50), (500, 200)] {
            let text = drawn(&run, Terminal { columns: columns.max(20), rows, ..SCREEN });
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        }
    }

    #[test]
    fn colours_change_no_letter() {
        let screen = Terminal { colours: true, ..SCREEN };
        let painted = midway(State::Running).draw(screen, RESUME).join("\n");
        let mut letters = String::new();
        for (number, piece) in painted.split('\x1b').enumerate() {
            letters += if number == 0 { piece } else { piece.split_once('m').unwrap().1 };
        }
        assert_eq!(letters, drawn(&midway(State::Running), SCREEN));
    }
}
