//! The other side's processes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::Context as _;

use super::Work;

/// A process that does its work for a while whenever a line comes, and answers with rows a second.
pub(in crate::cli::bench) struct Peer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Peer {
    /// Starts a Python's program and waits until it is warm.
    pub(in crate::cli::bench) fn start(
        (python, program): (&str, &str),
        name: &str,
        work: &Work,
        span: Duration,
    ) -> anyhow::Result<Self> {
        let Work { architecture, device, rows, threads, .. } = work;
        let (blocks, channels) = (architecture.blocks as usize, architecture.channels as usize);
        let mut child = Command::new(python)
            .arg(program)
            .arg(name)
            .args([blocks, channels, *rows, *threads].map(|number| number.to_string()))
            .arg(span.as_secs_f64().to_string())
            .arg(device.to_string())
            // So many cores are there for all of it, the runtime's own threads too.
            .env("OMP_NUM_THREADS", threads.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {python:?}"))?;
        let input = child.stdin.take().context("a pipe")?;
        let output = BufReader::new(child.stdout.take().context("a pipe")?);
        let mut peer = Self { child, input, output };
        peer.line()?;
        Ok(peer)
    }

    pub(in crate::cli::bench) fn rate(&mut self) -> anyhow::Result<f64> {
        self.input.write_all(b"go\n")?;
        let line = self.line()?;
        line.trim().parse().with_context(|| format!("the other side says {line:?}"))
    }

    fn line(&mut self) -> anyhow::Result<String> {
        let mut line = String::new();
        let read = self.output.read_line(&mut line)?;
        anyhow::ensure!(read > 0, "the other side has ended early");
        Ok(line)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // One that has ended already cannot be ended, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
