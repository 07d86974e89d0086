//! Whether an initialiser of a type can say what an object holds.
//!
//! A function may look at an object through another type than it is declared with: then bytes, or pointers, lie where the
//! declared type has no member, or a member of another kind. Such an object is written byte by byte.

use super::initial::chosen_fields;
use clew_execute::Content;
use clew_ir::{CType, CTypeId, Program};

/// Whether `count` elements of a type, initialised member by member, hold a content.
pub(super) fn is_expressible(program: &Program, element: CTypeId, count: u64, content: &Content) -> bool {
    let mut said = Said { program, content, bytes: vec![false; content.bytes.len()], pointers: 0 };
    let size = said.size(element);
    (0..count).for_each(|index| said.place(element, index * size));
    let bytes = content.bytes.iter().zip(&said.bytes).all(|(byte, said)| *byte == 0 || *said);
    bytes && said.pointers == content.pointers.len()
}

/// What an initialiser says.
struct Said<'a> {
    program: &'a Program,
    content: &'a Content,
    bytes: Vec<bool>,
    /// Stored pointers that stand where the type has a pointer.
    pointers: usize,
}

impl Said<'_> {
    fn size(&self, ty: CTypeId) -> u64 {
        self.program.ctypes.size_of(ty, self.program.target.pointer_bytes()).unwrap_or(0)
    }

    fn place(&mut self, ty: CTypeId, at: u64) {
        let program = self.program;
        match program.ctypes.get(ty) {
            CType::Array { of, len } => {
                let size = self.size(*of);
                (0..len.unwrap_or(0)).for_each(|index| self.place(*of, at + index * size));
            }
            CType::Record(record) => {
                for field in chosen_fields(program, *record, self.content, at) {
                    match field.bits {
                        None => self.place(field.ty, at + field.offset),
                        Some(bits) => {
                            let bytes = u64::from(bits.offset + bits.width).div_ceil(8);
                            self.say(at + field.offset, bytes);
                        }
                    }
                }
            }
            CType::Pointer(_) => {
                self.pointers += usize::from(self.content.pointers.iter().any(|stored| stored.at == at));
                self.say(at, program.target.pointer_bytes());
            }
            _ => self.say(at, self.size(ty)),
        }
    }

    fn say(&mut self, at: u64, bytes: u64) {
        if let Some(said) = self.bytes.get_mut(at as usize..(at + bytes) as usize) {
            said.fill(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_expressible;
    use clew_execute::{Content, PointerTarget, StoredPointer};
    use clew_ir::{CType, Program, Target};

    #[test]
    fn a_pointer_needs_a_pointer() {
        let mut program = Program::new(Target::LP64);
        let int = program.ctypes.types.push(CType::Int { name: "long", width: 64, signed: true });
        let pointer = program.ctypes.types.push(CType::Pointer(int));
        let stored = StoredPointer { at: 8, target: PointerTarget::Object(0, 0) };
        let content = Content { bytes: vec![0; 16], pointers: vec![stored] };
        assert!(is_expressible(&program, pointer, 2, &content));
        assert!(!is_expressible(&program, int, 2, &content));
        assert!(!is_expressible(&program, pointer, 1, &content));
    }
}
