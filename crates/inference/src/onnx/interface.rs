use keiko_encoding::EncodingId;
use keiko_mcts::Wdl;
use keiko_model::{OnnxInfo, OnnxInfoError, read_onnx_info};

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

    /// Numbers a row.
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
    /// Reads the interface out of the bytes of a model.
    pub(super) fn of(model: &[u8]) -> Result<Self, OnnxInfoError> {
        let info = read_onnx_info(model)?;
        info.check_harmless()?;
        let encoding = info.encoding()?;
        let has_wdl = info.outputs.iter().any(|output| output.name == OUTPUT_WDL);
        let value = if has_wdl { ValueHead::Wdl } else { ValueHead::Score };
        Ok(Self { encoding, value, batch: fixed_batch(&info) })
    }
}

fn fixed_batch(info: &OnnxInfo) -> Option<usize> {
    let board = info.inputs.iter().find(|input| input.name == INPUTS[0])?;
    let batch = (*board.dims.first()?)?;
    usize::try_from(batch).ok().filter(|&batch| batch > 0)
}
