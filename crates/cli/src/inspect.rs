use std::io::Write;

use mahbusa_net::OUTCOMES;
use mahbusa_net::encoding::{ENCODING, INPUTS};
use serde_json::json;

use crate::args::InspectArgs;
use crate::failure::Failure;
use crate::model;

/// `mahbusa inspect`.
pub fn inspect(args: &InspectArgs) -> Result<(), Failure> {
    let net = model::load(&args.model)?;
    let weights = &net.weights;
    let mut out = std::io::stdout().lock();
    if args.answer.json {
        let json = json!({
            "rules": net.rules.to_string(),
            "encoding": ENCODING,
            "inputs": INPUTS,
            "hidden": weights.shape.hidden,
            "activation": weights.shape.activation,
            "second": weights.shape.second,
            "outputs": OUTCOMES,
            "parameters": weights.parameters(),
            "games": net.games,
            "bytes": net.to_bytes().len(),
            "sha256": net.hash(),
        });
        writeln!(out, "{json}")?;
    } else {
        writeln!(out, "rules       {}", net.rules)?;
        writeln!(out, "encoding    {ENCODING}")?;
        writeln!(out, "network     {INPUTS} inputs, {}, {OUTCOMES} outcomes", weights.shape)?;
        writeln!(out, "parameters  {}, {} bytes as a file", weights.parameters(), net.to_bytes().len())?;
        writeln!(out, "trained on  {} self-play games", net.games)?;
        writeln!(out, "sha256      {}", net.hash())?;
    }
    Ok(())
}
