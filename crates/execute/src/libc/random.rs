//! `rand` and `random` as glibc computes them: the additive feedback generator of degree 31 (TYPE_3 of `random(3)`),
//! and `rand_r`'s three steps of a linear congruence.

use super::{Call, Plain, Reply, int};

pub(super) const TABLE: &[(&str, Plain)] = &[("rand", rand), ("rand_r", rand_r), ("srand", srand)];

const DEGREE: usize = 31;
const SEPARATION: usize = 3;

/// The state of the generator.
#[derive(Clone, Debug)]
pub(super) struct Random {
    state: [u32; DEGREE],
    front: usize,
}

impl Random {
    pub(super) fn new(seed: u32) -> Random {
        let mut word = if seed == 0 { 1 } else { seed as i32 };
        let mut state = [0; DEGREE];
        state[0] = word as u32;
        for place in &mut state[1..] {
            // 16807 * word modulo 2^31 - 1, without overflow (Schrage).
            let (high, low) = (word / 127_773, word % 127_773);
            word = 16_807 * low - 2_836 * high;
            if word < 0 {
                word += i32::MAX;
            }
            *place = word as u32;
        }
        let mut random = Random { state, front: SEPARATION };
        for _ in 0..10 * DEGREE {
            random.next();
        }
        random
    }

    fn next(&mut self) -> u32 {
        let rear = (self.front + DEGREE - SEPARATION) % DEGREE;
        let sum = self.state[self.front].wrapping_add(self.state[rear]);
        self.state[self.front] = sum;
        self.front = (self.front + 1) % DEGREE;
        sum >> 1
    }
}

fn rand(call: &mut Call<'_>) -> Reply {
    int(i64::from(call.library.random.next()))
}

fn srand(call: &mut Call<'_>) -> Reply {
    call.library.random = Random::new(call.address(0)? as u32);
    Ok(None)
}

fn rand_r(call: &mut Call<'_>) -> Reply {
    let place = call.address(0)?;
    let mut seed = u32::from_le_bytes(call.memory.load(place)?);
    let mut step = |modulus: u32| {
        seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        seed / 65_536 % modulus
    };
    let result = step(2048) << 20 ^ step(1024) << 10 ^ step(1024);
    call.memory.store(place, seed.to_le_bytes())?;
    int(i64::from(result))
}
