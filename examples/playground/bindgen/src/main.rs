//! `playground-bindgen IN.wasm OUT_DIR NAME`: writes NAME.js, NAME.d.ts and NAME_bg.wasm for ES modules, and NAME.cjs for
//! `require`, which reads the same NAME_bg.wasm.

use std::path::Path;
use std::process::ExitCode;
use std::{fs, io};

use wasm_bindgen_cli_support::Bindgen;

fn bindgen(input: &str, name: &str) -> Bindgen {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(input)
        .out_name(name)
        .remove_name_section(true)
        .remove_producers_section(true);
    bindgen
}

fn common_js(input: &str, out_dir: &Path, name: &str) -> Result<(), Box<dyn std::error::Error>> {
    let folder = out_dir.join("cjs");
    bindgen(input, name).typescript(false).nodejs(true)?.generate(&folder)?;
    let wasm = format!("{name}_bg.wasm");
    if fs::read(folder.join(&wasm))? != fs::read(out_dir.join(&wasm))? {
        return Err(io::Error::other("expected one module for both kinds of JavaScript, found two").into());
    }
    fs::rename(folder.join(format!("{name}.js")), out_dir.join(format!("{name}.cjs")))?;
    fs::remove_dir_all(folder)?;
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, out_dir, name] = arguments.as_slice() else {
        eprintln!("usage: playground-bindgen IN.wasm OUT_DIR NAME");
        return ExitCode::from(2);
    };
    let written = bindgen(input, name).typescript(true).web(true).and_then(|bindgen| bindgen.generate(out_dir));
    if let Err(error) = written {
        eprintln!("playground-bindgen: {error:#}");
        return ExitCode::FAILURE;
    }
    match common_js(input, Path::new(out_dir), name) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("playground-bindgen: {error:#}");
            ExitCode::FAILURE
        }
    }
}
