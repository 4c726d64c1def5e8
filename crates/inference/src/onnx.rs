mod interface;
mod library;
mod options;

pub use library::{ONNX_RUNTIME_FILE, find_onnx_runtime};
pub use options::OnnxOptions;

use std::error::Error;
use std::ops::Range;
use std::path::{Path, PathBuf};

use keiko_encoding::{EncodingId, LABELS};
use keiko_mcts::Wdl;
use ort::session::{Session, SessionInputValue};
use ort::value::TensorRef;

use crate::{Backend, BackendError, Finished, RequestBatch, ResponseBatch, Ticket};
use interface::{INPUTS, Interface, OUTPUT_POLICY};

/// Any ONNX file with dlshogi's inputs and outputs, computed by ONNX Runtime on the CPU.
///
/// Besides dlshogi's own nets it reads this project's, which may add an input `input3` (our scalars) and
/// an output `output_wdl`. A net that only gives a win rate `v` is read as win `v`, draw 0, loss `1 - v`.
#[derive(Debug)]
pub struct OnnxBackend {
    path: PathBuf,
    session: Session,
    interface: Interface,
    finished: Finished,
    /// The unpacked planes of one row.
    planes: Vec<f32>,
    /// One buffer an input, in the order of [`INPUTS`].
    inputs: [Vec<f32>; 3],
}

impl OnnxBackend {
    /// Loads the model and, once a process, the library.
    ///
    /// # Errors
    /// When the library or the model cannot be loaded, or the model's inputs or outputs are neither dlshogi's
    /// nor ours.
    pub fn open(model: &Path, options: &OnnxOptions) -> Result<Self, BackendError> {
        let path = || model.to_owned();
        let bytes = std::fs::read(model)
            .map_err(|source| BackendError::Load { path: path(), source: source.into() })?;
        let interface =
            Interface::of(&bytes).map_err(|source| BackendError::Model { path: path(), source })?;
        let environment = library::environment(&options.library)?;
        let session = open_session(&environment, model, options.threads)
            .map_err(|source| BackendError::Load { path: path(), source })?;
        Ok(Self {
            path: path(),
            session,
            interface,
            finished: Finished::default(),
            planes: vec![0.0; interface.encoding.planes() * 81],
            inputs: Default::default(),
        })
    }

    /// The batch size that is written into the model, if it has only that one.
    #[must_use]
    pub fn fixed_shape(&self) -> Option<usize> {
        self.interface.batch
    }

    /// Unpacks rows into the input buffers and pads them with zeros to `shape` rows.
    fn fill_inputs(&mut self, batch: &RequestBatch, rows: Range<usize>, shape: usize) {
        let encoding = self.interface.encoding;
        let whole_planes = encoding.planes1() * 81;
        let scalar_planes = whole_planes + encoding.planes2() * 81;
        let [board, whole, scalars] = &mut self.inputs;
        for buffer in [&mut *board, &mut *whole, &mut *scalars] {
            buffer.clear();
        }
        for row in rows {
            keiko_encoding::unpack(encoding, batch.row(row), &mut self.planes);
            board.extend_from_slice(&self.planes[..whole_planes]);
            whole.extend_from_slice(&self.planes[whole_planes..scalar_planes]);
            scalars.extend(self.planes[scalar_planes..].iter().step_by(81));
        }
        board.resize(shape * encoding.planes1() * 81, 0.0);
        whole.resize(shape * encoding.planes2() * 81, 0.0);
        scalars.resize(shape * encoding.scalars(), 0.0);
    }

    fn compute(
        &mut self,
        batch: &RequestBatch,
        rows: Range<usize>,
        answers: &mut Answers,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        let encoding = self.interface.encoding;
        let shape = self.interface.batch.unwrap_or(batch.shape());
        self.fill_inputs(batch, rows.clone(), shape);
        let [board, whole, scalars] = &self.inputs;
        let planes = |planes| vec![shape, planes, 9, 9];
        let mut inputs = vec![
            (INPUTS[0], input(planes(encoding.planes1()), board)?),
            (INPUTS[1], input(planes(encoding.planes2()), whole)?),
        ];
        if encoding.scalars() > 0 {
            inputs.push((INPUTS[2], input(vec![shape, encoding.scalars()], scalars)?));
        }
        let outputs = self.session.run(inputs)?;
        let output = |name: &str, per_row: usize| -> Result<_, Box<dyn Error + Send + Sync>> {
            let value = outputs.get(name).ok_or_else(|| format!("no output {name}"))?;
            let (_, data) = value.try_extract_tensor::<f32>()?;
            if data.len() != shape * per_row {
                return Err(format!("output {name} has {} elements", data.len()).into());
            }
            Ok(data)
        };
        let policy = output(OUTPUT_POLICY, LABELS)?;
        for (logits, row) in policy.chunks_exact(LABELS).zip(rows.clone()) {
            answers
                .logits
                .extend(batch.labels_of(row).iter().map(|&label| logits[usize::from(label)]));
        }
        let value = self.interface.value;
        let values = output(value.output(), value.width())?;
        answers.wdl.extend(
            values.chunks_exact(value.width()).zip(rows).map(|(values, _)| value.wdl(values)),
        );
        Ok(())
    }
}

#[derive(Default)]
struct Answers {
    logits: Vec<f32>,
    wdl: Vec<Wdl>,
}

impl Backend for OnnxBackend {
    fn encoding(&self) -> EncodingId {
        self.interface.encoding
    }

    fn name(&self) -> String {
        format!("onnx {}", self.path.display())
    }

    fn submit(&mut self, batch: RequestBatch) -> Result<Ticket, BackendError> {
        batch.require(self.interface.encoding)?;
        let mut answers = Answers::default();
        let step = self.interface.batch.unwrap_or(batch.shape());
        for start in (0..batch.len()).step_by(step) {
            let rows = start..batch.len().min(start + step);
            self.compute(&batch, rows, &mut answers)
                .map_err(|source| BackendError::Compute { backend: self.name(), source })?;
        }
        let response = ResponseBatch::new(batch, answers.logits, answers.wdl)?;
        Ok(self.finished.put(response))
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        self.finished.take(ticket)
    }
}

fn input(shape: Vec<usize>, data: &[f32]) -> ort::Result<SessionInputValue<'_>> {
    Ok(TensorRef::from_array_view((shape, data))?.into())
}

fn open_session(
    environment: &ort::environment::Environment,
    model: &Path,
    threads: usize,
) -> Result<Session, Box<dyn Error + Send + Sync>> {
    let session = Session::builder(environment)?
        .with_intra_threads(threads)
        .map_err(ort::Error::<()>::from)?
        .commit_from_file(model)?;
    Ok(session)
}
