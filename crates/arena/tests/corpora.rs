//! The inputs in `tests/fuzz/corpus` against the laws that fuzzing checks. They stand here as this is the crate that sees
//! the most of the others without LibTorch.

use std::path::Path;

#[expect(unreachable_pub, reason = "the file is the root of a library in tests/fuzz")]
#[path = "../../../tests/fuzz/src/lib.rs"]
mod fuzz;

#[test]
fn inputs_of_the_corpora_hold() {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fuzz/corpus");
    for (name, run) in fuzz::TARGETS {
        let folder = corpora.join(name);
        let mut inputs: Vec<_> = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
            .map(|entry| entry.expect("a readable entry").path())
            .collect();
        inputs.sort();
        assert!(!inputs.is_empty(), "{name} has inputs");
        for path in inputs {
            let data = std::fs::read(&path).expect("a readable input");
            // The name of the last input printed is that of the one that fails.
            println!("{}", path.display());
            run(&data);
        }
    }
}
