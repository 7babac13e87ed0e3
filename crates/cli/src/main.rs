//! The program `halcyon`.

use std::process::ExitCode;

fn main() -> ExitCode {
    memory::give_back_large_blocks();
    cli::start::run()
}
