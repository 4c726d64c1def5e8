//! Loads ONNX models for the engine.

use std::error::Error;
use std::path::{Path, PathBuf};

use keiko_inference::{
    Backend, BackendError, OnnxBackend, OnnxOptions, Parallel, Placement, Provider,
    find_onnx_runtime,
};

use crate::engine::{DeviceRequest, LoadError, LoadedModel, ModelLoader, ModelRequest, warm_up};
use crate::options::read_net_files;

/// Opens models with ONNX Runtime, each as often as its device has batches out.
#[derive(Debug, Clone, Default)]
pub struct OnnxLoader {
    /// The library; `None` to look for it where [`find_onnx_runtime`] does.
    pub library: Option<PathBuf>,
}

impl ModelLoader for OnnxLoader {
    fn load(&mut self, request: &ModelRequest) -> Result<LoadedModel, LoadError> {
        let lanes = lanes(request);
        let first = lanes.first().ok_or_else(|| LoadError {
            path: PathBuf::new(),
            reason: "UCT_Threads is 0 for every device".into(),
        })?;
        let paths = paths(&lanes)?;
        let library = find_onnx_runtime(self.library.as_deref()).ok_or_else(|| LoadError {
            path: first.path.clone(),
            reason: "ONNX Runtime was not found: name its library by --onnxruntime".into(),
        })?;
        let share = |lane: usize| match request.provider {
            Provider::Cpu => threads_of_lane(request.threads, lanes.len(), lane),
            _ => 1,
        };
        let mut backends: Vec<Box<dyn Backend>> = Vec::new();
        for (at, (lane, path)) in lanes.iter().zip(&paths).enumerate() {
            let options = OnnxOptions { library: library.clone(), threads: share(at) };
            let placement = Placement {
                provider: request.provider,
                device: lane.device,
                max_rows: request.max_rows,
            };
            let fail =
                |reason: Box<dyn Error + Send + Sync>| LoadError { path: path.clone(), reason };
            let mut backend =
                OnnxBackend::open_on(path, &options, placement).map_err(|error| match error {
                    // The error of the whole names the file already.
                    BackendError::Load { source, path: named } if named == *path => fail(source),
                    other => fail(Box::new(other)),
                })?;
            let encoding = backends.first().map_or(backend.encoding(), |first| first.encoding());
            if backend.encoding() != encoding {
                let reason =
                    format!("it reads {}, the first device's reads {encoding}", backend.encoding());
                return Err(fail(reason.into()));
            }
            // Each lane by itself: together, one may do the work of another.
            warm_up(&mut backend, request.max_rows).map_err(|error| fail(Box::new(error)))?;
            backends.push(Box::new(backend));
        }
        let settings = read_net_files(&paths[0])
            .map_err(|(path, error)| LoadError { path, reason: Box::new(error) })?;
        let backend = match backends.len() {
            1 => backends.remove(0),
            _ => Box::new(Parallel::new(backends)),
        };
        Ok(LoadedModel { backend, settings })
    }
}

/// The devices in the order in which batches go to them in turn, each as often as it has batches out. On the CPU the
/// threads are shared, and there is no lane without one.
fn lanes(request: &ModelRequest) -> Vec<&DeviceRequest> {
    let rounds = request.devices.iter().map(|device| device.lanes).max().unwrap_or(0);
    let all = (0..rounds)
        .flat_map(|round| request.devices.iter().filter(move |device| round < device.lanes));
    match request.provider {
        Provider::Cpu => all.take(request.threads).collect(),
        _ => all.collect(),
    }
}

fn threads_of_lane(threads: usize, lanes: usize, lane: usize) -> usize {
    threads / lanes + usize::from(lane < threads % lanes)
}

fn paths(lanes: &[&DeviceRequest]) -> Result<Vec<PathBuf>, LoadError> {
    let find = |lane: &&DeviceRequest| {
        let path = beside_program(&lane.path);
        if path.is_file() {
            return Ok(path);
        }
        let reason = "there is no such file, neither beside this program nor in the current folder";
        Err(LoadError { path, reason: reason.into() })
    };
    lanes.iter().map(find).collect()
}

/// A relative path is meant beside this program; where there is nothing, in the current folder.
#[must_use]
pub fn beside_program(path: &Path) -> PathBuf {
    let folder = std::env::current_exe().ok().and_then(|exe| exe.parent().map(Path::to_owned));
    let beside = folder.map(|folder| folder.join(path)).filter(|path| path.is_file());
    beside.unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(provider: Provider, threads: usize, lanes: &[usize]) -> ModelRequest {
        let device = |(device, &lanes): (u32, &usize)| DeviceRequest {
            path: PathBuf::from(format!("{device}.onnx")),
            device,
            lanes,
        };
        let devices = (0..).zip(lanes).map(device).collect();
        ModelRequest { provider, threads, max_rows: 4, devices }
    }

    fn devices(request: &ModelRequest) -> Vec<u32> {
        lanes(request).iter().map(|lane| lane.device).collect()
    }

    #[test]
    fn batches_go_to_the_devices_in_turn() {
        assert_eq!(devices(&request(Provider::Cuda, 1, &[2, 0, 3])), [0, 2, 0, 2, 2]);
        assert_eq!(devices(&request(Provider::Cuda, 1, &[0])), [0; 0]);
    }

    #[test]
    fn on_the_cpu_the_threads_are_shared_among_the_batches() {
        assert_eq!(devices(&request(Provider::Cpu, 1, &[2])), [0]);
        assert_eq!(devices(&request(Provider::Cpu, 2, &[2, 1])), [0, 1]);
        assert_eq!(devices(&request(Provider::Cpu, 9, &[2, 1])), [0, 1, 0]);
        let shares: Vec<_> = (0..3).map(|lane| threads_of_lane(8, 3, lane)).collect();
        assert_eq!(shares, [3, 3, 2]);
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = OnnxLoader::default().load(&request(Provider::Cpu, 1, &[1])).err().unwrap();
        assert!(
            error.to_string().starts_with("cannot load 0.onnx: there is no such file, neither")
        );
        assert!(OnnxLoader::default().load(&request(Provider::Cpu, 1, &[0])).is_err());
    }
}
