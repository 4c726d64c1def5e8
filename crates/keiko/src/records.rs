//! Opening files with records of games.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context as _, anyhow};
use keiko_formats::{RecordFormat, RecordReader};

/// The games of a file, `-` for standard input. The extension tells the format where `from` does not.
pub(crate) fn open<'i>(
    path: &Path,
    from: Option<RecordFormat>,
    input: &'i mut dyn BufRead,
) -> anyhow::Result<RecordReader<Box<dyn BufRead + 'i>>> {
    let format = from.or_else(|| format_of(path)).ok_or_else(|| {
        anyhow!("{}: the name does not tell the format: add --from", path.display())
    })?;
    let bytes: Box<dyn BufRead + 'i> = if is_standard(path) {
        Box::new(input)
    } else {
        let file = File::open(path).with_context(|| path.display().to_string())?;
        Box::new(BufReader::new(file))
    };
    Ok(RecordReader::new(bytes, format))
}

/// The format that a file's extension names.
pub(crate) fn format_of(path: &Path) -> Option<RecordFormat> {
    RecordFormat::of_extension(path.extension()?.to_str()?)
}

/// Whether a path stands for standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}
