//! A report as one page of HTML, which is well-formed XML too.

use std::fmt::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use mahbusa_arena::Estimate;
use serde_json::json;

use crate::chart::{Chart, Drawn, Size};
use crate::line::{Line, some_of};
use crate::measure::{MOST, Measure, outcomes};
use crate::openings::Opening;
use crate::scene::{Ink, RUN_COLOURS};
use crate::svg::{escape, inline, style_sheet};
use crate::unit::{Unit, duration, roughly, signed, thousands};
use crate::{MARK, Report, Run, board};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The sign of a moved checker, as boards have it.
const RING: &str = "<svg class=\"swatch\" viewBox=\"0 0 10 10\" aria-hidden=\"true\">\
     <circle class=\"f-white s-moved\" stroke-width=\"2\" cx=\"5\" cy=\"5\" r=\"4\"/></svg>";

/// What is left out of tables in a narrow window.
const LEFT_OUT: &str = "<p class=\"narrow\">A wider window shows more columns.</p>\n";

/// What stands over the title.
const OVER: &str = "<p class=\"over\">Mahbusa training report</p>\n";

/// How browsers load a page anew that is written again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refresh {
    /// Time after which they load it.
    pub every: Duration,
    /// When the page that they have should have been replaced long ago: from then on they leave it, and it says that the run may have stopped.
    pub until: SystemTime,
}

impl Report {
    /// A page that needs no other file and no network. Browsers load it anew as `refresh` says, if that is given: for runs that go on.
    pub fn page(&self, refresh: Option<Refresh>) -> String {
        let title = match self.runs.as_slice() {
            [run] => run.name.clone(),
            runs => format!("{} runs", runs.len()),
        };
        let refresh = refresh.map_or(String::new(), |Refresh { every, until }| {
            let until = until.duration_since(UNIX_EPOCH).unwrap_or_default();
            format!(" data-every=\"{}\" data-until=\"{}\"", every.as_secs(), until.as_secs())
        });
        let sections =
            [self.head(), self.strength(), self.course(), self.openings(), self.measurements(), self.settings()];
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"generator\" content=\"{MARK}\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{} - Mahbusa training report</title>\n\
             <style>\n{STYLE}{}</style>\n</head>\n<body{refresh}>\n{}<footer>Made by mahbusa {} out of the files of {}.</footer>\n\
             <script>//<![CDATA[\n{SCRIPT}//]]></script>\n</body>\n</html>\n",
            escape(&title),
            style_sheet(&Ink::all()),
            sections.concat(),
            env!("CARGO_PKG_VERSION"),
            if self.runs.len() == 1 { "the run folder" } else { "the run folders" },
        )
    }

    /// The title and how things stand.
    fn head(&self) -> String {
        match self.runs.as_slice() {
            [run] => {
                let tiles: String = tiles(run)
                    .into_iter()
                    .map(|(name, value, more)| {
                        format!(
                            "<div><dt>{name}</dt><dd class=\"value\">{}</dd><dd class=\"more\">{}</dd></div>\n",
                            escape(&value),
                            escape(&more)
                        )
                    })
                    .collect();
                format!(
                    "<header>\n{OVER}<h1>{}</h1>\n<p>{}</p>\n{}{}</header>\n<dl class=\"tiles\">\n{tiles}</dl>\n",
                    escape(&run.name),
                    escape(&format!("{}; {}", description(run), state(run))),
                    stale(run),
                    progress(run)
                )
            }
            runs => {
                let rows: String = runs.iter().enumerate().map(|(number, run)| summary(number, run)).collect();
                format!(
                    "<header>\n{OVER}<h1>{} runs</h1>\n<p>Every run has one colour on this page.</p>\n</header>\n<div class=\"sheet\"><table>\n\
                     <thead><tr><th>run</th><th class=\"text less\">net</th><th>games</th><th class=\"less\">time</th>\
                     <th>points a game against heuristic</th><th class=\"less\">wins</th><th class=\"less\">loss</th><th></th></tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n{LEFT_OUT}",
                    runs.len()
                )
            }
        }
    }

    fn strength(&self) -> String {
        let chart = self.chart(Measure::Strength);
        let (wide, narrow) =
            (drawn(&chart, Size::WIDE, "class=\"wide\""), drawn(&chart, Size::SMALL, "class=\"narrow\""));
        let about = Measure::Strength.about();
        format!(
            "<h2 id=\"strength\">{}</h2>\n<p>{about}</p>\n<figure>{wide}{narrow}</figure>\n",
            Measure::Strength.title()
        )
    }

    /// Everything else that changes over games.
    fn course(&self) -> String {
        let shown = Measure::ALL.into_iter().filter(|&measure| match measure {
            Measure::Strength => false,
            // Nothing to see in Tapa.
            Measure::Mother => {
                self.runs.iter().flat_map(|run| &run.lines).any(|line| line.mother.is_some_and(|share| share > 0.0))
            }
            _ => true,
        });
        let figures: String = shown
            .map(|measure| {
                format!(
                    "<figure><figcaption><h3>{}</h3><p>{}</p></figcaption>{}</figure>\n",
                    measure.title(),
                    measure.about(),
                    drawn(&self.chart(measure), Size::SMALL, "")
                )
            })
            .collect();
        let endings = match self.runs.as_slice() {
            [_] => self.endings(),
            _ => format!("</div>\n<h2 id=\"endings\">How games end</h2>\n<div class=\"charts\">\n{}", self.endings()),
        };
        let these = self.these("the run", "the runs");
        format!("<h2 id=\"course\">The course of {these}</h2>\n<div class=\"charts\">\n{figures}{endings}</div>\n")
    }

    /// How self-play games end, a chart for each run.
    fn endings(&self) -> String {
        let figure = |(number, run): (usize, &Run)| {
            let name = if self.runs.len() > 1 { named(number, run) } else { "How games end".to_owned() };
            let about = "Shares of the five outcomes for the side that moves first.";
            format!(
                "<figure><figcaption><h3>{name}</h3><p>{about}</p></figcaption>{}</figure>\n",
                drawn(&outcomes(run), Size::SMALL, "")
            )
        };
        self.runs.iter().enumerate().map(figure).collect()
    }

    /// The board after each opening play; runs that play the same share a board.
    fn openings(&self) -> String {
        let found: Vec<_> = self
            .runs
            .iter()
            .enumerate()
            .filter_map(|(number, run)| Some((number, run, run.openings.as_ref()?)))
            .collect();
        if found.is_empty() {
            return "<h2 id=\"openings\">Openings</h2>\n<p>There is no net yet.</p>\n".to_owned();
        }
        let worth: Vec<String> = found
            .iter()
            .map(|(number, run, openings)| {
                let name = if self.runs.len() > 1 { format!("{} ", named(*number, run)) } else { String::new() };
                format!("{name}{} after {} games", signed(openings.equity, 3), thousands(openings.games as f64))
            })
            .collect();
        let rolls = found.iter().map(|(_, _, openings)| openings.plays.len()).max().unwrap_or(0);
        let mut cards = String::new();
        for place in 0..rolls {
            let plays =
                found.iter().filter_map(|&(number, run, openings)| Some((number, run, openings.plays.get(place)?)));
            cards += &self.card(plays.collect());
        }
        format!(
            "<h2 id=\"openings\">Openings</h2>\n<p>What the best net plays with each opening roll, looking two plies ahead, and what it expects of it in points; \
             below it the next best play and what that loses. A ring {RING} marks the checkers that it moves. The side that moves is white, and goes from the upper right round to the lower right. \
             To have the first move is worth {}.</p>\n<div class=\"boards\">\n{cards}</div>\n",
            worth.join(", ")
        )
    }

    fn card(&self, plays: Vec<(usize, &Run, &Opening)>) -> String {
        // Plays that lead to the same board share a drawing.
        let mut groups: Vec<Vec<(usize, &Run, &Opening)>> = Vec::new();
        for entry in plays {
            match groups.iter_mut().find(|group| group.first().is_some_and(|first| first.2.board == entry.2.board)) {
                Some(group) => group.push(entry),
                None => groups.push(vec![entry]),
            }
        }
        let mut card = "<div class=\"card\">".to_owned();
        for same in &groups {
            let Some((_, _, first)) = same.first() else { continue };
            let roll = format!("{}-{}", first.roll.high(), first.roll.low());
            let (play, title) = (escape(&first.play), format!("{roll}: {}", first.play));
            let drawing = inline(&board::draw(&first.board, first.moved, &title), "");
            let _ = write!(card, "<h3><span>{roll}</span><span class=\"play\">{play}</span></h3>{drawing}");
            for (number, run, opening) in same {
                let name = if self.runs.len() > 1 { named(*number, run) } else { "equity".to_owned() };
                let _ = write!(card, "<div><span>{name}</span><span>{}</span></div>", signed(opening.equity, 3));
                if let Some((next, less)) = opening.next.as_ref().filter(|_| self.runs.len() == 1) {
                    let (next, less) = (escape(next), signed(-less, 3));
                    let _ = write!(card, "<div class=\"more\"><span>{next}</span><span>{less}</span></div>");
                }
            }
        }
        card + "</div>\n"
    }

    fn measurements(&self) -> String {
        let tables: String = self
            .runs
            .iter()
            .enumerate()
            .map(|(number, run)| {
                let table = nets(run);
                if self.runs.len() == 1 {
                    table
                } else {
                    format!("<details><summary>{}</summary>{table}</details>\n", named(number, run))
                }
            })
            .collect();
        format!(
            "<h2 id=\"measurements\">Measurements and checkpoints</h2>\n<p>Points a game with 95 % intervals; the strongest net is marked. What is kept as a net can be \
             named, such as <code>{}@GAMES</code>, in any command; a checkpoint is what <code>mahbusa resume</code> goes on from.</p>\n{LEFT_OUT}{tables}",
            escape(&self.runs.first().map_or(String::new(), |run| run.folder.display().to_string()))
        )
    }

    fn settings(&self) -> String {
        let configs: Vec<_> = self.runs.iter().map(|run| run.config.as_slice()).collect();
        let manifests: Vec<_> = self.runs.iter().map(|run| run.manifest.as_slice()).collect();
        let marked = if self.runs.len() > 1 { " What differs is marked." } else { "" };
        let names: String = match self.runs.as_slice() {
            [_] => String::new(),
            runs => {
                let names: String =
                    runs.iter().enumerate().map(|(number, run)| format!("<th>{}</th>", named(number, run))).collect();
                format!("<thead><tr><th></th>{names}</tr></thead>")
            }
        };
        let table = |values: &[&[(String, String)]]| {
            format!(
                "<div class=\"sheet\"><table class=\"texts\">{names}<tbody>\n{}</tbody></table></div>\n",
                settings(values)
            )
        };
        format!(
            "<h2 id=\"settings\">Settings</h2>\n<p>The resolved configuration, and what {} made with.{marked}</p>\n<div class=\"{}\">\n{}{}</div>\n",
            self.these("the run was", "the runs were"),
            self.these("pair", "several"),
            table(&configs),
            table(&manifests)
        )
    }

    fn these<'a>(&self, one: &'a str, several: &'a str) -> &'a str {
        if self.runs.len() == 1 { one } else { several }
    }
}

/// A chart as part of the page, with its values for who points at them.
fn drawn(chart: &Chart, size: Size, attributes: &str) -> String {
    let Drawn { scene, places } = chart.draw(size);
    let round = |value: f64| (10.0 * value).round() / 10.0;
    let named = places.len() > 1;
    let places: Vec<_> = places
        .iter()
        .filter(|places| !places.values.is_empty())
        .map(|places| {
            let values: Vec<_> =
                places.values.iter().map(|((x, y), over, value)| json!([round(*x), round(*y), over, value])).collect();
            json!({"name": if named { &places.name } else { "" }, "ink": places.ink.name(), "values": values})
        })
        .collect();
    if places.is_empty() {
        return inline(&scene, attributes);
    }
    // Between single quotes most of JSON can stay as it is.
    let json = json!(places).to_string().replace('&', "&amp;").replace('<', "&lt;").replace('\'', "&#39;");
    inline(&scene, &format!("{attributes} data-places='{json}'"))
}

/// The name of a run with its colour.
fn named(number: usize, run: &Run) -> String {
    let ink = Ink::Run((number % RUN_COLOURS) as u8).name();
    format!(
        "<svg class=\"swatch\" viewBox=\"0 0 10 10\" aria-hidden=\"true\"><circle class=\"f-{ink}\" cx=\"5\" cy=\"5\" r=\"5\"/></svg>{}",
        escape(&run.name)
    )
}

/// What is trained.
fn description(run: &Run) -> String {
    let rules = run.setting("rules").unwrap_or("mahbusa");
    let seed = run.setting("seed").map_or(String::new(), |seed| format!(", seed {seed}"));
    format!("{rules}, {}{seed}", net(run))
}

/// The net, in a few words.
fn net(run: &Run) -> String {
    let hidden = run.setting("net.hidden").unwrap_or("?");
    let activation = run.setting("net.activation").map_or(String::new(), |activation| format!(" {activation}"));
    match run.setting("net.second") {
        None | Some("0") => format!("{hidden}{activation} units"),
        Some(second) => format!("{hidden}{activation} + {second} units"),
    }
}

/// How far the run is.
fn state(run: &Run) -> String {
    match run.seconds_left() {
        _ if run.complete && run.running && run.verdict.is_none() => "measuring at the end".to_owned(),
        _ if run.complete => "complete".to_owned(),
        // What is left depends on when somebody goes on with it.
        _ if !run.running && run.is_saved() => "paused".to_owned(),
        _ if !run.running => "stopped".to_owned(),
        Some(left) => format!("about {} left", roughly(left)),
        None if run.games() == 0 => "just begun".to_owned(),
        None => "running".to_owned(),
    }
}

/// What is shown once the page should have been replaced long ago.
fn stale(run: &Run) -> String {
    if !run.running {
        return String::new();
    }
    format!(
        "<p class=\"stale\" hidden=\"hidden\">This page has not been written for a long time: the run may have stopped. \
         <code>mahbusa report {}</code> shows how it stands.</p>\n",
        escape(&run.folder.display().to_string())
    )
}

/// The share of the games that has been learnt, 0..=1.
fn share(run: &Run) -> Option<f64> {
    let total = run.total().filter(|&total| total > 0)?;
    Some((run.games() as f64 / total as f64).min(1.0))
}

fn progress(run: &Run) -> String {
    let share = share(run).filter(|_| !run.complete);
    share.map_or(String::new(), |share| {
        format!("<div class=\"progress\"><span style=\"width:{:.1}%\"></span></div>\n", 100.0 * share)
    })
}

/// Points with their interval, as markup.
fn points(estimate: &Estimate) -> String {
    let (mean, low, high) = (signed(estimate.mean, 3), signed(estimate.low, 3), signed(estimate.high, 3));
    format!("{mean} <span class=\"more\">[{low} .. {high}]</span>")
}

/// The figures that matter most: name, value, and more about it.
fn tiles(run: &Run) -> Vec<(&'static str, String, String)> {
    let mut tiles = Vec::new();
    if let Some(verdict) = run.strength() {
        let (points, rates) = (verdict.points_per_game, verdict.rates);
        // Without a break in it.
        let interval = format!("points a game, {}\u{a0}..\u{a0}{}", signed(points.low, 3), signed(points.high, 3));
        tiles.push(("against heuristic", signed(points.mean, 3), interval));
        let double = format!("{:.1} % of all games by two points", 100.0 * (rates.win_mars + rates.win_mother));
        tiles.push(("wins", Unit::Share.value(verdict.win_rate.mean), double));
    }
    if let Some(best) = run.best() {
        tiles.push(("best net", thousands(best as f64), "games learnt".to_owned()));
    }
    let of = run.total().map_or(String::new(), |total| format!("of {} games", thousands(total as f64)));
    let percent =
        share(run).filter(|_| !run.complete).map_or(String::new(), |share| format!(", {:.1} %", 100.0 * share));
    tiles.push(("learnt", thousands(run.games() as f64), format!("{of}{percent}")));
    if let Some(seconds) = run.seconds() {
        let speed = run.games() as f64 / seconds.max(1e-9);
        tiles.push(("time", duration(seconds), format!("{} games a second", thousands(speed))));
    }
    if let Some((last, loss)) = run.lines.last().and_then(|line| Some((line, line.loss?))) {
        let rate = last.learning_rate.map_or(String::new(), |rate| format!("nats; learning rate {rate:.1e}"));
        tiles.push(("loss", Unit::Nats.value(loss), rate));
    }
    tiles
}

/// The class of a cell that a narrow window leaves out, if it is one.
fn class(less: bool) -> &'static str {
    if less { " class=\"less\"" } else { "" }
}

/// The row of a run among others.
fn summary(number: usize, run: &Run) -> String {
    let missing = || "-".to_owned();
    let strength = run.strength();
    let cells = [
        thousands(run.games() as f64),
        run.seconds().map_or_else(missing, duration),
        strength.map_or_else(missing, |verdict| points(&verdict.points_per_game)),
        strength.map_or_else(missing, |verdict| Unit::Share.value(verdict.win_rate.mean)),
        run.lines.last().and_then(|line| line.loss).map_or_else(missing, |loss| Unit::Nats.value(loss)),
        state(run),
    ];
    let less = [false, true, false, true, true, false];
    let cells: String = cells.iter().zip(less).map(|(cell, less)| format!("<td{}>{cell}</td>", class(less))).collect();
    let net = escape(&description(run));
    format!("<tr><th>{}</th><td class=\"text less\">{net}</td>{cells}</tr>\n", named(number, run))
}

/// The table of measurements and of what was kept.
fn nets(run: &Run) -> String {
    let best = run.best();
    let kept = |games: &[u64], line: &Line| games.binary_search(&line.games).is_ok();
    let is_shown =
        |line: &&Line| line.strength.is_some() || kept(&run.kept.nets, line) || kept(&run.kept.checkpoints, line);
    let lines: Vec<&Line> = run.lines.iter().filter(is_shown).collect();
    // Of a very long run some, and the best one always.
    let shown: Vec<u64> = some_of(&lines, MOST).map(|line| line.games).collect();
    let is_wanted = |line: &&&Line| Some(line.games) == best || shown.binary_search(&line.games).is_ok();
    let rows: String = lines.iter().filter(is_wanted).map(|line| row(run, line, best)).collect();
    if rows.is_empty() {
        return "<p>Nothing yet.</p>\n".to_owned();
    }
    format!(
        "<div class=\"sheet\"><table>\n<thead><tr><th>games</th><th class=\"less\">time</th><th>against heuristic</th><th class=\"less\">wins</th>\
         <th>against the best so far</th><th class=\"less\">loss</th><th class=\"less\">learning rate</th><th>kept</th></tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n"
    )
}

fn row(run: &Run, line: &Line, best: Option<u64>) -> String {
    let cell = |value: Option<String>| format!("<td>{}</td>", value.unwrap_or_default());
    let less = |value: Option<String>| format!("<td{}>{}</td>", class(true), value.unwrap_or_default());
    let best = best == Some(line.games);
    let strength = line.strength.as_ref();
    let kept = [
        (best, "best"),
        (run.kept.nets.contains(&line.games), "net"),
        (run.kept.checkpoints.contains(&line.games), "checkpoint"),
    ];
    let kept: Vec<&str> = kept.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect();
    let cells = [
        cell(Some(thousands(line.games as f64))),
        less(line.seconds.map(duration)),
        cell(strength.map(|measured| points(&measured.heuristic.points_per_game))),
        less(strength.map(|measured| Unit::Share.value(measured.heuristic.win_rate.mean))),
        cell(strength.and_then(|measured| Some(points(&measured.best.as_ref()?.points_per_game)))),
        less(line.loss.map(|loss| Unit::Nats.value(loss))),
        less(line.learning_rate.map(|rate| Unit::Factor.value(rate))),
        cell(Some(kept.join(", "))),
    ];
    format!("<tr{}>{}</tr>\n", if best { " class=\"best\"" } else { "" }, cells.concat())
}

/// The rows of a table of settings, a column a run.
fn settings(runs: &[&[(String, String)]]) -> String {
    let mut keys: Vec<&str> = Vec::new();
    for (key, _) in runs.iter().copied().flatten() {
        if !keys.contains(&key.as_str()) {
            keys.push(key);
        }
    }
    let row = |key: &str| {
        let values: Vec<&str> = runs
            .iter()
            .map(|run| run.iter().find(|(name, _)| name == key).map_or("", |(_, value)| value.as_str()))
            .collect();
        let differs = values.iter().any(|value| *value != values[0]);
        // A hash is known by its beginning.
        let short = |value: &str| {
            if value.len() == 64 && !value.contains(' ') {
                format!("{}...", value.get(..12).unwrap_or_default())
            } else {
                value.to_owned()
            }
        };
        let cells: String =
            values.iter().map(|value| format!("<td><code>{}</code></td>", escape(&short(value)))).collect();
        format!(
            "<tr{}><td><code>{}</code></td>{cells}</tr>\n",
            if differs { " class=\"differs\"" } else { "" },
            escape(key)
        )
    };
    keys.into_iter().map(row).collect()
}
