//! The sub-command `likeness`.

use std::fs;
use std::path::PathBuf;

use clap::Args;

use super::measure::{Player, Thinking, choices};
use super::page::{Band, tables};
use super::people::moves;
use crate::Error;
use crate::say::say;

/// Compares the moves of the levels with those of people of the same rating.
#[derive(Clone, Debug, Args)]
pub struct LikenessArgs {
    /// Games of people with the tags WhiteElo and BlackElo, as PGN
    file: PathBuf,
    /// Ratings, and with them levels
    #[arg(long, value_delimiter = ',', default_value = "1200,1600,2000")]
    ratings: Vec<u32>,
    /// How far the rating of a player may be from these
    #[arg(long, default_value_t = 100)]
    width: u32,
    /// Moves of people for each rating
    #[arg(long, default_value_t = 1000)]
    positions: usize,
    /// Nodes of the whole engine for a position, which also judges what moves lose
    #[arg(long, default_value_t = 50_000)]
    nodes: u64,
    /// Another engine with UCI_Elo: its command
    #[arg(long)]
    anchor: Option<String>,
    /// Nodes of that engine for a position
    #[arg(long, default_value_t = 20_000)]
    anchor_nodes: u64,
    /// Positions at a time
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Folder for the tables and the pictures
    #[arg(long, default_value = "likeness")]
    out: PathBuf,
}

/// Runs the sub-command.
///
/// # Errors
/// When a file cannot be read or written or the other engine fails.
pub fn likeness(args: &LikenessArgs) -> Result<(), Error> {
    let seen = moves(&args.file, &args.ratings, args.width, args.positions)?;
    let mut bands = Vec::new();
    for (&elo, seen) in args.ratings.iter().zip(&seen) {
        let anchor = args.anchor.clone().map(|command| (command, args.anchor_nodes));
        let thinking = Thinking { elo, nodes: args.nodes, anchor, threads: args.threads };
        let band = Band { elo, choices: choices(seen, &thinking)? };
        let (share, error) = band.share(Player::Level);
        say!("{elo}: {} positions, {share:.1} ± {error:.1} % matched", band.choices.len());
        bands.push(band);
    }
    let players = &Player::ALL[..if args.anchor.is_some() { 4 } else { 3 }];
    let page = tables(&bands, players);
    fs::create_dir_all(&args.out).map_err(Error::file(&args.out))?;
    let mut files = vec![(String::from("likeness.md"), page.clone())];
    for band in &bands {
        files.push((format!("losses-{}.svg", band.elo), band.picture(players)));
    }
    for (name, text) in files {
        let path = args.out.join(name);
        fs::write(&path, text).map_err(Error::file(&path))?;
    }
    say!("{page}");
    Ok(())
}
