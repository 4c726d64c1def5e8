//! Lets the binaries and tests of this crate find LibTorch from any directory, without variables.

#[expect(clippy::disallowed_methods, reason = "cargo tells a build script everything by variables")]
fn main() {
    println!("cargo:rerun-if-env-changed=LIBTORCH");
    let installed = "$ORIGIN/../lib";
    let rpath = match std::env::var("LIBTORCH") {
        Ok(libtorch) => format!("{installed}:{libtorch}/lib"),
        Err(_) => installed.to_owned(),
    };
    println!("cargo:rustc-link-arg=-Wl,-rpath,{rpath}");
}
