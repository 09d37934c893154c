//! Runs a graph in the plainest way, for tests: what each operator means by the specification of ONNX, for what our graphs use of it.

use std::collections::HashMap;

use super::proto::{AttributeProto, FLOAT, GraphProto, NodeProto, TensorProto};

/// Numbers with their axes, the last being the fastest; indices are numbers too.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tensor {
    pub axes: Vec<usize>,
    pub numbers: Vec<f32>,
}

/// All results of a graph by name.
pub(super) fn run(graph: &GraphProto, inputs: &[(&str, Tensor)]) -> HashMap<String, Tensor> {
    let mut values: HashMap<String, Tensor> =
        graph.initializer.iter().map(|constant| (constant.name.clone(), read(constant))).collect();
    values.extend(inputs.iter().map(|(name, tensor)| ((*name).to_owned(), tensor.clone())));
    for node in &graph.node {
        let inputs: Vec<&Tensor> = node.input.iter().map(|name| &values[name]).collect();
        let result = operate(node, &inputs);
        assert!(values.insert(node.output[0].clone(), result).is_none(), "{} is computed twice", node.name);
    }
    values
}

fn read(constant: &TensorProto) -> Tensor {
    let numbers: Vec<f32> = if constant.data_type == FLOAT {
        constant.raw_data.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    } else {
        constant.raw_data.as_chunks::<8>().0.iter().map(|bytes| i64::from_le_bytes(*bytes) as f32).collect()
    };
    let axes: Vec<usize> = constant.dims.iter().map(|&axis| axis as usize).collect();
    assert_eq!(numbers.len(), axes.iter().product::<usize>(), "{}", constant.name);
    Tensor { axes, numbers }
}

fn operate(node: &NodeProto, inputs: &[&Tensor]) -> Tensor {
    let setting =
        |name: &str| -> Option<&AttributeProto> { node.attribute.iter().find(|setting| setting.name == name) };
    let axis = |a: &Tensor| setting("axis").and_then(|setting| setting.i).unwrap() as usize % (a.axes.len() + 1);
    let a = inputs[0];
    let both = |f: fn(f32, f32) -> f32| inputs[1..].iter().fold(a.clone(), |a, b| broadcast(&a, b, f));
    let each = |f: fn(f32) -> f32| Tensor { axes: a.axes.clone(), numbers: a.numbers.iter().map(|&n| f(n)).collect() };
    let over = |f: fn(f32, f32) -> f32, from: f32, axis: usize| {
        let keep = setting("keepdims").unwrap().i == Some(1);
        reduce(a, axis, keep, |numbers| numbers.iter().copied().fold(from, f))
    };
    let listed = || setting("axes").unwrap().ints[0] as usize;
    match node.op_type.as_str() {
        "Add" => both(|a, b| a + b),
        "Sub" => both(|a, b| a - b),
        "Mul" => both(|a, b| a * b),
        "Div" => both(|a, b| a / b),
        "Min" => both(f32::min),
        "Max" => both(f32::max),
        "Abs" => each(f32::abs),
        "Neg" => each(|a| -a),
        "Relu" => each(|a| a.max(0.0)),
        "ReduceMax" => over(f32::max, f32::NEG_INFINITY, listed()),
        "ReduceMin" => over(f32::min, f32::INFINITY, listed()),
        "ReduceSum" => over(|a, b| a + b, 0.0, inputs[1].numbers[0] as usize),
        "MatMul" => matmul(a, inputs[1], false),
        "Gemm" => {
            let product = matmul(a, inputs[1], setting("transB").unwrap().i == Some(1));
            broadcast(&product, inputs[2], |a, b| a + b)
        }
        "Softmax" => {
            assert_eq!(axis(a), a.axes.len() - 1);
            let mut numbers = Vec::new();
            for row in a.numbers.chunks(a.axes[a.axes.len() - 1]) {
                let highest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let total: f32 = row.iter().map(|n| (n - highest).exp()).sum();
                numbers.extend(row.iter().map(|n| (n - highest).exp() / total));
            }
            Tensor { axes: a.axes.clone(), numbers }
        }
        "Reshape" => {
            let rest: f32 = inputs[1].numbers.iter().skip(1).product();
            let axes =
                inputs[1].numbers.iter().map(|&n| if n < 0.0 { a.numbers.len() / rest as usize } else { n as usize });
            Tensor { axes: axes.collect(), numbers: a.numbers.clone() }
        }
        "Concat" => {
            let axis = axis(a);
            let (outer, _, _) = around(a, axis);
            let mut numbers = Vec::new();
            for row in 0..outer {
                for part in inputs {
                    let length = part.numbers.len() / outer;
                    numbers.extend(&part.numbers[row * length..(row + 1) * length]);
                }
            }
            let mut axes = a.axes.clone();
            axes[axis] = inputs.iter().map(|part| part.axes[axis]).sum();
            Tensor { axes, numbers }
        }
        "Gather" => {
            let axis = axis(a);
            let (outer, length, inner) = around(a, axis);
            let mut numbers = Vec::new();
            for row in 0..outer {
                for &place in &inputs[1].numbers {
                    let first = (row * length + place as usize) * inner;
                    numbers.extend(&a.numbers[first..first + inner]);
                }
            }
            let axes = [&a.axes[..axis], &inputs[1].axes, &a.axes[axis + 1..]].concat();
            Tensor { axes, numbers }
        }
        other => panic!("no operator {other}"),
    }
}

/// How many numbers there are before, along and behind an axis.
fn around(a: &Tensor, axis: usize) -> (usize, usize, usize) {
    (a.axes[..axis].iter().product(), a.axes[axis], a.axes[axis + 1..].iter().product())
}

fn reduce(a: &Tensor, axis: usize, keep: bool, f: impl Fn(&[f32]) -> f32) -> Tensor {
    let (outer, length, inner) = around(a, axis);
    let mut numbers = Vec::new();
    for row in 0..outer {
        for column in 0..inner {
            let along: Vec<f32> = (0..length).map(|k| a.numbers[(row * length + k) * inner + column]).collect();
            numbers.push(f(&along));
        }
    }
    let mut axes = a.axes.clone();
    if keep {
        axes[axis] = 1;
    } else {
        axes.remove(axis);
    }
    Tensor { axes, numbers }
}

/// Axes are aligned at their ends; those of length 1, or missing, are stretched.
fn broadcast(a: &Tensor, b: &Tensor, f: fn(f32, f32) -> f32) -> Tensor {
    let count = a.axes.len().max(b.axes.len());
    let padded = |t: &Tensor| [vec![1; count - t.axes.len()], t.axes.clone()].concat();
    let (a_axes, b_axes) = (padded(a), padded(b));
    let axes: Vec<usize> = a_axes.iter().zip(&b_axes).map(|(&a, &b)| a.max(b)).collect();
    assert!(a_axes.iter().zip(&b_axes).all(|(&a, &b)| a == b || a == 1 || b == 1), "{a_axes:?} and {b_axes:?}");
    let numbers = (0..axes.iter().product()).map(|index| {
        let at = |of: &[usize]| {
            let (mut rest, mut place, mut stride) = (index, 0, 1);
            for k in (0..count).rev() {
                let along: usize = rest % axes[k];
                rest /= axes[k];
                place += if of[k] == 1 { 0 } else { along * stride };
                stride *= of[k];
            }
            place
        };
        f(a.numbers[at(&a_axes)], b.numbers[at(&b_axes)])
    });
    Tensor { numbers: numbers.collect(), axes }
}

/// The product over the last axis of `a` with a matrix.
fn matmul(a: &Tensor, matrix: &Tensor, transposed: bool) -> Tensor {
    let [rows, columns] = matrix.axes[..] else { panic!("expected a matrix") };
    let (inputs, outputs) = if transposed { (columns, rows) } else { (rows, columns) };
    let weight = |input: usize, output: usize| {
        matrix.numbers[if transposed { output * inputs + input } else { input * outputs + output }]
    };
    let mut numbers = Vec::new();
    for row in a.numbers.chunks_exact(inputs) {
        numbers.extend((0..outputs).map(|output| {
            row.iter().enumerate().filter(|(_, n)| **n != 0.0).map(|(input, n)| n * weight(input, output)).sum::<f32>()
        }));
    }
    let mut axes = a.axes.clone();
    axes[a.axes.len() - 1] = outputs;
    Tensor { axes, numbers }
}
