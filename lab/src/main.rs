//! The program `halcyon-lab`: reads its arguments and calls the library.
#![allow(clippy::print_stderr, reason = "errors are for the user")]

use std::process::ExitCode;

use batch::suite::cli::SuiteArgs;
use clap::{Parser, Subcommand};
use lab::{
    ablate, data, datagen, judge, levels, likeness, puzzles, rescore, say, sprt, spsa, train, wdl,
};

/// Tools for engine makers: training data and the trainer of the network.
#[derive(Parser)]
#[command(name = "halcyon-lab", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play games of the engine against itself to learn from
    Datagen(datagen::cli::DatagenArgs),
    /// Label positions of games with deep searches
    Rescore(rescore::cli::RescoreArgs),
    /// Inspect, filter, merge and convert files of games and training positions
    Data(data::cli::DataArgs),
    /// Solve test suites, also against other engines
    Suite(SuiteArgs),
    /// Measure what each technique of the search is worth
    Ablate(ablate::cli::AblateArgs),
    /// Decide by a match whether a change of parameters makes the engine stronger
    Sprt(sprt::SprtArgs),
    /// Measure the levels below full strength and fit the ladder
    Levels(levels::cli::LevelsArgs),
    /// Compare the moves of the levels with those of people of the same rating
    Likeness(likeness::cli::LikenessArgs),
    /// Tune parameters of the search by self-play
    Spsa(spsa::cli::SpsaArgs),
    /// Play pairs of games that are asked for on standard input
    #[command(hide = true)]
    PairWorker(sprt::WorkerArgs),
    /// Train a network
    Train(train::cli::TrainArgs),
    /// Train the head of a network: a correction by what the pieces do
    Head(train::head_cli::HeadArgs),
    /// Write the network of a checkpoint as a network file
    Export(train::cli::ExportArgs),
    /// Measure how fast the trainer is
    BenchTrain(train::cli::BenchArgs),
    /// Measure how much of the truth networks and searches know
    Judge(judge::cli::JudgeArgs),
    /// Fit the chances to win, draw and lose to scores and results
    Wdl(wdl::cli::WdlArgs),
    /// Print the chances of positions beside how own games from there end
    Chances(wdl::own_games::ChancesArgs),
    /// Compare the motifs that the coach finds with the themes of Lichess's puzzles
    Motifs(puzzles::motifs::MotifsArgs),
    /// Measure the puzzle generator on Lichess's puzzles: acceptance and difficulty
    PuzzlesCheck(puzzles::check::CheckArgs),
    /// Explain mistakes and search every clause again
    Sentences(puzzles::sentences::SentencesArgs),
    /// Review games and tell what the explanations cost
    CoachCost(puzzles::cost::CostArgs),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Datagen(args) => datagen::cli::datagen(&args),
        Command::Rescore(args) => rescore::cli::rescore(&args),
        Command::Data(args) => data::cli::run(&args),
        Command::Suite(args) => batch::suite::cli::suite(&args, &mut say),
        Command::Ablate(args) => ablate::cli::ablate(&args),
        Command::Sprt(args) => sprt::sprt(&args),
        Command::Levels(args) => levels::cli::levels(&args),
        Command::Likeness(args) => likeness::cli::likeness(&args),
        Command::Spsa(args) => spsa::cli::spsa(&args),
        Command::PairWorker(args) => sprt::pair_worker(&args),
        Command::Train(args) => train::cli::train(&args),
        Command::Head(args) => train::head_cli::head(&args),
        Command::Export(args) => train::cli::export(&args),
        Command::BenchTrain(args) => train::cli::bench_train(&args),
        Command::Judge(args) => judge::cli::judge(&args),
        Command::Wdl(args) => wdl::cli::wdl(&args),
        Command::Chances(args) => wdl::own_games::chances(&args),
        Command::Motifs(args) => puzzles::motifs::run(&args),
        Command::PuzzlesCheck(args) => puzzles::check::run(&args),
        Command::Sentences(args) => puzzles::sentences::run(&args),
        Command::CoachCost(args) => puzzles::cost::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("halcyon-lab: {error}");
            ExitCode::FAILURE
        }
    }
}
