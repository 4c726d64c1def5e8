mod interface;
mod library;
mod options;
mod provider;

pub use library::{ONNX_RUNTIME_FILE, find_onnx_runtime};
pub use options::OnnxOptions;
pub use provider::{Placement, Provider};

use std::error::Error;
use std::ops::Range;
use std::path::Path;

use keiko_encoding::{EncodingId, LABELS};
use keiko_mcts::Wdl;
use ort::environment::Environment;
use ort::logging::LogLevel;
use ort::session::builder::SessionBuilder;
use ort::session::{Session, SessionInputValue};
use ort::value::TensorRef;

use crate::{Backend, BackendError, Finished, RequestBatch, ResponseBatch, Ticket};
use interface::{INPUTS, Interface, OUTPUT_POLICY};

/// Any ONNX file with dlshogi's inputs and outputs, computed by ONNX Runtime.
///
/// Besides dlshogi's own nets it reads this project's, which may add an input `input3` (our scalars) and
/// an output `output_wdl`. A net that only gives a win rate `v` is read as win `v`, draw 0, loss `1 - v`.
#[derive(Debug)]
pub struct OnnxBackend {
    name: String,
    session: Session,
    interface: Interface,
    finished: Finished,
    /// The unpacked planes of one row.
    planes: Vec<f32>,
    /// One buffer an input, in the order of [`INPUTS`].
    inputs: [Vec<f32>; 3],
}

impl OnnxBackend {
    /// Loads the model and, once a process, the library. The CPU computes.
    ///
    /// # Errors
    /// When the library or the model cannot be loaded, or the model's inputs or outputs are neither dlshogi's
    /// nor ours.
    pub fn open(model: &Path, options: &OnnxOptions) -> Result<Self, BackendError> {
        Self::open_on(model, options, Placement::CPU)
    }

    /// As [`open`](Self::open), with the device that computes.
    ///
    /// # Errors
    /// Also when the library lacks the provider or the device cannot be used. Nothing is then computed elsewhere; single
    /// operations that a device cannot do are done by the CPU, and the backend's name says so.
    pub fn open_on(
        model: &Path,
        options: &OnnxOptions,
        placement: Placement,
    ) -> Result<Self, BackendError> {
        let path = || model.to_owned();
        let bytes = std::fs::read(model)
            .map_err(|source| BackendError::Load { path: path(), source: source.into() })?;
        let interface =
            Interface::of(&bytes).map_err(|source| BackendError::Model { path: path(), source })?;
        let environment = library::environment(&options.library)?;
        let provider = placement.provider;
        if !provider.is_available() {
            let library = options.library.clone();
            let found: Vec<_> =
                Provider::ALL.into_iter().filter(|other| other.is_available()).collect();
            return Err(BackendError::NoProvider { provider, library, found });
        }
        let opener = Opener { environment, model, threads: options.threads, placement, interface };
        let (session, note) =
            opener.open().map_err(|source| BackendError::Load { path: path(), source })?;
        let device = match provider {
            Provider::Cpu => String::new(),
            _ => format!(" on {provider} {}{note}", placement.device),
        };
        Ok(Self {
            name: format!("onnx {}{device}", model.display()),
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
        self.name.clone()
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

/// What a session is made of.
struct Opener<'a> {
    environment: Environment,
    model: &'a Path,
    threads: usize,
    placement: Placement,
    interface: Interface,
}

type AnyError = Box<dyn Error + Send + Sync>;

impl Opener<'_> {
    /// The session, and what is to be said about where it computes.
    fn open(&self) -> Result<(Session, &'static str), AnyError> {
        if self.placement.provider == Provider::Cpu {
            return Ok((self.builder()?.commit_from_file(self.model)?, ""));
        }
        let strict = self.builder()?.with_disable_cpu_fallback().map_err(ort::Error::<()>::from)?;
        match { strict }.commit_from_file(self.model) {
            Ok(session) => Ok((session, "")),
            // Operations that the device cannot do are the likely cause, and what else it is shows again.
            Err(_) => {
                let session = self.builder()?.commit_from_file(self.model)?;
                Ok((session, " and partly the cpu"))
            }
        }
    }

    fn builder(&self) -> Result<SessionBuilder, AnyError> {
        let providers = self.placement.register(self.interface.encoding, self.model);
        let builder = Session::builder(&self.environment)?
            .with_log_level(LogLevel::Error)
            .map_err(ort::Error::<()>::from)?
            .with_intra_threads(self.threads)
            .map_err(ort::Error::<()>::from)?
            .with_execution_providers(providers)
            .map_err(ort::Error::<()>::from)?;
        if self.placement.provider != Provider::DirectMl {
            return Ok(builder);
        }
        // DirectML refuses sessions that plan their memory ahead.
        Ok(builder.with_memory_pattern(false).map_err(ort::Error::<()>::from)?)
    }
}
