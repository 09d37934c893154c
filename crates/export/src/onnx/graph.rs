//! Builds a graph, an operation at a time: each gives its result a name, by which the next ones take it.

use super::proto::{
    AttributeProto, Dimension, DimensionProto, FLOAT, GraphProto, INT, INT64, INTS, NodeProto, TensorProto,
    TensorShapeProto, TensorTypeProto, TypeProto, ValueInfoProto,
};

/// A result of the graph, an input or a constant, by its name.
#[derive(Clone, Debug)]
pub(super) struct Value(String);

/// A graph in the making. The first axis of everything that is not constant is the batch; its length is not known.
///
/// Names of operations are those of their results. Constants are named by whoever makes them, so that a viewer says what they are.
pub(super) struct Graph(GraphProto);

/// The name of the length of the batch axis.
const BATCH: &str = "N";

impl Graph {
    pub fn new(name: &str) -> Graph {
        Graph(GraphProto { name: name.to_owned(), ..GraphProto::default() })
    }

    /// An input of `[N, axes...]`.
    pub fn input(&mut self, name: &str, axes: &[usize], says: &str) -> Value {
        self.0.input.push(batch_of(name, axes, says));
        Value(name.to_owned())
    }

    /// Makes a result of `[N, axes...]` an output.
    pub fn output(&mut self, value: &Value, axes: &[usize], says: &str) {
        self.0.output.push(batch_of(&value.0, axes, says));
    }

    pub fn finish(self) -> GraphProto {
        self.0
    }

    /// A constant.
    pub fn constant(&mut self, name: &str, axes: &[usize], numbers: &[f32]) -> Value {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.initializer(name, axes, FLOAT, bytes)
    }

    fn indices(&mut self, name: &str, axes: &[usize], numbers: &[usize]) -> Value {
        let numbers: Vec<i64> = numbers.iter().map(|&number| number as i64).collect();
        self.integers(name, axes, &numbers)
    }

    fn integers(&mut self, name: &str, axes: &[usize], numbers: &[i64]) -> Value {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.initializer(name, axes, INT64, bytes)
    }

    fn initializer(&mut self, name: &str, axes: &[usize], data_type: i32, raw_data: Vec<u8>) -> Value {
        let dims = axes.iter().map(|&axis| axis as i64).collect();
        self.0.initializer.push(TensorProto { dims, data_type, name: name.to_owned(), raw_data });
        Value(name.to_owned())
    }

    fn node(&mut self, op: &str, name: &str, inputs: &[&Value], attribute: Vec<AttributeProto>) -> Value {
        self.0.node.push(NodeProto {
            input: inputs.iter().map(|input| input.0.clone()).collect(),
            output: vec![name.to_owned()],
            name: name.to_owned(),
            op_type: op.to_owned(),
            attribute,
        });
        Value(name.to_owned())
    }

    /// `a + b`; as in all arithmetic here, axes of length 1 are stretched.
    pub fn add(&mut self, name: &str, a: &Value, b: &Value) -> Value {
        self.node("Add", name, &[a, b], Vec::new())
    }

    /// `a - b`.
    pub fn sub(&mut self, name: &str, a: &Value, b: &Value) -> Value {
        self.node("Sub", name, &[a, b], Vec::new())
    }

    /// `a * b`.
    pub fn mul(&mut self, name: &str, a: &Value, b: &Value) -> Value {
        self.node("Mul", name, &[a, b], Vec::new())
    }

    /// `a / b`.
    pub fn div(&mut self, name: &str, a: &Value, b: &Value) -> Value {
        self.node("Div", name, &[a, b], Vec::new())
    }

    /// The lowest of some values.
    pub fn min(&mut self, name: &str, of: &[&Value]) -> Value {
        self.node("Min", name, of, Vec::new())
    }

    /// The highest of some values.
    pub fn max(&mut self, name: &str, of: &[&Value]) -> Value {
        self.node("Max", name, of, Vec::new())
    }

    /// `max(a, 0)`.
    pub fn relu(&mut self, name: &str, a: &Value) -> Value {
        self.node("Relu", name, &[a], Vec::new())
    }

    /// `-a`.
    pub fn neg(&mut self, name: &str, a: &Value) -> Value {
        self.node("Neg", name, &[a], Vec::new())
    }

    /// `|a|`.
    pub fn abs(&mut self, name: &str, a: &Value) -> Value {
        self.node("Abs", name, &[a], Vec::new())
    }

    /// The matrix product over the last axis of `a`.
    pub fn matmul(&mut self, name: &str, a: &Value, matrix: &Value) -> Value {
        self.node("MatMul", name, &[a, matrix], Vec::new())
    }

    /// A layer: `a * weights + biases`, weights being `[inputs, outputs]`, or `[outputs, inputs]`.
    pub fn layer(&mut self, name: &str, a: &Value, weights: (&Value, Rows), biases: &Value) -> Value {
        let transposed = matches!(weights.1, Rows::Outputs);
        self.node("Gemm", name, &[a, weights.0, biases], vec![number("transB", i64::from(transposed))])
    }

    /// The softmax over an axis.
    pub fn softmax(&mut self, name: &str, a: &Value, axis: i64) -> Value {
        self.node("Softmax", name, &[a], vec![number("axis", axis)])
    }

    /// Values one after the other along an axis.
    pub fn concat(&mut self, name: &str, of: &[&Value], axis: i64) -> Value {
        self.node("Concat", name, of, vec![number("axis", axis)])
    }

    /// The same numbers as `[N, axes...]`.
    pub fn reshape(&mut self, name: &str, a: &Value, axes: &[usize]) -> Value {
        let shape: Vec<i64> = std::iter::once(-1).chain(axes.iter().map(|&axis| axis as i64)).collect();
        let shape = self.integers(&format!("{name}.shape"), &[shape.len()], &shape);
        self.node("Reshape", name, &[a, &shape], Vec::new())
    }

    /// The sum over an axis, which is kept with length 1.
    pub fn sum(&mut self, name: &str, a: &Value, axis: i64) -> Value {
        self.sum_and(name, a, axis, true)
    }

    /// The sum over an axis, which is gone.
    pub fn sum_away(&mut self, name: &str, a: &Value, axis: i64) -> Value {
        self.sum_and(name, a, axis, false)
    }

    fn sum_and(&mut self, name: &str, a: &Value, axis: i64, keep: bool) -> Value {
        let axes = self.integers(&format!("{name}.axis"), &[1], &[axis]);
        self.node("ReduceSum", name, &[a, &axes], vec![number("keepdims", i64::from(keep))])
    }

    /// The highest along an axis, which is kept with length 1.
    pub fn highest(&mut self, name: &str, a: &Value, axis: i64) -> Value {
        self.node("ReduceMax", name, &[a], vec![numbers("axes", &[axis]), number("keepdims", 1)])
    }

    /// The lowest along an axis, which is kept with length 1.
    pub fn lowest(&mut self, name: &str, a: &Value, axis: i64) -> Value {
        self.node("ReduceMin", name, &[a], vec![numbers("axes", &[axis]), number("keepdims", 1)])
    }

    /// What stands at these places of an axis, which becomes the axes of the table of places.
    pub fn take(&mut self, name: &str, a: &Value, axis: i64, axes: &[usize], places: &[usize]) -> Value {
        let places = self.indices(&format!("{name}.places"), axes, places);
        self.node("Gather", name, &[a, &places], vec![number("axis", axis)])
    }
}

/// What the rows of a matrix of weights are.
#[derive(Clone, Copy)]
pub(super) enum Rows {
    Inputs,
    Outputs,
}

fn number(name: &str, value: i64) -> AttributeProto {
    AttributeProto { name: name.to_owned(), i: Some(value), ints: Vec::new(), r#type: INT }
}

fn numbers(name: &str, values: &[i64]) -> AttributeProto {
    AttributeProto { name: name.to_owned(), i: None, ints: values.to_vec(), r#type: INTS }
}

fn batch_of(name: &str, axes: &[usize], says: &str) -> ValueInfoProto {
    let batch = Dimension::Param(BATCH.to_owned());
    let axes = axes.iter().map(|&axis| Dimension::Value(axis as i64));
    let dim = std::iter::once(batch).chain(axes).map(|value| DimensionProto { value: Some(value) }).collect();
    let tensor = TensorTypeProto { elem_type: FLOAT, shape: Some(TensorShapeProto { dim }) };
    ValueInfoProto {
        name: name.to_owned(),
        r#type: Some(TypeProto { tensor_type: Some(tensor) }),
        doc_string: says.to_owned(),
    }
}
