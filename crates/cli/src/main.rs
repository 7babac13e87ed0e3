//! The program `halcyon`.

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::start::run()
}
