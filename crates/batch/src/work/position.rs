//! The record of a single position.

use chess::Position;
use review::Analyst;

use super::Job;
use crate::input::MAX_POSITION;
use crate::record::{PositionRecord, Record, line_records};

pub(super) fn empty_position(job: &Job, line: u64, text: &str) -> PositionRecord {
    PositionRecord {
        item: job.item,
        file: job.file.to_string(),
        line,
        fen: text.to_owned(),
        operations: operations(text).to_owned(),
        eval: None,
        wdl: None,
        lines: Vec::new(),
        depth: 0,
        nodes: 0,
        fault: None,
    }
}

pub(super) fn position_record(analyst: &mut Analyst, job: &Job, line: u64, text: &str) -> Record {
    let mut record = empty_position(job, line, text);
    if text.len() >= MAX_POSITION {
        let reason = format!("the line has {MAX_POSITION} bytes or more; the position is left out");
        record.fault = Some(reason);
        return Record::Position(Box::new(record));
    }
    let fields = &text[..text.len() - record.operations.len()];
    match Position::from_fen(fields) {
        Ok(position) => {
            let look = analyst.look_afresh(&position);
            record.fen = position.to_fen();
            record.eval = Some(look.eval);
            record.wdl = Some(look.wdl);
            record.lines = line_records(&position, &look);
            (record.depth, record.nodes) = (look.depth, look.nodes);
        }
        Err(error) => record.fault = Some(format!("{error}; the position is left out")),
    }
    Record::Position(Box::new(record))
}

/// What stands behind the fields of a position.
fn operations(text: &str) -> &str {
    let mut rest = text;
    for _ in 0..4 {
        rest = rest.trim_start();
        rest = rest.find(' ').map_or("", |end| &rest[end..]);
    }
    // Counters, if there are any: two whole numbers that no opcode follows.
    let rest = rest.trim_start();
    let mut words = rest.split_ascii_whitespace();
    let is_number = |word: Option<&str>| {
        word.is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
    };
    if is_number(words.next()) {
        rest.trim_start_matches(|letter: char| {
            letter.is_ascii_digit() || letter.is_ascii_whitespace()
        })
    } else {
        rest
    }
}
