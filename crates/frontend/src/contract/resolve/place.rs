//! Places: variables, members, elements, what pointers point to.

use super::{Bound, Family, Resolver};
use crate::contract::scope;
use crate::contract::scope::Site;
use crate::contract::syntax::{Expr, ExprKind, Problem, Unary};
use clew_ir::contract::{Place, PlaceKind, Sort, Term, TermKind};
use clew_ir::{CType, CTypeId};

impl Resolver<'_> {
    /// The place an expression denotes.
    pub(crate) fn place(&mut self, expr: &Expr) -> Result<Place, Problem> {
        self.count(expr)?;
        match &*expr.kind {
            ExprKind::Name(name) if name == "\\result" => self.result(expr),
            ExprKind::Name(name) => self.named_place(expr, name),
            ExprKind::Named(_, inner) => self.place(inner),
            ExprKind::Unary(Unary::Deref, pointer) => {
                let pointer = self.term(pointer)?;
                self.deref(pointer, expr)
            }
            ExprKind::Index(base, index) => self.element(expr, base, index),
            ExprKind::Member(base, name) => {
                let base = self.place(base)?;
                self.member(base, name, expr)
            }
            ExprKind::Arrow(base, name) => {
                let pointer = self.term(base)?;
                let base = self.deref(pointer, expr)?;
                self.member(base, name, expr)
            }
            _ => Err(Problem::new(&expr.at, "this denotes no place in memory")),
        }
    }

    fn result(&mut self, expr: &Expr) -> Result<Place, Problem> {
        let Site::Contract { function, .. } = &self.site else {
            return Err(Problem::new(&expr.at, "`\\result` has a meaning only in the contract of a function"));
        };
        let ty = match self.program.ctypes.get(self.program.functions[*function].ty) {
            CType::Function { returns, .. } => *returns,
            _ => return Err(Problem::new(&expr.at, "the function has no known type")),
        };
        if matches!(self.program.ctypes.get(ty), CType::Void) {
            return Err(Problem::new(&expr.at, "the function returns nothing"));
        }
        Ok(Place { kind: PlaceKind::Result, ty })
    }

    fn named_place(&mut self, expr: &Expr, name: &str) -> Result<Place, Problem> {
        match self.bound(name) {
            Some(Bound::Term(Term { kind: TermKind::Value(place) | TermKind::Address(place), .. })) => {
                return Ok(place.clone());
            }
            Some(_) => return Err(Problem::new(&expr.at, format!("`{name}` is a value of the logic, not a place"))),
            None => {}
        }
        let place = scope::lookup(self.program, &self.site, name).ok_or_else(|| self.unknown_name(expr, name))?;
        self.variable_place(place, &expr.at)
    }

    /// The problem of a name that means nothing, with the nearest name that does.
    pub(super) fn unknown_name(&self, expr: &Expr, name: &str) -> Problem {
        let problem = Problem::new(&expr.at, format!("`{name}` is not known here"));
        let nearest = scope::visible(self.program, &self.site)
            .into_iter()
            .map(|it| (distance(&it, name), it))
            .filter(|(distance, it)| *distance <= it.len().max(name.len()) / 3)
            .min();
        match nearest {
            Some((0, _)) => problem.with_help("it is declared elsewhere in the function, not before this place"),
            Some((_, it)) => problem.with_help(format!("did you mean `{it}`?")),
            None => problem,
        }
    }

    /// What a pointer points to.
    pub(super) fn deref(&mut self, pointer: Term, at: &Expr) -> Result<Place, Problem> {
        let Family::Pointer(to) = self.family(pointer.sort) else {
            let found = self.sort_name(pointer.sort);
            return Err(Problem::new(&at.at, format!("expected a pointer, found {found}")));
        };
        if matches!(self.program.ctypes.get(to), CType::Void | CType::Function { .. }) {
            return Err(Problem::new(&at.at, "nothing can be read through this pointer")
                .with_help("cast it to a pointer to an object"));
        }
        Ok(Place { kind: PlaceKind::Deref(Box::new(pointer)), ty: to })
    }

    fn element(&mut self, expr: &Expr, base: &Expr, index: &Expr) -> Result<Place, Problem> {
        let base_term = self.term(base)?;
        let index = self.term(index)?;
        let index = self.integer(index, expr)?;
        if let TermKind::Address(place) = &base_term.kind
            && let CType::Array { of, .. } = self.program.ctypes.get(place.ty)
        {
            let ty = *of;
            return Ok(Place { kind: PlaceKind::Index(Box::new(place.clone()), Box::new(index)), ty });
        }
        let sort = base_term.sort;
        let pointer = Term { kind: TermKind::Offset(Box::new(base_term), Box::new(index)), sort };
        self.deref(pointer, expr)
    }

    fn member(&mut self, base: Place, name: &str, at: &Expr) -> Result<Place, Problem> {
        let CType::Record(_) = self.program.ctypes.get(base.ty) else {
            let found = self.sort_name(Sort::C(base.ty));
            return Err(Problem::new(&at.at, format!("{found} has no members")));
        };
        let Some(path) = self.member_path(base.ty, name) else {
            let found = self.sort_name(Sort::C(base.ty));
            return Err(Problem::new(&at.at, format!("{found} has no member `{name}`")));
        };
        Ok(path
            .into_iter()
            .fold(base, |place, (index, ty)| Place { kind: PlaceKind::Field(Box::new(place), index), ty }))
    }

    /// The way to a member, through anonymous structures and unions.
    fn member_path(&self, ty: CTypeId, name: &str) -> Option<Vec<(u32, CTypeId)>> {
        let CType::Record(record) = self.program.ctypes.get(ty) else { return None };
        let fields = &self.program.ctypes.records[*record].fields;
        if let Some(index) = fields.iter().position(|field| field.name == name) {
            return Some(vec![(index as u32, fields[index].ty)]);
        }
        fields.iter().enumerate().filter(|(_, field)| field.name.is_empty()).find_map(|(index, field)| {
            let mut path = self.member_path(field.ty, name)?;
            path.insert(0, (index as u32, field.ty));
            Some(path)
        })
    }

    /// The value a place holds; an array decays to the address of its first element.
    pub(super) fn value(&mut self, place: Place) -> Term {
        if let CType::Array { of, .. } = self.program.ctypes.get(place.ty) {
            let sort = self.pointer_sort(*of);
            return Term { kind: TermKind::Address(place), sort };
        }
        let sort = Sort::C(place.ty);
        Term { kind: TermKind::Value(place), sort }
    }
}

/// Edits between two words (Levenshtein 1966).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = corner + usize::from(x != *y);
            let best = change.min(row[j] + 1).min(row[j + 1] + 1);
            corner = std::mem::replace(&mut row[j + 1], best);
        }
    }
    row[b.len()]
}
