use std::io::Write;

use serde_json::{Value, json};

use crate::args::PerftArgs;
use crate::failure::Failure;

/// `mahbusa perft`.
pub fn perft(args: &PerftArgs) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let counts = mahbusa_rules::perft(args.rules).take(args.depth as usize);
    if args.json {
        let depths: Vec<Value> =
            counts.map(|c| json!({"depth": c.depth, "nodes": c.nodes, "distinct": c.distinct})).collect();
        writeln!(out, "{}", json!({"rules": args.rules.to_string(), "depths": depths}))?;
    } else {
        writeln!(out, "{:>5} {:>20} {:>16}", "depth", "nodes", "distinct")?;
        for count in counts {
            writeln!(out, "{:>5} {:>20} {:>16}", count.depth, count.nodes, count.distinct)?;
        }
    }
    Ok(())
}
