//! A C text loaded for tests, and short ways to say inputs and to read paths.

use clew_execute::native::{Native, Options};
use clew_execute::{Content, Event, Input, InputObject, Observation, PointerTarget, StoredPointer};
use clew_ir::{CTypeId, GlobalId, Program};
use std::sync::atomic::{AtomicU32, Ordering};

/// A loaded program.
pub(crate) struct Subject {
    pub(crate) program: Program,
}

impl Subject {
    /// Loads a C text.
    pub(crate) fn new(text: &str) -> Subject {
        Subject::units(&[text])
    }

    /// Loads several translation units.
    pub(crate) fn units(texts: &[&str]) -> Subject {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let directory = std::env::temp_dir().join(format!("native-test-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let files: Vec<_> = (0..texts.len()).map(|index| directory.join(format!("subject{index}.c"))).collect();
        for (file, text) in files.iter().zip(texts) {
            std::fs::write(file, text).unwrap();
        }
        let loaded = clew_frontend::load(&clew_frontend::Options { files, ..Default::default() }).unwrap();
        std::fs::remove_dir_all(&directory).unwrap();
        assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
        Subject { program: loaded.program }
    }

    /// Builds a function.
    pub(crate) fn build(&self, name: &str, options: &Options) -> Native<'_> {
        let function = self.program.function(name).unwrap();
        Native::build(&self.program, function, options).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The global of that name.
    pub(crate) fn global(&self, name: &str) -> GlobalId {
        self.program.globals.iter().find(|(_, global)| global.name == name).unwrap().0
    }
}

/// An input of arguments alone.
pub(crate) fn arguments(arguments: Vec<Content>) -> Input {
    Input { arguments, ..Input::default() }
}

/// Bytes without pointers.
pub(crate) fn bytes(bytes: &[u8]) -> Content {
    Content { bytes: bytes.to_vec(), pointers: Vec::new() }
}

/// An `int`.
pub(crate) fn int(value: i32) -> Content {
    bytes(&value.to_ne_bytes())
}

/// An array of `int`.
pub(crate) fn ints(values: &[i32]) -> InputObject {
    let content = bytes(&values.iter().flat_map(|value| value.to_ne_bytes()).collect::<Vec<_>>());
    object(content)
}

/// An object; its element type matters to no native test.
pub(crate) fn object(content: Content) -> InputObject {
    InputObject {
        name: "object".to_owned(),
        element: CTypeId::new(0),
        count: 1,
        content,
        residue: None,
        ordered: false,
    }
}

/// A pointer to an object of the input.
pub(crate) fn pointer(object: usize) -> Content {
    pointer_to(PointerTarget::Object(object, 0))
}

/// A pointer anywhere.
pub(crate) fn pointer_to(target: PointerTarget) -> Content {
    Content { bytes: vec![0; 8], pointers: vec![StoredPointer { at: 0, target }] }
}

/// The path as letters: `T` and `F` for conditions, the number of the arm for switches.
pub(crate) fn path(observation: &Observation) -> String {
    let step = |event: &Event| match event {
        Event::Condition { outcome: true, .. } => "T".to_owned(),
        Event::Condition { outcome: false, .. } => "F".to_owned(),
        Event::Switch { arm, .. } => arm.to_string(),
    };
    observation.path.iter().map(step).collect()
}

/// A result of type `int`.
pub(crate) fn int_result(observation: &Observation) -> i32 {
    i32::from_ne_bytes(observation.result.as_slice().try_into().unwrap())
}
