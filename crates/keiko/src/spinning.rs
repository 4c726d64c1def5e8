//! How LibTorch's threads wait for each other.

use std::os::unix::process::CommandExt as _;
use std::process::Command;

/// The variable by which OpenMP's threads are told how often to look for work before they sleep.
const SPINS: &str = "GOMP_SPINCOUNT";

/// Starts the program anew, in the same process, with threads that soon sleep when they wait, unless the user
/// has said how they are to wait. By default they look for work for milliseconds: on a machine where others
/// compute too, each then waits for a thread that has no core, and training becomes ten times slower.
///
/// OpenMP reads the variable when it is loaded, before `main`; so it cannot be set later.
pub(crate) fn keep_short() {
    let is_set = |name| std::env::var_os(name).is_some();
    if is_set(SPINS) || is_set("OMP_WAIT_POLICY") {
        return;
    }
    if let Ok(program) = std::env::current_exe() {
        // Comes back only if the program cannot be started; then it runs as it is.
        let _ = Command::new(program).args(std::env::args_os().skip(1)).env(SPINS, "1000").exec();
    }
}
