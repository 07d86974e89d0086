//! Helper methods of a test class, for what it cannot name or make otherwise.

/// Which helpers a file uses.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each helper is there or not")]
pub(super) struct Helpers {
    pub(super) make: bool,
    pub(super) implement: bool,
    pub(super) set: bool,
    pub(super) put: bool,
    pub(super) get: bool,
    pub(super) call: bool,
    pub(super) construct: bool,
}

const MAKE: &str = r#"
    private static Object make(Class<?> type) throws ReflectiveOperationException {
        return unsafe().allocateInstance(type);
    }
"#;

const UNSAFE: &str = r#"
    private static sun.misc.Unsafe unsafe() throws ReflectiveOperationException {
        java.lang.reflect.Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        return (sun.misc.Unsafe) field.get(null);
    }
"#;

const IMPLEMENT: &str = r#"
    private static Object implement(java.util.List<Object> answers, Class<?>... types) {
        ClassLoader loader = types.length == 0 ? ClassLoader.getSystemClassLoader() : types[0].getClassLoader();
        return java.lang.reflect.Proxy.newProxyInstance(loader, types, (proxy, method, values) -> {
            return method.getReturnType() == void.class ? null : answers.remove(0);
        });
    }
"#;

const SET: &str = r#"
    private static void set(Class<?> type, Object object, String name, Object value) throws ReflectiveOperationException {
        java.lang.reflect.Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        field.set(object, value);
    }
"#;

const PUT: &str = r#"
    private static void put(Class<?> type, Object object, String name, Object value) throws ReflectiveOperationException {
        java.lang.reflect.Field field = type.getDeclaredField(name);
        long at = unsafe().objectFieldOffset(field);
        if (!field.getType().isPrimitive()) unsafe().putObject(object, at, value);
        else if (value instanceof Boolean) unsafe().putBoolean(object, at, (Boolean) value);
        else if (value instanceof Byte) unsafe().putByte(object, at, (Byte) value);
        else if (value instanceof Character) unsafe().putChar(object, at, (Character) value);
        else if (value instanceof Short) unsafe().putShort(object, at, (Short) value);
        else if (value instanceof Integer) unsafe().putInt(object, at, (Integer) value);
        else if (value instanceof Long) unsafe().putLong(object, at, (Long) value);
        else if (value instanceof Float) unsafe().putFloat(object, at, (Float) value);
        else unsafe().putDouble(object, at, (Double) value);
    }
"#;

const GET: &str = r#"
    private static Object get(Class<?> type, Object object, String name) throws ReflectiveOperationException {
        java.lang.reflect.Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(object);
    }
"#;

const CALL: &str = r#"
    private static Object call(Class<?> type, String name, Class<?>[] types, Object receiver, Object[] values) throws Throwable {
        java.lang.reflect.Method method = type.getDeclaredMethod(name, types);
        method.setAccessible(true);
        try {
            return method.invoke(receiver, values);
        } catch (java.lang.reflect.InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
"#;

const CONSTRUCT: &str = r#"
    private static Object construct(Class<?> type, Class<?>[] types, Object[] values) throws Throwable {
        java.lang.reflect.Constructor<?> constructor = type.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        try {
            return constructor.newInstance(values);
        } catch (java.lang.reflect.InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
"#;

impl Helpers {
    /// Whether objects come to be otherwise than by constructors and assignments.
    pub(super) fn uses_reflection(self) -> bool {
        self.make || self.set || self.put
    }

    /// The helpers that are used.
    pub(super) fn text(self) -> String {
        let all = [
            (self.make, MAKE),
            (self.make || self.put, UNSAFE),
            (self.implement, IMPLEMENT),
            (self.set, SET),
            (self.put, PUT),
            (self.get, GET),
            (self.call, CALL),
            (self.construct, CONSTRUCT),
        ];
        all.into_iter().filter(|(is_used, _)| *is_used).map(|(_, text)| text).collect()
    }
}
