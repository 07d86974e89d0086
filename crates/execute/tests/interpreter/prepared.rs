//! Calling functions with prepared memory, as test generation does.

use clew_execute::memory::{Contents, Origin};
use clew_execute::{Captured, Checks, Image, Limits, Machine, Outcome, Silent};
use clew_scalar::Value;

#[test]
fn objects_can_be_prepared_and_read_back() {
    let program = super::program(
        "reverse.c",
        "int total;\nvoid reverse(int *a, int n) {\n  for (int i = 0; i < n / 2; i++) { int t = a[i]; a[i] = a[n - 1 - i]; a[n - 1 - i] = t; }\n  total += n;\n}\n",
    );
    let reverse = program.function("reverse").expect("there is a reverse");
    let image = Image::new(&program, Checks::ALL);
    let mut io = Captured::default();
    let mut machine = Machine::new(&image, Limits::default(), &mut io, Silent);
    let array = machine.memory.allocate(12, 4, Origin::Input(0), Contents::Unwritten).expect("twelve bytes are free");
    machine.memory.write(array, &[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]).expect("the object has twelve bytes");
    let args = [Value::int(64, array.into()), Value::int(32, 3)];
    assert_eq!(machine.call(reverse, &args), Outcome::Returned(None));
    assert_eq!(machine.memory.read(array, 12).expect("all is written"), [3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0]);
    let (total, _) = program.globals.iter().find(|(_, global)| global.name == "total").expect("there is a total");
    let total = image.global_address(total);
    assert_eq!(machine.memory.load(total).map(i32::from_le_bytes), Ok(3));
    // The machine can be used again, and stops where the object ends.
    let args = [Value::int(64, array.into()), Value::int(32, 4)];
    assert!(matches!(machine.call(reverse, &args), Outcome::Failed(_)));
}
