//! PyTorch's processes.

use std::process::Command;
use std::time::Duration;

use super::Work;
use crate::cli::bench::other::Other;

/// Starts a Python's program and waits until it is warm.
pub(in crate::cli::bench) fn start(
    (python, program): (&str, &str),
    name: &str,
    work: &Work,
    span: Duration,
) -> anyhow::Result<Other> {
    let Work { architecture, device, rows, threads, .. } = work;
    let (blocks, channels) = (architecture.blocks as usize, architecture.channels as usize);
    let mut command = Command::new(python);
    command
        .arg(program)
        .arg(name)
        .args([blocks, channels, *rows, *threads].map(|number| number.to_string()))
        .arg(span.as_secs_f64().to_string())
        .arg(device.to_string())
        // So many cores are there for all of it, the runtime's own threads too.
        .env("OMP_NUM_THREADS", threads.max(&1).to_string());
    let mut peer = Other::start(&mut command)?;
    peer.line()?;
    Ok(peer)
}
