//! Outputs of a model on a fixed position, kept to check backends.

use keiko_encoding::LABELS;
use serde::{Deserialize, Serialize};

use crate::architecture::Architecture;
use crate::folded::Folded;
use crate::reference::{Output, forward};

/// What a model answers on one position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfTest {
    /// The position, as its caller writes it (SFEN); the rules and draw values that a row of the
    /// architecture's encoding needs beside it are the caller's convention as well.
    pub position: String,
    /// Labels of the position's moves, each below [`LABELS`].
    pub labels: Vec<u16>,
    /// The logits of these labels.
    pub logits: Vec<f32>,
    /// Probabilities of win, draw and loss for the side to move.
    pub wdl: [f32; 3],
}

/// How far a backend's outputs may be from the expected ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// For logits: the distance over max(1, |expected|).
    pub logit: f32,
    /// For probabilities: the distance.
    pub probability: f32,
}

impl Tolerance {
    /// What 32-bit backends stay within.
    pub const F32: Self = Self { logit: 1e-3, probability: 1e-3 };

    /// What backends of any precision stay within that compute the right thing at all.
    pub const ANY: Self = Self { logit: 0.25, probability: 0.1 };
}

/// The first output of a backend that is too far from the expected one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{output} on {position:?} is {found}, expected {expected}")]
pub struct SelfTestMismatch {
    /// The position.
    pub position: String,
    /// Which output: `logit of label 59`, `win`, ...
    pub output: String,
    /// The backend's value.
    pub found: f32,
    /// The value in the manifest.
    pub expected: f32,
}

impl SelfTest {
    /// The outputs of the reference on `row`, which encodes `position`, for `labels`.
    ///
    /// # Panics
    ///
    /// If `row` is not of the architecture's encoding, `net` of another architecture, or a label
    /// not below [`LABELS`].
    pub fn compute(
        architecture: &Architecture,
        net: &Folded,
        (position, row): (&str, &[u8]),
        labels: &[u16],
    ) -> Self {
        let Output { policy, wdl } = forward(architecture, net, row);
        Self {
            position: position.to_owned(),
            labels: labels.to_vec(),
            logits: labels.iter().map(|&label| policy[usize::from(label)]).collect(),
            wdl,
        }
    }

    /// Compares a backend's outputs for the same labels.
    ///
    /// # Errors
    ///
    /// [`SelfTestMismatch`] for the first output outside the tolerance; a value that is not a
    /// number is outside, and so is a missing one.
    pub fn check(
        &self,
        logits: &[f32],
        wdl: [f32; 3],
        tolerance: Tolerance,
    ) -> Result<(), SelfTestMismatch> {
        let mismatch = |output: String, found, expected| {
            Err(SelfTestMismatch { position: self.position.clone(), output, found, expected })
        };
        for (index, (&label, &expected)) in self.labels.iter().zip(&self.logits).enumerate() {
            let found = logits.get(index).copied().unwrap_or(f32::NAN);
            let most = tolerance.logit * expected.abs().max(1.0);
            if !is_within(found, expected, most) {
                return mismatch(format!("logit of label {label}"), found, expected);
            }
        }
        for (name, (found, expected)) in
            ["win", "draw", "loss"].iter().zip(wdl.into_iter().zip(self.wdl))
        {
            if !is_within(found, expected, tolerance.probability) {
                return mismatch((*name).to_owned(), found, expected);
            }
        }
        Ok(())
    }

    /// Checks what the file's form does not.
    pub(super) fn validate(&self) -> Result<(), &'static str> {
        if self.labels.len() != self.logits.len() {
            return Err("labels and logits differ in number");
        }
        if self.labels.iter().any(|&label| usize::from(label) >= LABELS) {
            return Err("a label is not below 2187");
        }
        if self.logits.iter().chain(&self.wdl).any(|value| !value.is_finite()) {
            return Err("a value is not finite");
        }
        if !is_within(self.wdl.iter().sum(), 1.0, 1e-3) {
            return Err("win, draw and loss do not sum to 1");
        }
        Ok(())
    }
}

/// False also where either is not a number.
fn is_within(found: f32, expected: f32, most: f32) -> bool {
    (found - expected).abs() <= most
}
