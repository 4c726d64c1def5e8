//! Lets the program find LibTorch from any directory: beside an installed binary, or where it was built.

fn main() {
    println!("cargo::rerun-if-env-changed=LIBTORCH");
    #[expect(clippy::disallowed_methods, reason = "a build script is told by its environment")]
    let libtorch = std::env::var("LIBTORCH").unwrap_or_default();
    println!("cargo::rustc-link-arg=-Wl,-rpath,$ORIGIN/../lib:{libtorch}/lib");
}
