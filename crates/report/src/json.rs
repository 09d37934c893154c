//! A report as numbers, for programs: those behind the page.

use serde_json::{Map, Value, json};

use crate::chart::{Curve, Point};
use crate::measure::Measure;
use crate::{Openings, Report, Run};

impl Report {
    /// What the page is drawn from: how each run stands, and for each measure the curves. `docs/formats.md` describes it.
    pub fn json(&self) -> Value {
        let charts: Map<String, Value> =
            Measure::ALL.map(|measure| (measure.name().to_owned(), self.curves(measure))).into_iter().collect();
        json!({"runs": self.runs.iter().map(run).collect::<Vec<_>>(), "charts": charts})
    }

    fn curves(&self, measure: Measure) -> Value {
        let chart = self.chart(measure);
        let curve = |Curve { name, points, apart, .. }: &Curve| {
            json!({
                "run": name,
                "points": points.iter().map(point).collect::<Vec<_>>(),
                "closing": apart.as_ref().map(point),
            })
        };
        json!({
            "title": chart.title,
            "over": chart.x.name(),
            "unit": chart.y.name(),
            "curves": chart.curves.iter().map(curve).collect::<Vec<_>>(),
        })
    }
}

fn run(run: &Run) -> Value {
    let measurements: Vec<Value> = run
        .measured()
        .map(|(line, strength)| json!({"games": line.games, "seconds": line.seconds, "strength": strength}))
        .collect();
    let texts = |pairs: &[(String, String)]| -> Map<String, Value> {
        pairs.iter().map(|(key, value)| (key.clone(), value.trim_matches('"').into())).collect()
    };
    json!({
        "name": run.name,
        "folder": run.folder,
        "complete": run.complete,
        "running": run.running,
        "games": run.games(),
        "of": run.total(),
        "seconds": run.seconds(),
        "seconds_left": run.seconds_left(),
        "best": run.best(),
        "strength": run.strength(),
        "measurements": measurements,
        "kept": {"nets": run.kept.nets, "checkpoints": run.kept.checkpoints},
        "openings": run.openings.as_ref().map(openings),
        "config": texts(&run.config),
        "manifest": texts(&run.manifest),
    })
}

fn openings(openings: &Openings) -> Value {
    let plays: Vec<Value> = openings
        .plays
        .iter()
        .map(|opening| {
            let next = opening.next.as_ref().map(|(play, less)| json!({"play": play, "less": less}));
            json!({"roll": opening.roll.to_string(), "play": opening.play, "equity": opening.equity, "next": next})
        })
        .collect();
    json!({"games": openings.games, "equity": openings.equity, "plays": plays})
}

/// A value over games or seconds; what is not known is null.
fn point(point: &Point) -> Value {
    let (low, high) = point.interval.unzip();
    json!({"x": point.x, "y": point.y, "low": low, "high": high})
}
