//! Library functions that need the machine: calls back into the program, jumps, and the end of the run.

use super::{Jump, Machine, Stop};
use crate::libc::{Control, SavedJump, Trouble};
use crate::memory::Fault;
use crate::observe::Observer;
use crate::outcome::{Detail, Outcome};
use clew_ir::{CheckKind, FunctionId};
use clew_scalar::Value;

impl<O: Observer> Machine<'_, O> {
    pub(super) fn control(&mut self, control: Control, name: &str, args: &[Value]) -> Result<Option<u128>, Stop> {
        let arg = |index: usize| {
            let missing = || Trouble::Precondition("too few arguments".to_owned());
            args.get(index).map(|value| value.bits as u64).ok_or_else(missing)
        };
        let args = [arg(0), arg(1), arg(2), arg(3), arg(4)];
        let needed = match control {
            Control::Exit | Control::AtExit | Control::SetJump => 1,
            Control::LongJump => 2,
            Control::Sort => 4,
            Control::BinarySearch => 5,
        };
        let mut numbers = [0; 5];
        for (number, arg) in numbers.iter_mut().zip(args).take(needed) {
            *number = arg.map_err(|trouble| self.trouble(name, trouble))?;
        }
        let [a, b, c, d, e] = numbers;
        match control {
            Control::Exit => {
                if name != "exit" {
                    self.library.at_exit.clear();
                }
                Err(Stop::over(Outcome::Exited(a as i32)))
            }
            Control::AtExit => {
                let handler = self.callback(name, a)?;
                self.library.at_exit.push(handler);
                Ok(Some(0))
            }
            Control::SetJump => self.set_jump(name, a),
            Control::LongJump => Err(self.long_jump(name, a, b as u32)),
            Control::Sort => self.sort(name, [a, b, c], d).map(|()| None),
            Control::BinarySearch => self.search(name, [a, b, c, d], e).map(Some),
        }
    }

    /// The function a library function is to call.
    fn callback(&self, name: &str, address: u64) -> Result<FunctionId, Stop> {
        self.image.function_at(address).ok_or_else(|| {
            let reason = "the callback is no function".to_owned();
            self.failure(CheckKind::FunctionPointer, Detail::Library { name: name.to_owned(), reason, fault: None })
        })
    }

    fn set_jump(&mut self, name: &str, buffer: u64) -> Result<Option<u128>, Stop> {
        let frame = self.frames.last().expect("setjmp is called by an activation");
        let saved = SavedJump { frame: self.frames.len() - 1, serial: frame.serial, position: frame.position };
        self.forget_dead_jumps();
        self.library.jumps.push((self.next_jump, saved));
        let bytes = self.image.program.target.pointer_bytes() as usize;
        let stored = self.memory.store_number(buffer, bytes, u128::from(self.next_jump));
        self.next_jump += 1;
        stored.map_err(|fault| self.trouble(name, Trouble::Fault(fault)))?;
        Ok(Some(0))
    }

    /// Drops what `setjmp` saved for activations that are gone, and older saves at the same call.
    fn forget_dead_jumps(&mut self) {
        let frames = &self.frames;
        if self.library.jumps.len() > 64 {
            self.library
                .jumps
                .retain(|(_, jump)| frames.get(jump.frame).is_some_and(|frame| frame.serial == jump.serial));
        }
    }

    fn long_jump(&mut self, name: &str, buffer: u64, value: u32) -> Stop {
        let bytes = self.image.program.target.pointer_bytes() as usize;
        let handle = match self.memory.load_number(buffer, bytes, false) {
            Ok(handle) => handle as u64,
            Err(fault) => return self.trouble(name, Trouble::Fault(fault)),
        };
        let saved = self.library.jumps.iter().find(|(number, _)| *number == handle).map(|(_, jump)| *jump);
        match saved {
            Some(SavedJump { frame, serial, position })
                if self.frames.get(frame).is_some_and(|target| target.serial == serial) =>
            {
                Stop::Jump(Jump { frame, position, value: value.max(1) })
            }
            _ => {
                let reason = "the function that called setjmp has returned".to_owned();
                self.trouble(name, Trouble::Precondition(reason))
            }
        }
    }

    /// Calls a comparison function of the program.
    fn compare(&mut self, function: FunctionId, a: u64, b: u64) -> Result<i32, Stop> {
        let width = self.image.program.target.pointer_width;
        let args = [Value::int(width, u128::from(a)), Value::int(width, u128::from(b))];
        self.invoke(function, &args).map(|bits| bits as i32)
    }

    /// Sorts as glibc does: a merge sort, so that the program's comparisons come in the same order and equal elements
    /// stay in theirs.
    fn sort(&mut self, name: &str, [base, count, size]: [u64; 3], function: u64) -> Result<(), Stop> {
        if count < 2 || size == 0 {
            return Ok(());
        }
        let function = self.callback(name, function)?;
        let total = count.saturating_mul(size);
        if let Err(fault) = self.memory.bytes(base, total as usize) {
            return Err(self.trouble(name, Trouble::Fault(fault)));
        }
        let scratch = self.memory.allocate(
            total,
            16,
            crate::memory::Origin::Library("space of qsort"),
            crate::memory::Contents::Unwritten,
        )?;
        let sorted = self.merge_sort(name, base, scratch, count, size, function);
        let released = self.memory.release(scratch);
        debug_assert!(released.is_ok(), "the space of qsort is its own");
        sorted
    }

    fn merge_sort(
        &mut self,
        name: &str,
        base: u64,
        scratch: u64,
        count: u64,
        size: u64,
        function: FunctionId,
    ) -> Result<(), Stop> {
        if count < 2 {
            return Ok(());
        }
        let half = count / 2;
        let middle = base + half * size;
        self.merge_sort(name, base, scratch, half, size, function)?;
        self.merge_sort(name, middle, scratch, count - half, size, function)?;
        let (mut left, mut right, mut to) = (base, middle, scratch);
        let end = base + count * size;
        while left < middle && right < end {
            let from = if self.compare(function, left, right)? <= 0 { &mut left } else { &mut right };
            let element = *from;
            *from += size;
            self.move_bytes(name, to, element, size)?;
            to += size;
        }
        let rest = middle - left;
        self.move_bytes(name, to, left, rest)?;
        self.move_bytes(name, base, scratch, (to - scratch) + rest)
    }

    fn move_bytes(&mut self, name: &str, to: u64, from: u64, count: u64) -> Result<(), Stop> {
        let moved: Result<(), Fault> = self.memory.copy(to, from, count as usize);
        moved.map_err(|fault| self.trouble(name, Trouble::Fault(fault)))
    }

    /// Searches as glibc does: the lower middle of what is left.
    fn search(&mut self, name: &str, [key, base, count, size]: [u64; 4], function: u64) -> Result<u128, Stop> {
        let function = self.callback(name, function)?;
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low + (high - low) / 2;
            let element = base.wrapping_add(middle * size);
            match self.compare(function, key, element)? {
                0 => return Ok(u128::from(element)),
                ..0 => high = middle,
                1.. => low = middle + 1,
            }
        }
        Ok(0)
    }
}
