//! Where each tensor of a net lies in the flat vectors of a learner.

use std::collections::BTreeMap;

use keiko_model::{
    Architecture, Head, Role, Tensor as Values, TensorSpec, Weights, WeightsError, tensors,
};

/// One vector of trained parameters and one of running statistics, each in the order of
/// [`tensors`], behind them those of the heads that only training has. Convolution weights lie as `[out, height, width, in]`, so that a view of the vector
/// has the channels-last layout.
#[derive(Debug)]
pub(crate) struct Layout {
    architecture: Architecture,
    pub(crate) trained: Vec<TensorSpec>,
    pub(crate) statistics: Vec<TensorSpec>,
    pub(crate) heads: Vec<Head>,
    /// How many of each belong to the net for play.
    plays: [usize; 2],
}

impl Layout {
    pub(crate) fn new(architecture: &Architecture, heads: &[Head]) -> Self {
        let parts = |specs: Vec<TensorSpec>| -> (Vec<_>, Vec<_>) {
            specs.into_iter().partition(|spec| spec.role.is_trained())
        };
        let (mut trained, mut statistics) = parts(tensors(architecture));
        let plays = [trained.len(), statistics.len()];
        let behind = heads.iter().flat_map(|head| head.tensors(architecture)).collect();
        let (trained_behind, statistics_behind) = parts(behind);
        trained.extend(trained_behind);
        statistics.extend(statistics_behind);
        let heads = heads.to_vec();
        Self { architecture: architecture.clone(), trained, statistics, heads, plays }
    }

    /// For each parameter 1 where weight decay applies, else 0: weights decay; biases and norms,
    /// whose size means something by itself, do not.
    pub(crate) fn decay_mask(&self) -> Vec<f32> {
        let decays = |spec: &TensorSpec| if spec.role == Role::Weight { 1.0 } else { 0.0 };
        self.trained.iter().flat_map(|spec| vec![decays(spec); spec.len()]).collect()
    }

    /// The flat parameters and the flat statistics of `weights` and of the heads' tensors by name.
    pub(crate) fn flatten(
        &self,
        weights: &Weights,
        heads: &BTreeMap<String, Values>,
    ) -> Result<(Vec<f32>, Vec<f32>), WeightsError> {
        let flat = |specs: &[TensorSpec]| {
            let mut flat = Vec::new();
            for spec in specs {
                let tensor = weights
                    .get(&spec.name)
                    .or_else(|| heads.get(&spec.name))
                    .ok_or_else(|| WeightsError::Missing { name: spec.name.clone() })?;
                if tensor.shape != spec.shape {
                    let (found, expected) = (tensor.shape.clone(), spec.shape.clone());
                    return Err(WeightsError::Shape { name: spec.name.clone(), found, expected });
                }
                match spec.shape[..] {
                    [out, channels, height, width] => {
                        transpose(&tensor.values, [out, channels, height * width], &mut flat);
                    }
                    _ => flat.extend_from_slice(&tensor.values),
                }
            }
            Ok(flat)
        };
        Ok((flat(&self.trained)?, flat(&self.statistics)?))
    }

    /// The inverse of [`Self::flatten`], without the heads.
    pub(crate) fn unflatten(
        &self,
        parameters: &[f32],
        statistics: &[f32],
    ) -> Result<Weights, WeightsError> {
        let mut named = BTreeMap::new();
        let all = [(&self.trained, parameters), (&self.statistics, statistics)];
        for ((specs, mut flat), plays) in all.into_iter().zip(self.plays) {
            for spec in &specs[..plays] {
                let (values, rest) = flat.split_at(spec.len());
                flat = rest;
                let values = match spec.shape[..] {
                    [out, channels, height, width] => {
                        let mut transposed = Vec::with_capacity(values.len());
                        transpose(values, [out, height * width, channels], &mut transposed);
                        transposed
                    }
                    _ => values.to_vec(),
                };
                named.insert(spec.name.clone(), Values { shape: spec.shape.clone(), values });
            }
        }
        Weights::new(&self.architecture, named)
    }
}

/// Appends `values` of shape `[count, rows, columns]` as `[count, columns, rows]`.
fn transpose(values: &[f32], [count, rows, columns]: [usize; 3], to: &mut Vec<f32>) {
    for matrix in values.chunks_exact(rows * columns).take(count) {
        for column in 0..columns {
            to.extend(matrix[column..].iter().step_by(columns));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{architecture, random_weights};

    #[test]
    fn flat_vectors_give_the_weights_back() {
        let architecture = architecture(2, 5, 3);
        let weights = random_weights(&architecture, 3);
        let layout = Layout::new(&architecture, &[]);
        let none = BTreeMap::new();
        let flat = layout.flatten(&weights, &none).expect("the shapes are right");
        let (parameters, statistics) = flat;
        assert_eq!(parameters.len() + statistics.len(), architecture.parameters());
        assert_ne!(
            parameters[..9],
            weights.get("input.conv.weight").expect("it exists").values[..9]
        );
        assert_eq!(layout.unflatten(&parameters, &statistics).as_ref(), Ok(&weights));

        let with_heads = Layout::new(&architecture, &Head::ALL);
        assert!(matches!(with_heads.flatten(&weights, &none), Err(WeightsError::Missing { .. })));
        let heads = Head::ALL.iter().flat_map(|head| head.initial(&architecture, 3)).collect();
        let flat = with_heads.flatten(&weights, &heads).expect("the shapes are right");
        assert_eq!(flat.0[..parameters.len()], parameters);
        assert_eq!(flat.1[..statistics.len()], statistics);
        assert!(flat.0.len() > parameters.len() && flat.1.len() > statistics.len());
        assert_eq!(with_heads.unflatten(&flat.0, &flat.1), Ok(weights));
    }

    #[test]
    fn weights_of_another_shape_are_refused() {
        let layout = Layout::new(&architecture(1, 8, 0), &[]);
        let other = random_weights(&architecture(1, 16, 0), 3);
        assert!(matches!(
            layout.flatten(&other, &BTreeMap::new()),
            Err(WeightsError::Shape { .. })
        ));
    }

    #[test]
    fn only_weights_decay() {
        let layout = Layout::new(&architecture(1, 4, 2), &Head::ALL);
        let mask = layout.decay_mask();
        let mut rest = mask.as_slice();
        for spec in &layout.trained {
            let (mask, after) = rest.split_at(spec.len());
            rest = after;
            let decays = spec.name.ends_with(".weight") && !spec.name.contains("norm");
            assert!(mask.iter().all(|&mask| (mask > 0.5) == decays), "{}", spec.name);
        }
        assert_eq!(rest, [0.0; 0]);
    }
}
