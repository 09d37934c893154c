//! The weights alone, as a safetensors file: for other learners, and for programs that compute inputs and layers themselves.
//!
//! Tensors, all `F32`: `w1` `[379, hidden]`, `b1` `[hidden]`, with a second hidden layer `w2` `[second, hidden]` and `b2` `[second]`,
//! `w3` `[5, last]` and `b3` `[5]`. The metadata are those of [`ExportNet::metadata`].

use std::collections::{BTreeMap, HashMap};

use mahbusa_net::encoding::{ENCODING, INPUTS};
use mahbusa_net::{Activation, NetFile, OUTCOMES, Shape, Weights, WeightsError};
use safetensors::{Dtype, SafeTensorError, SafeTensors};
use serde_json::json;

use crate::ExportNet;

/// A file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TensorsError {
    /// It is no safetensors file, or damaged.
    #[error("damaged: {0}")]
    File(#[from] SafeTensorError),
    /// A tensor is missing, or not what it should be.
    #[error("damaged: tensor {name}: expected {expected}")]
    Tensor {
        /// Which tensor.
        name: &'static str,
        /// What was expected.
        expected: String,
    },
    /// The metadata lack something, or say something that cannot be.
    #[error("damaged: metadata, {key}: expected {expected}")]
    Metadata {
        /// Which entry.
        key: &'static str,
        /// What was expected.
        expected: String,
    },
    /// The numbers do not make a net.
    #[error("damaged: {0}")]
    Weights(#[from] WeightsError),
}

/// The bytes of `model.safetensors`, always the same for the same net.
pub fn write(net: &ExportNet) -> Vec<u8> {
    let Weights { shape, w1, b1, w2, b2, w3, b3 } = &net.file.weights;
    let Shape { hidden, second, .. } = *shape;
    let tensors = [
        ("w1", vec![INPUTS, hidden], w1),
        ("b1", vec![hidden], b1),
        ("w2", vec![second, hidden], w2),
        ("b2", vec![second], b2),
        ("w3", vec![OUTCOMES, shape.last()], w3),
        ("b3", vec![OUTCOMES], b3),
    ];
    // Our own header: that of the crate has its metadata in an order that changes from run to run.
    let metadata: BTreeMap<_, _> = net.metadata().into_iter().collect();
    let mut header = serde_json::Map::new();
    header.insert("__metadata__".to_owned(), json!(metadata));
    let mut data = Vec::new();
    for (name, shape, numbers) in tensors.into_iter().filter(|(_, _, numbers)| !numbers.is_empty()) {
        let start = data.len();
        data.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        let place = json!({"dtype": "F32", "shape": shape, "data_offsets": [start, data.len()]});
        header.insert(name.to_owned(), place);
    }
    let mut header = serde_json::Value::Object(header).to_string();
    // Spaces, so that the numbers begin at a multiple of eight.
    header.extend(std::iter::repeat_n(' ', header.len().next_multiple_of(8) - header.len()));
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &data].concat()
}

/// Reads what [`write()`] made, after checking all of it.
///
/// # Errors
/// When the bytes are no such file, or do not make a net of this program's encoding.
pub fn read(bytes: &[u8]) -> Result<ExportNet, TensorsError> {
    let file = SafeTensors::deserialize(bytes)?;
    let (_, header) = SafeTensors::read_metadata(bytes)?;
    let none = HashMap::new();
    let metadata = header.metadata().as_ref().unwrap_or(&none);
    let text = |key: &'static str, expected: &str| {
        metadata.get(key).ok_or_else(|| TensorsError::Metadata { key, expected: expected.to_owned() })
    };
    let wrong = |key: &'static str, expected: &str| TensorsError::Metadata { key, expected: expected.to_owned() };
    if text("encoding", ENCODING)? != ENCODING {
        return Err(wrong("encoding", ENCODING));
    }
    let activation = match text("activation", "`squared` or `rectified`")?.as_str() {
        "squared" => Activation::Squared,
        "rectified" => Activation::Rectified,
        _ => return Err(wrong("activation", "`squared` or `rectified`")),
    };
    let rules = text("rules", "rules")?.parse().map_err(|_| wrong("rules", "rules such as `mahbusa` or `tapa`"))?;
    let games = text("games", "a number")?.parse().map_err(|_| wrong("games", "a number of games"))?;
    let licence = text("licence", "the name of a licence")?.clone();

    let hidden = length(&file, "b1")?;
    let second = if file.tensor("b2").is_ok() { length(&file, "b2")? } else { 0 };
    let shape = Shape { hidden, activation, second };
    shape.check()?;
    let optional = |name, shape: &[usize]| if second > 0 { numbers(&file, name, shape) } else { Ok(Vec::new()) };
    let weights = Weights {
        shape,
        w1: numbers(&file, "w1", &[INPUTS, hidden])?,
        b1: numbers(&file, "b1", &[hidden])?,
        w2: optional("w2", &[second, hidden])?,
        b2: optional("b2", &[second])?,
        w3: numbers(&file, "w3", &[OUTCOMES, shape.last()])?,
        b3: numbers(&file, "b3", &[OUTCOMES])?,
    };
    weights.check()?;
    let net = ExportNet { file: NetFile { rules, games, weights }, licence };
    let hash = net.file.hash();
    if *text("sha256", &hash)? != hash {
        return Err(wrong("sha256", &hash));
    }
    Ok(net)
}

/// The length of a tensor of one axis.
fn length(file: &SafeTensors<'_>, name: &'static str) -> Result<usize, TensorsError> {
    match file.tensor(name)?.shape() {
        [length] => Ok(*length),
        _ => Err(TensorsError::Tensor { name, expected: "one axis".to_owned() }),
    }
}

fn numbers(file: &SafeTensors<'_>, name: &'static str, shape: &[usize]) -> Result<Vec<f32>, TensorsError> {
    let tensor = file.tensor(name)?;
    if tensor.dtype() != Dtype::F32 || tensor.shape() != shape {
        return Err(TensorsError::Tensor { name, expected: format!("F32 numbers in the shape {shape:?}") });
    }
    let (numbers, _) = tensor.data().as_chunks::<4>();
    Ok(numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_rules::Rules;

    fn net(second: usize) -> ExportNet {
        let weights = Weights::random(Shape { second, ..Shape::of(32) }, 1);
        ExportNet { file: NetFile { rules: Rules::TAPA, games: 42, weights }, licence: "CC0-1.0".to_owned() }
    }

    #[test]
    fn a_net_survives_its_file() {
        for second in [0, 16] {
            assert_eq!(read(&write(&net(second))).unwrap(), net(second));
        }
    }

    #[test]
    fn what_is_wrong_is_named_and_nothing_panics() {
        let bytes = write(&net(16));
        for i in (0..bytes.len()).step_by(if bytes.len() > 4000 { 61 } else { 1 }).chain(0..1200) {
            let mut changed = bytes.clone();
            changed[i] ^= 0x04;
            assert!(read(&changed).is_err() || i < 1200, "byte {i}");
            assert!(read(&bytes[..i]).is_err(), "cut at {i}");
        }
        let says = |from: &str, to: &str| {
            let text: Vec<u8> = {
                let at = bytes.windows(from.len()).position(|window| window == from.as_bytes()).unwrap();
                [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat()
            };
            read(&text).unwrap_err().to_string()
        };
        assert_eq!(says("pin-1", "pin-9"), "damaged: metadata, encoding: expected pin-1");
        assert_eq!(
            says("\"squared\"", "\"rounded\""),
            "damaged: metadata, activation: expected `squared` or `rectified`"
        );
        assert_eq!(
            says("\"tapa\"", "\"tipi\""),
            "damaged: metadata, rules: expected rules such as `mahbusa` or `tapa`"
        );
        assert!(says("\"games\":\"42\"", "\"games\":\"43\"").starts_with("damaged: metadata, sha256: expected "));
        assert!(says("[5,16]", "[16,5]").starts_with("damaged: tensor w3: expected F32 numbers in the shape [5, 16]"));
    }
}
