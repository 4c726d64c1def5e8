//! Inputs that are a change to a whole file: what an honest writer makes is too long to be found byte by byte.

/// What an input stands for: its first byte says which of `bases` it changes, and the rest are the changes; past the
/// last of them the rest is taken as it is.
pub fn bytes(data: &[u8], bases: &[&[u8]]) -> Vec<u8> {
    match data.split_first() {
        None => Vec::new(),
        Some((&first, rest)) => match bases.get(usize::from(first)) {
            Some(base) => edited(base, rest),
            None => rest.to_vec(),
        },
    }
}

/// `base` with each four bytes of `edits` done to it: what to do, where (16 bits), and a byte.
pub fn edited(base: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut bytes = base.to_vec();
    for &[what, low, high, value] in edits.as_chunks::<4>().0 {
        let at = usize::from(u16::from_le_bytes([low, high])) % (bytes.len() + 1);
        let end = bytes.len().min(at + usize::from(value));
        match what % 5 {
            0 => bytes[at..].iter_mut().take(1).for_each(|byte| *byte = value),
            1 => bytes.insert(at, value),
            2 => drop(bytes.drain(at..end)),
            3 => {
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
            _ => bytes.truncate(at),
        }
    }
    bytes
}
