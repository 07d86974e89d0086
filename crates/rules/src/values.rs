//! Ground terms of a type: the smallest, all of a size, or one at random with equal chances.
//!
//! Terms of a size are counted by the recursive method (Flajolet, Zimmermann, Van Cutsem 1994): a constructor of size n
//! distributes n - 1 over its arguments. Recursion here is over sizes and types, never over terms.

use crate::tree::{Item, Tree};
use clew_frontend_rules::spec::{ConId, Spec, Type, TypeId};
use rustc_hash::FxHashMap;

/// The most types that are looked at for the smallest term of one.
const MOST_TYPES: usize = 2_000;

/// Integers in the order in which they are taken.
const INTEGERS: [i32; 6] = [0, 1, -1, 2, i32::MAX, i32::MIN];

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A source of random numbers.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound that is not zero.
    pub fn below(&mut self, bound: u128) -> u128 {
        let wide = u128::from(self.next()) << 64 | u128::from(self.next());
        wide % bound
    }
}

/// Terms of types.
#[derive(Debug)]
pub struct Values<'a> {
    spec: &'a Spec,
    /// What type parameters stand for.
    default: Type,
    least: FxHashMap<Type, usize>,
    counts: FxHashMap<(Type, usize), u128>,
}

impl<'a> Values<'a> {
    /// Terms of a specification. Type parameters stand for the first type without parameters that has infinitely many
    /// values, or for integers.
    pub fn new(spec: &'a Spec) -> Values<'a> {
        let mut values = Values { spec, default: Type::Int, least: FxHashMap::default(), counts: FxHashMap::default() };
        let ids = (0..spec.types.len() as u32).map(TypeId);
        let mut ground = ids.filter(|id| spec.types[id.index()].params == 0).map(|id| Type::Data(id, Vec::new()));
        if let Some(default) = ground.find(|ty| values.is_infinite(ty)) {
            values.default = default;
        }
        values
    }

    /// A type with its parameters replaced by the default type.
    pub fn concrete(&self, ty: &Type, params: usize) -> Type {
        ty.instantiate(&vec![self.default.clone(); params])
    }

    /// The types of the arguments of a constructor of a type.
    pub fn fields(&self, con: ConId, ty: &Type) -> Vec<Type> {
        let Type::Data(_, args) = ty else { return Vec::new() };
        self.spec.constructors[con.index()].fields.iter().map(|field| field.instantiate(args)).collect()
    }

    fn constructors(&self, ty: &Type) -> &'a [ConId] {
        match ty {
            Type::Data(id, _) => &self.spec.types[id.index()].constructors,
            Type::Int | Type::Param(_) => &[],
        }
    }

    /// The types that values of a type contain, itself included.
    fn parts(&self, ty: &Type) -> Vec<Type> {
        let mut parts = vec![ty.clone()];
        let mut at = 0;
        while at < parts.len() && parts.len() < MOST_TYPES {
            let part = parts[at].clone();
            for con in self.constructors(&part) {
                for field in self.fields(*con, &part) {
                    if !parts.contains(&field) {
                        parts.push(field);
                    }
                }
            }
            at += 1;
        }
        parts
    }

    /// Whether a type has infinitely many values: one of its parts contains itself.
    pub fn is_infinite(&self, ty: &Type) -> bool {
        let parts = self.parts(ty);
        let has_itself = |part: &Type| {
            let inner = self.constructors(part).iter().flat_map(|con| self.fields(*con, part));
            let inner: Vec<Type> = inner.collect();
            inner.iter().any(|field| self.parts(field).contains(part))
        };
        parts.len() >= MOST_TYPES || parts.iter().any(|part| *part == Type::Int || has_itself(part))
    }

    /// Whether values of a type contain integers.
    pub fn has_integers(&self, ty: &Type) -> bool {
        self.parts(ty).contains(&Type::Int)
    }

    /// The size of the smallest term of a type.
    pub fn least(&mut self, ty: &Type) -> usize {
        if let Some(known) = self.least.get(ty) {
            return *known;
        }
        let parts = self.parts(ty);
        let mut sizes: FxHashMap<Type, usize> = FxHashMap::default();
        for part in &parts {
            if matches!(part, Type::Int | Type::Param(_)) {
                sizes.insert(part.clone(), 1);
            }
        }
        loop {
            let mut changed = false;
            for part in &parts {
                let size = self.constructors(part).iter().filter_map(|con| {
                    self.fields(*con, part).iter().try_fold(1_usize, |sum, field| Some(sum + sizes.get(field)?))
                });
                if let Some(size) = size.min()
                    && sizes.get(part).is_none_or(|known| size < *known)
                {
                    sizes.insert(part.clone(), size);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        self.least.extend(sizes);
        *self.least.entry(ty.clone()).or_insert(usize::MAX / 2)
    }

    /// The first of the smallest terms of a type.
    pub fn smallest(&mut self, ty: &Type) -> Tree {
        let mut items = Vec::new();
        let mut work = vec![ty.clone()];
        while let Some(ty) = work.pop() {
            if matches!(ty, Type::Int | Type::Param(_)) {
                items.push(Item::Int(0));
                continue;
            }
            let cons = self.constructors(&ty);
            let size = |values: &mut Values<'_>, con: ConId| -> usize {
                values.fields(con, &ty).iter().map(|field| values.least(field)).fold(1, usize::saturating_add)
            };
            let con = *cons.iter().min_by_key(|con| size(self, **con)).expect("a data type has a constructor");
            let fields = self.fields(con, &ty);
            items.push(Item::Con(con, fields.len() as u32));
            work.extend(fields.into_iter().rev());
        }
        Tree { items }
    }

    /// So many of the smallest terms of a type, or all if there are fewer.
    pub fn smallest_ones(&mut self, ty: &Type, count: usize) -> Vec<Tree> {
        let mut found = Vec::new();
        let mut size = self.least(ty);
        // A size without terms can lie between two with terms; so many in a row only where there are no more.
        let mut empty = 0;
        let patience = 64 + size;
        while found.len() < count && empty < patience {
            let more = self.of_size(ty, size, count - found.len());
            empty = if more.is_empty() { empty + 1 } else { 0 };
            found.extend(more);
            size += 1;
        }
        found
    }

    /// The terms of a type that have a size, at most so many.
    pub fn of_size(&mut self, ty: &Type, size: usize, limit: usize) -> Vec<Tree> {
        if matches!(ty, Type::Int | Type::Param(_)) {
            let numbers = INTEGERS.into_iter().chain(3..).take(if size == 1 { limit } else { 0 });
            return numbers.map(|value| Tree { items: vec![Item::Int(value)] }).collect();
        }
        let mut found = Vec::new();
        for con in self.constructors(ty) {
            if found.len() >= limit || size == 0 {
                break;
            }
            let fields = self.fields(*con, ty);
            for args in self.tuples(&fields, size - 1, limit - found.len()) {
                found.push(Tree::construct(*con, &args));
            }
        }
        found
    }

    /// The tuples of terms of types that have a size together, at most so many.
    pub fn tuples(&mut self, types: &[Type], size: usize, limit: usize) -> Vec<Vec<Tree>> {
        let Some((first, rest)) = types.split_first() else {
            return if size == 0 && limit > 0 { vec![Vec::new()] } else { Vec::new() };
        };
        let needed: usize = rest.iter().map(|ty| self.least(ty)).fold(0, usize::saturating_add);
        let (low, high) = (self.least(first), size.saturating_sub(needed));
        let mut found = Vec::new();
        for own in low..=high {
            if found.len() >= limit {
                break;
            }
            if self.count(first, own) == 0 {
                continue;
            }
            let tails = self.tuples(rest, size - own, limit - found.len());
            if tails.is_empty() {
                continue;
            }
            for head in self.of_size(first, own, limit - found.len()) {
                for tail in &tails {
                    if found.len() < limit {
                        found.push(std::iter::once(head.clone()).chain(tail.iter().cloned()).collect());
                    }
                }
            }
        }
        found
    }

    /// How many terms of a type have a size; integers count once.
    pub fn count(&mut self, ty: &Type, size: usize) -> u128 {
        if matches!(ty, Type::Int | Type::Param(_)) {
            return u128::from(size == 1);
        }
        if size < self.least(ty) {
            return 0;
        }
        if let Some(known) = self.counts.get(&(ty.clone(), size)) {
            return *known;
        }
        let mut sum = 0_u128;
        for con in self.constructors(ty) {
            let fields = self.fields(*con, ty);
            sum = sum.saturating_add(self.count_tuples(&fields, size - 1));
        }
        self.counts.insert((ty.clone(), size), sum);
        sum
    }

    /// How many tuples of terms of types have a size together.
    pub fn count_tuples(&mut self, types: &[Type], size: usize) -> u128 {
        let Some((first, rest)) = types.split_first() else { return u128::from(size == 0) };
        if rest.is_empty() {
            return self.count(first, size);
        }
        let needed: usize = rest.iter().map(|ty| self.least(ty)).fold(0, usize::saturating_add);
        let mut sum = 0_u128;
        for own in self.least(first)..=size.saturating_sub(needed) {
            let heads = self.count(first, own);
            if heads > 0 {
                sum = sum.saturating_add(heads.saturating_mul(self.count_tuples(rest, size - own)));
            }
        }
        sum
    }

    /// A term of at most a size, all with equal chances; the smallest if there is none.
    pub fn random(&mut self, ty: &Type, most: usize, random: &mut Random) -> Tree {
        let total = (1..=most).fold(0_u128, |sum, size| sum.saturating_add(self.count(ty, size)));
        if total == 0 {
            return self.smallest(ty);
        }
        let mut number = random.below(total);
        for size in 1..=most {
            let count = self.count(ty, size);
            if number < count {
                return self.random_of_size(ty, size, random);
            }
            number -= count;
        }
        self.smallest(ty)
    }

    fn random_of_size(&mut self, ty: &Type, size: usize, random: &mut Random) -> Tree {
        let mut items = Vec::new();
        let mut work = vec![(ty.clone(), size)];
        while let Some((ty, size)) = work.pop() {
            if matches!(ty, Type::Int | Type::Param(_)) {
                items.push(Item::Int(random.below(1 << 32) as u32 as i32));
                continue;
            }
            let mut number = random.below(self.count(&ty, size).max(1));
            for con in self.constructors(&ty) {
                let fields = self.fields(*con, &ty);
                let count = self.count_tuples(&fields, size - 1);
                if number < count {
                    items.push(Item::Con(*con, fields.len() as u32));
                    let sizes = self.random_sizes(&fields, size - 1, random);
                    work.extend(fields.into_iter().zip(sizes).rev());
                    break;
                }
                number -= count;
            }
        }
        Tree { items }
    }

    /// How a size is distributed over types, weighted by the number of terms.
    fn random_sizes(&mut self, types: &[Type], size: usize, random: &mut Random) -> Vec<usize> {
        let mut sizes = Vec::new();
        let mut left = size;
        for (index, ty) in types.iter().enumerate() {
            let rest = &types[index + 1..];
            let mut number = random.below(self.count_tuples(&types[index..], left).max(1));
            for own in self.least(ty)..=left {
                let count = self.count(ty, own).saturating_mul(self.count_tuples(rest, left - own));
                if number < count {
                    sizes.push(own);
                    left -= own;
                    break;
                }
                number -= count;
            }
        }
        sizes
    }
}
