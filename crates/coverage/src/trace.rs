//! What a run did, as far as criteria care.

use crate::label::LabelId;
use clew_ir::{BlockId, FunctionId};
use serde::{Deserialize, Serialize};

/// One step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Mark {
    /// A function with a body was entered; its first block begins.
    Enter(FunctionId),
    /// Control came to a block of the running function.
    Block(BlockId),
    /// The predicate of a label held.
    Label(LabelId),
    /// The running function returned.
    Leave,
}

/// A run, from the entry of the function under test.
pub type Trace = Vec<Mark>;
