//! Tables of constants, each kept once.

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// A table: an index into the tables of an arena of terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableId(u32);

/// Entries of one width.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    width: u8,
    entries: Arc<[u128]>,
}

impl Table {
    /// The width of an entry in bits.
    pub fn width(&self) -> u8 {
        self.width
    }

    /// All entries in order.
    pub fn all(&self) -> &[u128] {
        &self.entries
    }

    /// The entry at an index; zero beyond the end.
    pub fn at(&self, index: u128) -> u128 {
        usize::try_from(index).ok().and_then(|index| self.entries.get(index)).copied().unwrap_or(0)
    }
}

/// The tables of an arena.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    all: Vec<Table>,
    ids: FxHashMap<Table, TableId>,
}

impl Tables {
    pub(super) fn intern(&mut self, width: u8, entries: &[u128]) -> TableId {
        let table = Table { width, entries: entries.into() };
        if let Some(&id) = self.ids.get(&table) {
            return id;
        }
        let id = TableId(self.len());
        self.all.push(table.clone());
        self.ids.insert(table, id);
        id
    }

    pub(super) fn get(&self, table: TableId) -> &Table {
        &self.all[table.0 as usize]
    }

    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.all.len()).expect("there are fewer than 2^32 tables")
    }

    /// Drops all but the first tables.
    pub(super) fn truncate(&mut self, kept: u32) {
        for table in self.all.drain(kept as usize..) {
            self.ids.remove(&table);
        }
    }
}
