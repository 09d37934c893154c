use std::io::Write;

use mahbusa_rules::Perft;
use serde::Serialize;

use crate::args::PerftArgs;
use crate::failure::Failure;

#[derive(Serialize)]
struct Counts {
    rules: String,
    depths: Vec<Depth>,
}

#[derive(Serialize)]
struct Depth {
    depth: u32,
    nodes: u64,
    distinct: u64,
}

impl From<Perft> for Depth {
    fn from(Perft { depth, nodes, distinct }: Perft) -> Depth {
        Depth { depth, nodes, distinct }
    }
}

/// `mahbusa perft`.
pub fn perft(args: &PerftArgs) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let counts = mahbusa_rules::perft(args.rules).take(args.depth as usize);
    if args.answer.json {
        let counts = Counts { rules: args.rules.to_string(), depths: counts.map(Depth::from).collect() };
        writeln!(out, "{}", serde_json::to_string(&counts)?)?;
    } else {
        writeln!(out, "{:>5} {:>20} {:>16}", "depth", "nodes", "distinct")?;
        for count in counts {
            writeln!(out, "{:>5} {:>20} {:>16}", count.depth, count.nodes, count.distinct)?;
        }
    }
    Ok(())
}
