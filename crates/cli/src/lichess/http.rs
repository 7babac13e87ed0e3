//! HTTP requests through the program `curl`, which Windows, macOS and nearly every Linux have: it
//! knows the system's certificates and proxies, and the engine needs no code for encryption.

use std::io::Write;
use std::process::{Child, ChildStdin, Command, Stdio};

use serde_json::Value;

/// Seconds after which an answer is not waited for; the server answers a request for work sooner.
const PATIENCE: u32 = 40;
/// Seconds without a byte after which an answer on its way is given up; lines come every second.
const SILENCE: u32 = 60;
/// What curl says with its exit code when that time is over.
const TIMED_OUT: i32 = 28;

/// An answer of a server.
pub(super) struct Answer {
    /// 200 for a success, 204 for nothing.
    pub(super) status: u16,
    pub(super) body: String,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum HttpError {
    /// The server is reached, but says nothing.
    TimedOut,
    /// In curl's words, or the system's.
    Failed(String),
}

/// One request with a short body. What is secret goes through a pipe: other users of the machine see
/// arguments.
pub(super) fn request(
    method: &str,
    url: &str,
    token: Option<&str>,
    body: Option<&Value>,
) -> Result<Answer, HttpError> {
    let mut lines = vec![("url", url.to_owned()), ("request", method.to_owned())];
    if let Some(token) = token {
        lines.push(("header", format!("Authorization: Bearer {token}")));
    }
    if let Some(body) = body {
        lines.push(("header", String::from("Content-Type: application/json")));
        lines.push(("data-raw", body.to_string()));
    }
    let config: String =
        lines.iter().map(|(name, value)| format!("{name} = {}\n", quoted(value))).collect();
    let mut curl = curl();
    curl.args(["--max-time", &PATIENCE.to_string(), "--write-out", "\n%{http_code}"]);
    curl.args(["--config", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = curl.stderr(Stdio::piped()).spawn().map_err(|error| missing(&error))?;
    if let Some(mut input) = child.stdin.take() {
        // If curl has ended already, its exit code says more.
        let _ = input.write_all(config.as_bytes());
    }
    let output = child.wait_with_output().map_err(|error| HttpError::Failed(error.to_string()))?;
    if output.status.code() == Some(TIMED_OUT) {
        return Err(HttpError::TimedOut);
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let status = text.rsplit_once('\n').and_then(|(body, status)| {
        let status = status.trim().parse().ok().filter(|&status: &u16| status != 0)?;
        Some(Answer { status, body: body.to_owned() })
    });
    status.ok_or_else(|| {
        let said = String::from_utf8_lossy(&output.stderr);
        HttpError::Failed(format!("{url}: {}", said.trim()))
    })
}

/// A request whose body is written while it is made up.
pub(super) struct Upload {
    child: Child,
    input: ChildStdin,
}

impl Upload {
    pub(super) fn begin(url: &str) -> Result<Self, HttpError> {
        let mut curl = curl();
        // Without the last header curl would wait for a permission that few servers give.
        for header in ["Content-Type: text/plain", "Expect:"] {
            curl.args(["--header", header]);
        }
        curl.args(["--speed-limit", "1", "--speed-time", &SILENCE.to_string()]);
        curl.args(["--request", "POST", "--upload-file", "-", "--fail", "--url", url]);
        curl.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = curl.spawn().map_err(|error| missing(&error))?;
        let input = child.stdin.take().ok_or_else(|| HttpError::Failed("no pipe".into()))?;
        Ok(Self { child, input })
    }

    /// Sends one line; false if nobody wants it any more.
    pub(super) fn line(&mut self, text: &str) -> bool {
        self.input.write_all(format!("{text}\n").as_bytes()).is_ok()
    }

    /// Ends the body; whether the server took all of it.
    pub(super) fn finish(mut self) -> bool {
        drop(self.input);
        self.child.wait().is_ok_and(|status| status.success())
    }
}

fn curl() -> Command {
    let mut curl = Command::new("curl");
    // The first word keeps a configuration of the user's from changing what is asked.
    curl.args(["--disable", "--silent", "--show-error"]);
    curl
}

fn missing(error: &std::io::Error) -> HttpError {
    HttpError::Failed(format!("the program curl cannot be started: {error}"))
}

/// A value as curl's configuration has it.
fn quoted(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotation_marks_do_not_end_a_value() {
        assert_eq!(quoted(r#"{"a":"b\n"}"#), r#""{\"a\":\"b\\n\"}""#);
    }
}
