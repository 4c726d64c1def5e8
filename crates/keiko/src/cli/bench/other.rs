//! Other processes that work when they are told to.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::Context as _;

/// A process that says a line when it is ready, works for a while whenever a line comes, and answers with a rate.
pub(super) struct Other {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Other {
    /// Starts it. It is ready only after its first [`line`](Self::line).
    pub(super) fn start(command: &mut Command) -> anyhow::Result<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {:?}", command.get_program()))?;
        let input = child.stdin.take().context("a pipe")?;
        let output = BufReader::new(child.stdout.take().context("a pipe")?);
        Ok(Self { child, input, output })
    }

    /// Tells it to work.
    pub(super) fn go(&mut self) -> anyhow::Result<()> {
        Ok(self.input.write_all(b"go\n")?)
    }

    /// Waits for the rate of its work.
    pub(super) fn rate(&mut self) -> anyhow::Result<f64> {
        let line = self.line()?;
        line.trim().parse().with_context(|| format!("another process says {line:?}"))
    }

    /// Waits for a line.
    pub(super) fn line(&mut self) -> anyhow::Result<String> {
        let mut line = String::new();
        let read = self.output.read_line(&mut line)?;
        anyhow::ensure!(read > 0, "another process has ended early");
        Ok(line)
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        // One that has ended already cannot be ended, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
