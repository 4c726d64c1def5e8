//! Engines end with this process, however that ends.

use std::io::Write;
use std::os::unix::process::CommandExt as _;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Mutex, OnceLock};

use rustix::process::Pid;

/// Keeps a list of process groups that it is told, `+ N` and `- N`; when nobody can tell it any more, because the
/// pipe's other end is gone, it ends those that are left.
const SCRIPT: &str = r#"
groups=" "
while read -r change group; do
  case $change in
    +) groups="$groups$group " ;;
    -) groups="${groups%%" $group "*} ${groups#*" $group "}" ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done
"#;

static GUARD: OnceLock<Option<Mutex<ChildStdin>>> = OnceLock::new();

/// Has the group ended when this process is no more.
pub(super) fn watch(group: Pid) {
    tell('+', group);
}

/// The group has ended.
pub(super) fn forget(group: Pid) {
    tell('-', group);
}

fn tell(change: char, group: Pid) {
    // Without a shell there is no guard; engines still end when this process ends by itself.
    if let Some(pipe) = GUARD.get_or_init(start) {
        let mut pipe = pipe.lock().expect("nothing panics with the pipe");
        let _ = writeln!(pipe, "{change} {}", group.as_raw_nonzero());
    }
}

fn start() -> Option<Mutex<ChildStdin>> {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", SCRIPT]).process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().ok()?.stdin.take().map(Mutex::new)
}
