//! Searches the magic numbers of `src/magics.rs`: `cargo run --release --example find_magics`.

#![allow(clippy::print_stdout)]

const ROOK: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const BISHOP: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

fn slide(square: i8, steps: [(i8, i8); 4], occupied: u64, whole: bool) -> u64 {
    let mut set = 0;
    for (files, ranks) in steps {
        let (mut file, mut rank) = (square & 7, square >> 3);
        loop {
            file += files;
            rank += ranks;
            if !(0..8).contains(&file) || !(0..8).contains(&rank) {
                break;
            }
            let ends = !(0..8).contains(&(file + files)) || !(0..8).contains(&(rank + ranks));
            if ends && !whole {
                break;
            }
            let bit = 1 << (rank * 8 + file);
            set |= bit;
            if occupied & bit != 0 {
                break;
            }
        }
    }
    set
}

fn find(square: i8, steps: [(i8, i8); 4], seed: &mut u64) -> u64 {
    let mask = slide(square, steps, 0, false);
    let bits = mask.count_ones();
    let mut subsets = Vec::new();
    let mut subset = 0u64;
    loop {
        subsets.push((subset, slide(square, steps, subset, true)));
        subset = subset.wrapping_sub(mask) & mask;
        if subset == 0 {
            break;
        }
    }
    let mut random = || {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        *seed
    };
    let mut slots = vec![(0u32, 0u64); 1 << bits];
    for attempt in 1.. {
        let magic = random() & random() & random();
        if (mask.wrapping_mul(magic) >> 56).count_ones() < 6 {
            continue;
        }
        let fits = subsets.iter().all(|&(subset, attacks)| {
            let slot = &mut slots[(subset.wrapping_mul(magic) >> (64 - bits)) as usize];
            if slot.0 != attempt {
                *slot = (attempt, attacks);
            }
            slot.1 == attacks
        });
        if fits {
            return magic;
        }
    }
    unreachable!()
}

fn main() {
    let mut seed = 0x2545_F491_4F6C_DD1D;
    for (name, steps) in [("ROOK", ROOK), ("BISHOP", BISHOP)] {
        println!("pub(crate) const {name}_MAGICS: [u64; 64] = [");
        for square in 0..64 {
            println!("    0x{:016X},", find(square, steps, &mut seed));
        }
        println!("];");
    }
}
