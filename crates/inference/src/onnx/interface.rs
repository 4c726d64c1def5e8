use keiko_encoding::{EncodingId, LABELS};
use keiko_mcts::Wdl;
use ort::session::Session;
use ort::value::{Outlet, TensorElementType, ValueType};

/// Board planes and whole planes, `[batch, planes, 9, 9]`, and our scalars, `[batch, scalars]`.
pub(super) const INPUTS: [&str; 3] = ["input1", "input2", "input3"];
pub(super) const OUTPUT_POLICY: &str = "output_policy";
const OUTPUT_VALUE: &str = "output_value";
const OUTPUT_WDL: &str = "output_wdl";

/// What a model's inputs and outputs say about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Interface {
    pub(super) encoding: EncodingId,
    pub(super) value: ValueHead,
    /// The only batch size the model allows; `None` when the axis is dynamic.
    pub(super) batch: Option<usize>,
}

/// The output that the value is read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueHead {
    /// One expected score a row, 0..=1, for the side to move.
    Score,
    /// Win, draw and loss a row, for the side to move; they sum to 1.
    Wdl,
}

impl ValueHead {
    pub(super) fn output(self) -> &'static str {
        match self {
            Self::Score => OUTPUT_VALUE,
            Self::Wdl => OUTPUT_WDL,
        }
    }

    pub(super) fn width(self) -> usize {
        match self {
            Self::Score => 1,
            Self::Wdl => 3,
        }
    }

    pub(super) fn wdl(self, values: &[f32]) -> Wdl {
        match self {
            Self::Score => Wdl { win: values[0], draw: 0.0, loss: 1.0 - values[0] },
            Self::Wdl => Wdl { win: values[0], draw: values[1], loss: values[2] },
        }
    }
}

impl Interface {
    pub(super) fn of(session: &Session) -> Result<Self, String> {
        let inputs = INPUTS.map(|name| find(session.inputs(), name));
        let (Some(board), Some(whole)) = (inputs[0], inputs[1]) else {
            return Err("no inputs input1 and input2".to_owned());
        };
        if let Some(other) = session.inputs().iter().find(|input| !INPUTS.contains(&input.name())) {
            return Err(format!("unknown input {}", other.name()));
        }
        let (batch, board) = planes_of(board)?;
        let (_, whole) = planes_of(whole)?;
        let scalars = inputs[2].map_or(Ok(0), scalars_of)?;
        let encoding = EncodingId::ALL
            .into_iter()
            .find(|id| (id.planes1(), id.planes2(), id.scalars()) == (board, whole, scalars))
            .ok_or_else(|| format!("no encoding has {board} + {whole} + {scalars} planes"))?;
        require_output(session, OUTPUT_POLICY, LABELS)?;
        let value = if find(session.outputs(), OUTPUT_WDL).is_some() {
            ValueHead::Wdl
        } else {
            ValueHead::Score
        };
        require_output(session, value.output(), value.width())?;
        Ok(Self { encoding, value, batch })
    }
}

fn find<'a>(outlets: &'a [Outlet], name: &str) -> Option<&'a Outlet> {
    outlets.iter().find(|outlet| outlet.name() == name)
}

/// Batch size (if fixed) and planes of an input `[batch, planes, 9, 9]`.
fn planes_of(input: &Outlet) -> Result<(Option<usize>, usize), String> {
    match shape_of(input)? {
        &[batch, planes, 9, 9] if planes > 0 => {
            Ok((usize::try_from(batch).ok().filter(|&batch| batch > 0), planes as usize))
        }
        other => Err(format!("input {} has shape {other:?}", input.name())),
    }
}

/// Scalars of an input `[batch, scalars]`.
fn scalars_of(input: &Outlet) -> Result<usize, String> {
    match shape_of(input)? {
        &[_, scalars] if scalars > 0 => Ok(scalars as usize),
        other => Err(format!("input {} has shape {other:?}", input.name())),
    }
}

/// An output is `[batch, width]`, or `[batch]` for width 1.
fn require_output(session: &Session, name: &str, width: usize) -> Result<(), String> {
    let output = find(session.outputs(), name).ok_or_else(|| format!("no output {name}"))?;
    match shape_of(output)? {
        &[_] if width == 1 => Ok(()),
        &[_, found] if found == width as i64 || found < 0 => Ok(()),
        other => Err(format!("output {name} has shape {other:?}")),
    }
}

fn shape_of(outlet: &Outlet) -> Result<&[i64], String> {
    match outlet.dtype() {
        ValueType::Tensor { ty: TensorElementType::Float32, shape, .. } => Ok(shape),
        other => Err(format!("{} is {other:?}, not a float32 tensor", outlet.name())),
    }
}
