//! One translation unit through rucc: tokens, tree, types.
//!
//! The text is already preprocessed; rucc's preprocessor only reads line markers and pragmas in it. Spans of the tree
//! are byte offsets into the text, because the text is the first file of the source map.

use crate::preprocess::{Preprocessed, Standard};
use clew_ir::Target;
use rucc_base::Interner;
use rucc_diag::SourceMap;
use rucc_lex::{Convert, Keywords};
use rucc_sema::Tast;
use rucc_session::{MemoryFileSystem, SearchPath, Std};
use rucc_target::{TargetInfo, Triple};
use rucc_types::Types;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// Stack for the recursive descent of rucc and of the lowering.
const STACK_BYTES: usize = 1 << 30;

/// A type-checked translation unit.
pub(crate) struct Checked {
    pub(crate) names: Interner,
    pub(crate) target: TargetInfo,
    pub(crate) tast: Tast,
    pub(crate) types: Types,
    /// Errors, with offsets into the text.
    pub(crate) errors: Vec<rucc_diag::Diagnostic>,
}

thread_local! {
    /// Whether a panic of this thread is caught and reported as a diagnostic.
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` on a thread with a stack deep enough for real code.
pub(crate) fn on_big_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work).expect("the system has memory left");
    match thread.join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// Parses and checks a unit; fails with the message of a panic inside rucc.
pub(crate) fn check(unit: &Preprocessed) -> Result<Checked, String> {
    catch(|| check_unit(unit))
}

/// The result of `work`, or the message of its panic.
pub(crate) fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !IS_CAUGHT.get() {
                report(info);
            }
        }));
    });
    let outer = IS_CAUGHT.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    IS_CAUGHT.set(outer);
    result.map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
        text.unwrap_or("unknown reason").to_owned()
    })
}

fn check_unit(unit: &Preprocessed) -> Checked {
    let std = dialect(unit.standard);
    let mut names = Interner::new();
    let keywords = Keywords::new(&mut names, std, true);
    let mut target = TargetInfo::new(triple(unit.target));
    target.char_is_signed = unit.target.char_signed;
    let (tokens, mut errors) = tokens(unit, &mut names);
    let convert = Convert { keywords: &keywords, interner: &names, target: &target, std, gnu: true, pedantic: false };
    let (tokens, more) = rucc_lex::convert(&tokens, &convert);
    errors.extend(more);
    let mut context = rucc_parse::Context::new(&names, std);
    context.error_limit = 0;
    let parsed = rucc_parse::parse(&tokens, context);
    errors.extend(parsed.diagnostics);
    let defined = defined(&parsed.ast, &names);
    let mut context = rucc_sema::Context::new(&names, &target, std);
    context.error_limit = 0;
    context.no_builtin = &defined;
    context.permissive = true;
    context.short_enums = unit.semantics.short_enums;
    let mut checker = rucc_sema::Checker::new(&parsed.ast, context);
    checker.check_unit();
    let checked = checker.finish();
    errors.extend(checked.diagnostics);
    errors.retain(|error| error.severity.is_fatal());
    Checked { names, target, tast: checked.tast, types: checked.types, errors }
}

/// The functions that a unit defines: a call of one means it, even if the library has one of that name.
fn defined(ast: &rucc_ast::Ast, names: &Interner) -> Vec<String> {
    let definition = |id: &rucc_ast::DeclId| match ast[*id] {
        rucc_ast::Decl::Function { declarator, .. } => ast[declarator].name,
        _ => None,
    };
    ast.top_level().iter().filter_map(definition).map(|name| names.resolve(name).to_owned()).collect()
}

fn tokens(unit: &Preprocessed, names: &mut Interner) -> (Vec<rucc_lex::PpToken>, Vec<rucc_diag::Diagnostic>) {
    let mut sources = SourceMap::new();
    let Ok(file) = sources.add(unit.unit.path.as_str(), unit.unit.text.clone()) else {
        let error = rucc_diag::Diagnostic::error("the file is larger than 4 GB", rucc_diag::Span::new(0, 0));
        return (Vec::new(), vec![error]);
    };
    let files = MemoryFileSystem::new();
    let search = SearchPath::new();
    let mut context = rucc_pp::Context::new(names, &mut sources, &files, &search);
    let mut preprocessor = rucc_pp::Preprocessor::new();
    let tokens = preprocessor.run(file, &mut context).into_iter().map(rucc_pp::Tok::to_pp).collect();
    (tokens, preprocessor.take_diagnostics())
}

fn dialect(standard: Standard) -> Std {
    match standard {
        Standard::C89 => Std::C89,
        Standard::C99 => Std::C99,
        Standard::C11 => Std::C11,
        Standard::C17 => Std::C17,
        Standard::C23 => Std::C23,
    }
}

/// The machine rucc knows that has the data model.
fn triple(target: Target) -> Triple {
    let name = match (target.pointer_width, target.long_width) {
        (32, _) => "i686-unknown-linux-gnu",
        (_, 32) => "x86_64-pc-windows-gnu",
        _ => "x86_64-unknown-linux-gnu",
    };
    name.parse().expect("rucc knows the targets named here")
}
