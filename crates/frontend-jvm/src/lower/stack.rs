//! Constants, local variables and the operand stack.

use super::Lower;
use super::body::{Body, Entry};
use crate::class::Constant;
use crate::types::Kind;
use cafebabe::bytecode::Opcode;
use cafebabe::constant_pool::Loadable;
use clew_ir::Operand;
use clew_scalar::{BinaryOp, Value};

impl Body<'_, '_> {
    /// Lowers an instruction of this family; says whether it was one.
    pub(super) fn stack_instruction(&mut self, opcode: &Opcode<'_>) -> Lower<bool> {
        if self.constant(opcode)? || self.local_access(opcode)? {
            return Ok(true);
        }
        self.shuffle(opcode)
    }

    fn constant(&mut self, opcode: &Opcode<'_>) -> Lower<bool> {
        let int = |value: i32| Constant::Int(value);
        let constant = match opcode {
            Opcode::AconstNull => {
                self.push(Kind::Reference, Operand::Null);
                return Ok(true);
            }
            Opcode::IconstM1 => int(-1),
            Opcode::Iconst0 => int(0),
            Opcode::Iconst1 => int(1),
            Opcode::Iconst2 => int(2),
            Opcode::Iconst3 => int(3),
            Opcode::Iconst4 => int(4),
            Opcode::Iconst5 => int(5),
            Opcode::Bipush(value) => int(i32::from(*value)),
            Opcode::Sipush(value) => int(i32::from(*value)),
            Opcode::Lconst0 => Constant::Long(0),
            Opcode::Lconst1 => Constant::Long(1),
            Opcode::Fconst0 => Constant::Float(0.0_f32.to_bits()),
            Opcode::Fconst1 => Constant::Float(1.0_f32.to_bits()),
            Opcode::Fconst2 => Constant::Float(2.0_f32.to_bits()),
            Opcode::Dconst0 => Constant::Double(0.0_f64.to_bits()),
            Opcode::Dconst1 => Constant::Double(1.0_f64.to_bits()),
            Opcode::Ldc(loadable) | Opcode::LdcW(loadable) | Opcode::Ldc2W(loadable) => {
                return self.load_constant(loadable).map(|()| true);
            }
            _ => return Ok(false),
        };
        self.push_constant(&constant).map(|()| true)
    }

    fn load_constant(&mut self, loadable: &Loadable<'_>) -> Lower {
        match loadable {
            Loadable::LiteralConstant(literal) => self.push_constant(&Constant::of(literal)),
            Loadable::ClassInfo(name) => {
                let class = self.lowering.world.load(name)?;
                let object = self.lowering.class_object(class);
                self.push(Kind::Reference, object);
                Ok(())
            }
            Loadable::MethodHandle(_) | Loadable::MethodType(_) => Err("a constant method handle".to_owned()),
            Loadable::Dynamic(_) => Err("a dynamic constant".to_owned()),
        }
    }

    pub(super) fn push_constant(&mut self, constant: &Constant) -> Lower {
        let (kind, value) = match constant {
            Constant::Int(value) => (Kind::Int, Operand::int(32, *value as u32 as u128)),
            Constant::Long(value) => (Kind::Long, Operand::int(64, *value as u64 as u128)),
            Constant::Float(bits) => (Kind::Float, Operand::Const(Value::from_f32(f32::from_bits(*bits)))),
            Constant::Double(bits) => (Kind::Double, Operand::Const(Value::from_f64(f64::from_bits(*bits)))),
            Constant::Text(text) => (Kind::Reference, Operand::Global(self.lowering.string(text)?, 0)),
        };
        self.push(kind, value);
        Ok(())
    }

    fn local_access(&mut self, opcode: &Opcode<'_>) -> Lower<bool> {
        if let (Opcode::Aload(0), Some(receiver)) = (opcode, self.receiver) {
            self.push(Kind::Reference, receiver);
            return Ok(true);
        }
        let (slot, kind, is_load) = match opcode {
            Opcode::Iload(slot) => (*slot, Kind::Int, true),
            Opcode::Lload(slot) => (*slot, Kind::Long, true),
            Opcode::Fload(slot) => (*slot, Kind::Float, true),
            Opcode::Dload(slot) => (*slot, Kind::Double, true),
            Opcode::Aload(slot) => (*slot, Kind::Reference, true),
            Opcode::Istore(slot) => (*slot, Kind::Int, false),
            Opcode::Lstore(slot) => (*slot, Kind::Long, false),
            Opcode::Fstore(slot) => (*slot, Kind::Float, false),
            Opcode::Dstore(slot) => (*slot, Kind::Double, false),
            Opcode::Astore(slot) => (*slot, Kind::Reference, false),
            Opcode::Iinc(slot, by) => {
                let place = self.variable(*slot, Kind::Int);
                let old = self.load(place, Kind::Int.ty());
                let new = self.binary(BinaryOp::Add, old, Operand::int(32, i32::from(*by) as u32 as u128));
                self.store(place, new);
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let place = self.variable(slot, kind);
        if is_load {
            let value = self.load(place, kind.ty());
            self.push(kind, value);
        } else {
            let value = self.pop(kind)?;
            self.store(place, value);
        }
        Ok(true)
    }

    /// Instructions that copy and move entries. The forms with a `2` take one wide entry or two narrow ones.
    fn shuffle(&mut self, opcode: &Opcode<'_>) -> Lower<bool> {
        match opcode {
            Opcode::Nop => {}
            Opcode::Pop => drop(self.pop_any()?),
            Opcode::Pop2 => drop(self.pop_group()?),
            Opcode::Swap => {
                let (b, a) = (self.pop_any()?, self.pop_any()?);
                self.stack.extend([b, a]);
            }
            Opcode::Dup => {
                let top = self.pop_any()?;
                self.stack.extend([top, top]);
            }
            Opcode::DupX1 => {
                let (top, below) = (self.pop_any()?, self.pop_any()?);
                self.stack.extend([top, below, top]);
            }
            Opcode::DupX2 => {
                let (top, below) = (self.pop_any()?, self.pop_group()?);
                self.stack.push(top);
                self.stack.extend(below);
                self.stack.push(top);
            }
            Opcode::Dup2 => {
                let top = self.pop_group()?;
                self.stack.extend(top.iter().chain(&top));
            }
            Opcode::Dup2X1 => {
                let (top, below) = (self.pop_group()?, self.pop_any()?);
                self.stack.extend(&top);
                self.stack.push(below);
                self.stack.extend(&top);
            }
            Opcode::Dup2X2 => {
                let (top, below) = (self.pop_group()?, self.pop_group()?);
                self.stack.extend(top.iter().chain(&below).chain(&top));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// One wide entry or two narrow ones, from below.
    fn pop_group(&mut self) -> Lower<Vec<Entry>> {
        let top = self.pop_any()?;
        if top.kind.is_wide() {
            return Ok(vec![top]);
        }
        let below = self.pop_any()?;
        Ok(vec![below, top])
    }
}
