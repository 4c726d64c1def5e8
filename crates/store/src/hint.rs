//! What a person can do about an I/O error.

use std::io::{Error, ErrorKind};

/// A clause to end an error message with, starting with `"; "`, or nothing where there is no advice.
pub(crate) fn hint(error: &Error) -> &'static str {
    match error.kind() {
        ErrorKind::StorageFull => "; free space on this disk, then start again",
        ErrorKind::QuotaExceeded => "; raise the disk quota or free space, then start again",
        ErrorKind::PermissionDenied => "; check the owner and the mode of the folder",
        ErrorKind::ReadOnlyFilesystem => "; mount the disk writable or use another one",
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => {
            "; a file stands where a directory belongs: move it away"
        }
        ErrorKind::Unsupported => "; this file system lacks hard links: put the run on another one",
        ErrorKind::TooManyLinks => "; this file system lacks links: put the run on another one",
        _ if error.raw_os_error() == Some(EMFILE) => "; raise the limit on open files (ulimit -n)",
        _ if error.raw_os_error() == Some(EIO) => "; the disk may be failing: check it",
        _ => "",
    }
}

const EIO: i32 = 5;
const EMFILE: i32 = 24;
