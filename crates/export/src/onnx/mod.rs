//! A net as an ONNX model that takes the raw board: encoding, layers and the outcomes that are ruled out are all in the graph.

mod graph;
mod inputs;
#[cfg(test)]
mod interpreter;
mod proto;

use mahbusa_net::encoding;
use mahbusa_net::{Activation, OUTCOMES, Shape, Weights};
use prost::Message;

use crate::ExportNet;
use graph::{Graph, Rows, Value};
use inputs::RawBoard;
use proto::{ModelProto, OperatorSetIdProto, StringStringEntryProto};

/// The version of ONNX operators that the model uses.
pub const OPSET: i64 = 13;

/// The version of the file format that came with that.
const IR_VERSION: i64 = 7;

/// The names of the inputs, in order.
pub const INPUTS: [&str; 3] = ["points", "pins", "off"];

/// The names of the outputs, in order.
pub const OUTPUTS: [&str; 2] = ["outcomes", "equity"];

/// What is taken from the logits of outcomes that the board rules out: no sum of a trained net comes near, and half precision holds it.
const RULED_OUT: f32 = 10_000.0;

/// The bytes of `model.onnx`, always the same for the same net; the version of the program is not in them.
///
/// Inputs, all float32: `points` `[N, 24]`, `pins` `[N, 24]`, `off` `[N, 2]`; outputs: `outcomes` `[N, 5]`, `equity` `[N]`.
pub fn model(net: &ExportNet) -> Vec<u8> {
    let mut graph = Graph::new("mahbusa");
    let board = RawBoard {
        points: graph.input("points", &[24], "free checkers, mine positive, theirs negative; index 0 is my 1-point"),
        pins: graph.input("pins", &[24], "1 where a checker of mine is trapped, -1 where one of theirs is"),
        off: graph.input("off", &[2], "checkers borne off, mine and theirs"),
    };
    let encoded = inputs::encode(&mut graph, &board);
    let logits = layers(&mut graph, &net.file.weights, &encoded.features);
    let penalty = ruled_out(&mut graph, &board.off, &encoded.draw);
    let logits = graph.add("possible_logits", &logits, &penalty);
    let outcomes = graph.softmax("outcomes", &logits, 1);
    let worth = graph.constant("worth", &[OUTCOMES], &[-2.0, -1.0, 0.0, 1.0, 2.0]);
    let worth = graph.mul("outcomes.points", &outcomes, &worth);
    let equity = graph.sum_away("equity", &worth, 1);
    graph.output(&outcomes, &[OUTCOMES], "probabilities of lose 2, lose 1, draw, win 1, win 2 for the side to roll");
    graph.output(&equity, &[], "expected points of the side to roll");
    ModelProto {
        ir_version: IR_VERSION,
        producer_name: "mahbusa".to_owned(),
        doc_string: net.describe(),
        graph: Some(graph.finish()),
        opset_import: vec![OperatorSetIdProto { domain: String::new(), version: OPSET }],
        metadata_props: net
            .metadata()
            .into_iter()
            .map(|(key, value)| StringStringEntryProto { key: key.to_owned(), value })
            .collect(),
    }
    .encode_to_vec()
}

/// `[N, 5]`: the logits.
fn layers(graph: &mut Graph, weights: &Weights, features: &Value) -> Value {
    let Weights { shape: Shape { hidden, activation, second }, w1, b1, w2, b2, w3, b3 } = weights;
    let w1 = graph.constant("w1", &[encoding::INPUTS, *hidden], w1);
    let b1 = graph.constant("b1", &[*hidden], b1);
    let mut units = graph.layer("hidden.sums", features, (&w1, Rows::Inputs), &b1);
    units = graph.relu("hidden.rectified", &units);
    if *activation == Activation::Squared {
        units = graph.mul("hidden.squared", &units, &units);
    }
    if *second > 0 {
        let w2 = graph.constant("w2", &[*second, *hidden], w2);
        let b2 = graph.constant("b2", &[*second], b2);
        let sums = graph.layer("second.sums", &units, (&w2, Rows::Outputs), &b2);
        units = graph.relu("second.rectified", &sums);
    }
    let w3 = graph.constant("w3", &[OUTCOMES, weights.shape.last()], w3);
    let b3 = graph.constant("b3", &[OUTCOMES], b3);
    graph.layer("logits", &units, (&w3, Rows::Outputs), &b3)
}

/// `[N, 5]`: 0 for outcomes that are possible, far below it for those that are not: lose 2 once I have borne off a checker, win 2 once they have,
/// and a draw unless each side still has one on its own start.
fn ruled_out(graph: &mut Graph, off: &Value, draw: &Value) -> Value {
    let one = graph.constant("outcomes.one", &[], &[1.0]);
    let none_off = graph.sub("outcomes.none_off", &one, off);
    let none_off = graph.relu("outcomes.mars_possible", &none_off);
    let possible = graph.concat("outcomes.conditions", &[&none_off, draw], 1);
    // Conditions: I have borne off none, they have borne off none, a draw is possible.
    let mut matrix = [[0.0; OUTCOMES]; 3];
    let mut biases = [0.0; OUTCOMES];
    for (condition, outcome) in [0, 4, 2].into_iter().enumerate() {
        matrix[condition][outcome] = RULED_OUT;
        biases[outcome] = -RULED_OUT;
    }
    let matrix = graph.constant("outcomes.matrix", &[3, OUTCOMES], &matrix.concat());
    let biases = graph.constant("outcomes.biases", &[OUTCOMES], &biases);
    graph.layer("outcomes.penalty", &possible, (&matrix, Rows::Inputs), &biases)
}

#[cfg(test)]
mod tests {
    use super::interpreter::{Tensor, run};
    use super::*;
    use crate::{RawBoard, golden};
    use mahbusa_net::NetFile;
    use mahbusa_net::encoding::{Active, encode};
    use mahbusa_rules::{Board, Position, Rules};

    fn net(rules: Rules, shape: Shape) -> ExportNet {
        let mut weights = Weights::random(shape, 1);
        // Outcomes that differ.
        weights.w3.iter_mut().for_each(|weight| *weight *= 4.0);
        ExportNet { file: NetFile { rules, games: 0, weights }, licence: "CC0-1.0".to_owned() }
    }

    /// Every fifth of the golden positions and the afterstates of their plays.
    fn boards(net: &NetFile) -> Vec<Board> {
        let golden = golden::draw(net);
        let plays = golden.iter().flat_map(|one| one.plays.iter().flatten()).filter(|play| play.points.is_none());
        let texts = golden.iter().map(|one| &one.position).chain(plays.map(|play| &play.position));
        texts.step_by(5).map(|text| text.parse::<Position>().unwrap().board).collect()
    }

    fn inputs(boards: &[Board]) -> [(&'static str, Tensor); 3] {
        let raw: Vec<RawBoard> = boards.iter().map(RawBoard::from).collect();
        let tensor = |width: usize, numbers: Vec<f32>| Tensor { axes: vec![boards.len(), width], numbers };
        let points = raw.iter().flat_map(|board| board.points).map(f32::from).collect();
        let pins = raw.iter().flat_map(|board| board.pins).map(f32::from).collect();
        let off = raw.iter().flat_map(|board| board.off).map(f32::from).collect();
        [("points", tensor(24, points)), ("pins", tensor(24, pins)), ("off", tensor(2, off))]
    }

    #[test]
    fn the_graph_computes_what_the_evaluator_does() {
        for (rules, activation, second) in [
            (Rules::MAHBUSA, Activation::Squared, 16),
            (Rules::TAPA, Activation::Rectified, 0),
            (Rules::TAPA.with_checkers(3).unwrap(), Activation::Squared, 0),
        ] {
            let net = net(rules, Shape { hidden: 16, activation, second });
            let boards = boards(&net.file);
            let model = ModelProto::decode(&*model(&net)).unwrap();
            let values = run(model.graph.as_ref().unwrap(), &inputs(&boards));
            for (name, axes) in [("features", vec![encoding::INPUTS]), ("outcomes", vec![OUTCOMES]), ("equity", vec![])]
            {
                assert_eq!(values[name].axes, [vec![boards.len()], axes].concat(), "{name}");
            }
            let features = values["features"].numbers.chunks_exact(encoding::INPUTS);
            let outcomes = values["outcomes"].numbers.chunks_exact(OUTCOMES);
            let equities = &values["equity"].numbers;
            for (((board, features), outcomes), equity) in boards.iter().zip(features).zip(outcomes).zip(equities) {
                let mut active = Vec::new();
                encode(board, &mut active);
                let found: Vec<Active> = (0..)
                    .zip(features)
                    .filter(|&(_, &value)| value != 0.0)
                    .map(|(index, &value)| Active { index, value })
                    .collect();
                assert_eq!(found, active, "{board:?}");
                let expected = net.file.weights.evaluate_plainly(board);
                for (found, expected) in outcomes.iter().zip(expected.probabilities()) {
                    assert!((found - expected).abs() < 1e-5, "{outcomes:?} instead of {expected:?}");
                    // What is ruled out is so exactly.
                    assert_eq!(*found == 0.0, *expected == 0.0);
                }
                assert!((equity - expected.equity()).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn equal_nets_make_equal_files_and_the_metadata_say_which_net_it_is() {
        let net = net(Rules::TAPA, Shape::of(16));
        assert_eq!(model(&net), model(&net));
        let model = ModelProto::decode(&*model(&net)).unwrap();
        assert_eq!(model.opset_import[0].version, OPSET);
        let metadata: Vec<_> =
            model.metadata_props.iter().map(|entry| (entry.key.as_str(), entry.value.clone())).collect();
        assert_eq!(metadata, net.metadata());
        assert!(metadata.contains(&("rules", "tapa".to_owned())) && metadata.contains(&("sha256", net.file.hash())));
    }
}
