//! Building a graph node by node.

use super::names;
use super::proto::{
    Attribute, Dimension, FLOAT, Graph, INT64, Node, Shape, TensorData, TensorType, Type,
    ValueInfo, attribute_kind,
};

/// A graph under construction. Every node has one output, named like the node.
pub(super) struct GraphBuilder(Graph);

impl GraphBuilder {
    pub(super) fn new(name: &str) -> Self {
        Self(Graph { name: name.to_owned(), ..Graph::default() })
    }

    /// Declares a `f32` input of shape [batch, `dims`..] and returns its name.
    pub(super) fn input(&mut self, name: &str, dims: &[usize]) -> String {
        self.0.input.push(value_info(name, dims));
        name.to_owned()
    }

    /// Declares that the value called `name`, of shape [batch, `dims`..], is an output.
    pub(super) fn output(&mut self, name: &str, dims: &[usize]) {
        self.0.output.push(value_info(name, dims));
    }

    /// Adds a constant and returns its name.
    pub(super) fn floats(&mut self, name: &str, shape: &[usize], values: &[f32]) -> String {
        debug_assert_eq!(shape.iter().product::<usize>(), values.len());
        let raw_data = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.constant(name, shape, FLOAT, raw_data)
    }

    /// Adds a constant shape, where -1 is what the number of values leaves, and returns its name.
    pub(super) fn shape(&mut self, name: &str, dims: &[i64]) -> String {
        let raw_data = dims.iter().flat_map(|dim| dim.to_le_bytes()).collect();
        self.constant(name, &[dims.len()], INT64, raw_data)
    }

    fn constant(
        &mut self,
        name: &str,
        shape: &[usize],
        data_type: i32,
        raw_data: Vec<u8>,
    ) -> String {
        let dims = shape.iter().map(|&dim| dim as i64).collect();
        self.0.initializer.push(TensorData { dims, data_type, name: name.to_owned(), raw_data });
        name.to_owned()
    }

    /// Adds a node without attributes and returns the name of its output.
    pub(super) fn node(&mut self, op: &str, name: &str, inputs: &[&str]) -> String {
        self.node_with(op, name, inputs, Vec::new())
    }

    /// Adds a node and returns the name of its output.
    pub(super) fn node_with(
        &mut self,
        op: &str,
        name: &str,
        inputs: &[&str],
        attribute: Vec<Attribute>,
    ) -> String {
        self.0.node.push(Node {
            input: inputs.iter().map(|&input| input.to_owned()).collect(),
            output: vec![name.to_owned()],
            name: name.to_owned(),
            op_type: op.to_owned(),
            attribute,
        });
        name.to_owned()
    }

    pub(super) fn finish(self) -> Graph {
        self.0
    }
}

/// An attribute of one whole number.
pub(super) fn int(name: &str, value: i64) -> Attribute {
    Attribute { name: name.to_owned(), i: Some(value), ints: Vec::new(), kind: attribute_kind::INT }
}

/// An attribute of several whole numbers.
pub(super) fn ints(name: &str, values: &[usize]) -> Attribute {
    Attribute {
        name: name.to_owned(),
        i: None,
        ints: values.iter().map(|&value| value as i64).collect(),
        kind: attribute_kind::INTS,
    }
}

fn value_info(name: &str, dims: &[usize]) -> ValueInfo {
    let batch = Dimension { dim_value: None, dim_param: Some(names::BATCH.to_owned()) };
    let fixed = dims.iter().map(|&dim| Dimension { dim_value: Some(dim as i64), dim_param: None });
    let shape = Shape { dim: std::iter::once(batch).chain(fixed).collect() };
    let tensor_type = Some(TensorType { elem_type: FLOAT, shape: Some(shape) });
    ValueInfo { name: name.to_owned(), r#type: Some(Type { tensor_type }) }
}
