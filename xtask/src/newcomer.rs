//! The README's commands for its source as a newcomer types them who has nothing but rustup: on a copy of the
//! commit in an empty folder, with an empty cargo home.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::Failure;
use crate::openbench::export;
use crate::shell::{self, Steps, target};

/// Does what the README says about building from source.
pub(crate) fn run() -> Result<(), Failure> {
    let folder = target().join("newcomer");
    let copy = folder.join("halcyon");
    let mut steps = Steps::default();
    steps.step("copy", || {
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
        }
        export(&copy)
    })?;
    let readme = fs::read_to_string(copy.join("README.md")).map_err(|error| error.to_string())?;
    let [serve, test] = first_commands(&readme)?;
    steps.step("board", || open_board(call(serve, &copy)))?;
    steps.step("tests", || shell::run(call(test, &copy)))?;
    steps.summary();
    Ok(())
}

/// The two lines of the first block of code that begins with cargo.
fn first_commands(readme: &str) -> Result<[&str; 2], Failure> {
    let block = readme.split("```").skip(1).step_by(2).find(|text| text.starts_with("\ncargo "));
    let lines: Vec<&str> = block.unwrap_or_default().lines().filter(|l| !l.is_empty()).collect();
    match lines[..] {
        [serve, test] if serve.contains("serve") && test.contains("test") => Ok([serve, test]),
        _ => Err(format!("the README does not say how to begin with its source: {lines:?}")),
    }
}

fn call(line: &str, copy: &Path) -> Command {
    let mut shell = Command::new("sh");
    // The shell gives way to the command, so that the end of one is the end of the other.
    shell.args(["-c", &format!("exec {line}")]).current_dir(copy);
    shell.env("CARGO_HOME", copy.join("../cargo"));
    for name in ["CARGO_TARGET_DIR", "RUSTFLAGS", "RUSTUP_TOOLCHAIN", "CARGO"] {
        shell.env_remove(name);
    }
    shell
}

/// Waits for the board's address, asks for the page as a browser does, and ends the server.
pub(crate) fn open_board(mut serve: Command) -> Result<(), Failure> {
    let mut child =
        serve.stdout(Stdio::piped()).spawn().map_err(|error| format!("serve: {error}"))?;
    let output = child.stdout.take().ok_or("serve has no output")?;
    let found = BufReader::new(output)
        .lines()
        .map_while(Result::ok)
        .find_map(|line| line.find("http://").map(|start| line[start + 7..].trim().to_owned()));
    let answer = found.ok_or_else(|| String::from("serve prints no address")).and_then(|url| {
        let (host, path) = url.split_once('/').ok_or("the address has no path")?;
        let mut stream = TcpStream::connect(host).map_err(|error| error.to_string())?;
        let request = format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).map_err(|error| error.to_string())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).map_err(|error| error.to_string())?;
        Ok(answer.lines().next().unwrap_or_default().to_owned())
    });
    // Whatever the answer, nothing may go on running.
    let _ = child.kill();
    let _ = child.wait();
    let answer = answer?;
    println!("the board answers {answer}");
    // The token of the address is exchanged for a cookie by sending the browser on.
    let welcome = ["200", "302", "303", "307"].iter().any(|code| answer.contains(code));
    if welcome { Ok(()) } else { Err(format!("the board answers {answer}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_has_two_commands_for_its_source() {
        let readme = fs::read_to_string(shell::root().join("README.md")).unwrap();
        assert!(first_commands(&readme).is_ok(), "{readme}");
        let text = "# A\n```\none\n```\n```\ncargo serve\ncargo test\n```\n";
        assert_eq!(first_commands(text), Ok(["cargo serve", "cargo test"]));
        assert!(first_commands("# A\n```\none\n```\ncargo test\n").is_err());
    }
}
