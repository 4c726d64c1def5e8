//! Lets the binaries and tests of this crate find LibTorch from any directory, without variables; and says what to
//! do where it is missing. This needs nothing that has to be built before, so that it mostly comes before torch-sys
//! gets to the C++ compiler, whose message would be about a header.

use std::path::Path;

#[expect(clippy::disallowed_methods, reason = "cargo tells a build script everything by variables")]
fn main() {
    println!("cargo::rerun-if-env-changed=LIBTORCH");
    let installed = "$ORIGIN/../lib";
    let rpath = match std::env::var("LIBTORCH") {
        Ok(libtorch) => {
            let library = format!("{libtorch}/lib/libtorch_cpu.so");
            println!("cargo::rerun-if-changed={library}");
            if !Path::new(&library).exists() {
                println!(
                    "cargo::error=LibTorch is missing, there is no {library}: run scripts/setup, which brings it"
                );
            }
            format!("{installed}:{libtorch}/lib")
        }
        Err(_) => installed.to_owned(),
    };
    println!("cargo::rustc-link-arg=-Wl,-rpath,{rpath}");
}
