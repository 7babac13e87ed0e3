//! Training as a whole, in miniature.

mod common;

use lab::data::Dataset;
use lab::train::adam::AdamSettings;
use lab::train::checkpoint;
use lab::train::config::Config;
use lab::train::export::{round, rounding_error, to_float_parameters, write_network};
use lab::train::net::{Net, Row, Shape};
use lab::train::schedule::{Blend, LearningRate};
use lab::train::trainer::Trainer;

fn config(king_buckets: usize, buckets: usize) -> Config {
    Config {
        batch: 512,
        epochs: 12,
        rate: LearningRate { start: 4e-3, end: 1e-4, warm_up: 5 },
        wdl: Blend { start: 0.0, end: 0.1 },
        scale: 400.0,
        adam: AdamSettings { decay: 0.01, ..AdamSettings::USUAL },
        threads: 2,
        shape: Shape::new(64, king_buckets, buckets).expect("a good shape"),
        ..Config::RECIPE
    }
}

#[test]
fn a_tiny_net_learns_material_from_20000_positions() {
    let train = common::material_positions(1, 20_000);
    let held_out = common::material_positions(2, 4_000);
    assert_eq!((train.len(), held_out.len()), (20_000, 4_000));
    let mut trainer = Trainer::new(config(1, 1));
    let before = trainer.report(train.len(), &held_out).held_out.expect("measured").score;
    while !trainer.is_finished(train.len()) {
        trainer.step(&train);
    }
    let after = trainer.report(train.len(), &held_out).held_out.expect("measured").score;
    // A guess of "equal" for every position has an error of about 0.06.
    assert!(before > 0.03, "{before}");
    assert!(after < 0.004, "{after}");
    assert!(trainer.last_report_is_best());
}

#[test]
fn a_resumed_run_equals_an_uninterrupted_one() {
    let folder = common::folder("resume");
    let path = folder.join("run.checkpoint");
    let train = common::material_positions(3, 3_000);
    let held_out = common::material_positions(4, 500);
    let data = Dataset { train: train.clone(), held_out: held_out.clone() };

    let mut whole = Trainer::new(Config { epochs: 4, reports: 2, average: 0.8, ..config(4, 8) });
    whole.anchor = Some(Net::random(whole.config.shape, 99));
    let run = |trainer: &mut Trainer, steps: u64| {
        while !trainer.is_finished(train.len()) && trainer.adam.steps < steps {
            trainer.step(&train);
            if trainer.is_report_due(train.len()) {
                trainer.report(train.len(), &held_out);
            }
        }
    };
    // In the middle of an epoch, between two reports.
    run(&mut whole, 8);
    checkpoint::save(&path, &whole, data.fingerprint()).expect("saved");
    run(&mut whole, u64::MAX);
    assert_eq!(whole.reports.len(), 8);

    let stored = checkpoint::load(&path).expect("loaded");
    assert_eq!(stored.data, data.fingerprint());
    let mut resumed = stored.trainer;
    assert_eq!(resumed.adam.steps, 8);
    run(&mut resumed, u64::MAX);
    assert_eq!(resumed.config, whole.config);
    assert!(resumed.net == whole.net, "the parameters differ");
    assert!(resumed.average == whole.average && whole.average.is_some(), "the averages differ");
    assert!(resumed.adam == whole.adam, "the moments differ");
    assert_eq!(resumed.reports, whole.reports);
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn weights_decay_to_the_anchor_and_without_one_to_zero() {
    let train = common::material_positions(6, 512);
    let decay = AdamSettings { decay: 1e4, ..AdamSettings::USUAL };
    let rate = LearningRate { start: 1e-5, end: 1e-5, warm_up: 0 };
    let size = |net: &Net, from: &Net| {
        let rows = net.rows.iter().zip(&from.rows).flat_map(|(a, b)| a.0.iter().zip(b.0));
        rows.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
    };
    let run = |anchor: Option<Net>| {
        let config = Config { epochs: 200, adam: decay, rate, ..config(1, 1) };
        let mut trainer = Trainer::new(config);
        trainer.anchor = anchor;
        while !trainer.is_finished(train.len()) {
            trainer.step(&train);
        }
        trainer.net
    };
    let anchor = Net::random(config(1, 1).shape, 99);
    let zero = Net { shape: anchor.shape, rows: vec![Row::ZERO; anchor.rows.len()] };
    assert!(size(&anchor, &zero) > 0.05);
    assert!(size(&run(Some(anchor.clone())), &anchor) < 0.001);
    assert!(size(&run(None), &zero) < 0.001);
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let folder = common::folder("bad-checkpoint");
    let path = folder.join("run.checkpoint");
    let trainer = Trainer::new(config(1, 1));
    checkpoint::save(&path, &trainer, 1).expect("saved");
    let bytes = std::fs::read(&path).expect("read");
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 16;
    for bad in [&bytes[..bytes.len() - 5], &flipped, b"", b"halcyon-checkpoint 1\nend\n"] {
        std::fs::write(&path, bad).expect("written");
        assert!(checkpoint::load(&path).is_err());
    }
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn the_exported_network_gives_nearly_the_same_scores() {
    let folder = common::folder("export");
    let path = folder.join("net.nnue");
    for (king_buckets, buckets) in [(1, 1), (1, 8), (4, 8)] {
        let train = common::material_positions(5, 5_000);
        let mut trainer = Trainer::new(Config { epochs: 3, ..config(king_buckets, buckets) });
        while !trainer.is_finished(train.len()) {
            trainer.step(&train);
        }
        let plain = round(&trainer, "a test", &[]).expect("supported");
        assert_eq!(plain, to_float_parameters(&trainer, "a test").quantise());
        let rounded = round(&trainer, "a test", &train).expect("supported");
        write_network(&rounded, &path).expect("written");
        let bytes = std::fs::read(&path).expect("read");
        assert_eq!(nnue::format::decode(&bytes).as_ref(), Ok(&rounded));

        let others = common::material_positions(6, 500);
        let error = |network| rounding_error(&trainer, network, &others).expect("supported");
        let (plain, fitted) = (error(&plain), error(&rounded));
        assert!(plain.mean < 1.0 && plain.worst < 4.0, "{plain:?}");
        assert!(fitted.mean < 1.1 * plain.mean && fitted.worst < 4.0, "{fitted:?}");
    }
    std::fs::remove_dir_all(folder).expect("removed");
}
