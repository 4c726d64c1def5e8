//! What is said where memory runs out: of which device, in what work, and what needs less.

use keiko_network::{Device, TorchError};

use crate::config::{Devices, RunConfig};
use crate::run::Role;

/// Copies of all weights that the processor holds at once where most are: while a net is begun or a checkpoint is written.
const COPIES: usize = 6;

/// Batches that training holds at once: one is learnt from, one waits, one is made.
const BATCHES: usize = 3;

/// Makes sure that the processor has memory for the net and the batches of training: where memory runs out in the middle
/// of making them, nothing but the end of the process is left.
///
/// # Errors
/// Names what is too large.
pub(crate) fn check_room(config: &RunConfig) -> anyhow::Result<()> {
    let (net, rows) = (&config.network, config.trainer.batch_rows);
    let weights = net.parameters() * size_of::<f32>();
    let batch = rows * keiko_replay::Batch::row_bytes(net.encoding);
    let mut room: Vec<u8> = Vec::new();
    for (bytes, what, lower) in [
        (
            COPIES * weights,
            format!("a net of {}", net.short_name()),
            "network.blocks or network.channels",
        ),
        (BATCHES * batch, format!("batches of {rows} rows"), "trainer.batch_rows"),
    ] {
        if room.try_reserve_exact(bytes).is_err() {
            anyhow::bail!(
                "no memory is left for {what}, which takes {} MiB: lower {lower}, or see what limits this process (ulimit -v) \
                 or uses the memory (free)",
                bytes >> 20
            );
        }
    }
    Ok(())
}

/// Where `error` is that memory ran out in the work of `role`: says so first, with what to do.
pub(crate) fn explain(error: anyhow::Error, role: Role, config: &RunConfig) -> anyhow::Error {
    let (work, lower) = match role {
        Role::Whole => return error,
        Role::Learner => {
            ("training", format!("trainer.batch_rows ({})", config.trainer.batch_rows))
        }
        Role::Selfplay => ("self-play", rows_of_selfplay(config)),
        Role::Gate => ("the gate", rows_of_gate(config)),
    };
    let devices = match role {
        Role::Learner => Devices::from(config.trainer.device),
        _ => config.inference.device.clone(),
    };
    explain_work(error, work, &devices, &lower)
}

/// The settings by which self-play, and what evaluates like it, takes less memory.
pub(crate) fn rows_of_selfplay(config: &RunConfig) -> String {
    let settings = &config.selfplay;
    let (shape, workers) = (settings.batch_shape, settings.workers);
    format!("selfplay.batch_shape ({shape}) or selfplay.workers ({workers})")
}

/// The settings by which the gate, and matches, take less memory.
pub(crate) fn rows_of_gate(config: &RunConfig) -> String {
    let (shape, workers) = (config.gate.group.batch_shape, config.selfplay.workers);
    format!("gate.group.batch_shape ({shape}) or selfplay.workers ({workers})")
}

/// Where `error` is that memory ran out: says so first, in which work, and the settings to lower.
pub(crate) fn explain_work(
    error: anyhow::Error,
    work: &str,
    devices: &Devices,
    lower: &str,
) -> anyhow::Error {
    let ran_out =
        error.chain().any(|cause| matches!(cause.downcast_ref(), Some(TorchError::OutOfMemory(_))));
    if !ran_out {
        return error;
    }
    let others = match devices.of(0) {
        Device::Cpu => "see what limits this process (ulimit -v) or uses the memory (free)",
        Device::Cuda(_) => "end what else uses the GPU (nvidia-smi)",
    };
    error.context(format!(
        "{work} ran out of memory on {devices}: lower {lower}, or {others}; a smaller net ([network], for a new run) needs less \
         too"
    ))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use keiko_inference::BackendError;

    use super::*;
    use crate::message::message;

    fn demo() -> RunConfig {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/demo.toml");
        RunConfig::read(&path).expect("a right config").0
    }

    #[test]
    fn the_settings_of_the_work_are_named() {
        let mut config = demo();
        config.inference.device = Device::Cuda(1).into();
        let refused = || BackendError::Compute {
            backend: "torch-cuda:1-bf16".to_owned(),
            source: Box::new(TorchError::OutOfMemory("CUDA out of memory".to_owned())),
        };
        for (role, words) in [
            (
                Role::Selfplay,
                ["self-play ran out of memory on cuda:1", "selfplay.batch_shape (", "nvidia-smi"],
            ),
            (
                Role::Gate,
                [
                    "the gate ran out of memory on cuda:1",
                    "gate.group.batch_shape (",
                    "selfplay.workers (",
                ],
            ),
            (
                Role::Learner,
                ["training ran out of memory on cpu", "trainer.batch_rows (256)", "ulimit -v"],
            ),
        ] {
            let said = message(&explain(refused().into(), role, &config));
            for words in
                words.into_iter().chain(["torch-cuda:1-bf16 failed: no memory is left: CUDA out"])
            {
                assert!(said.contains(words), "{words}: {said}");
            }
        }
        let other = || anyhow::anyhow!("no disk");
        assert_eq!(message(&explain(other(), Role::Gate, &config)), "no disk");
    }

    #[test]
    fn what_fits_is_let_through_and_what_does_not_is_named() {
        let mut config = demo();
        check_room(&config).expect("a small net");
        config.trainer.batch_rows = 1 << 46;
        let error = check_room(&config).expect_err("an exabyte").to_string();
        assert!(error.contains("lower trainer.batch_rows"), "{error}");
    }
}
