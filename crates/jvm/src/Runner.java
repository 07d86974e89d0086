// Runs tests of clew in a JVM that lives as long as they do.
//
// A request is a few lines: objects, what they hold, arguments, and the method to call. Each test gets classes of its own,
// so that static fields are as class initialisation leaves them. Conditional jumps and switches of the classes under test
// are instrumented; what they did is part of the answer. The protocol is described in `machine.rs`.

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.internal.misc.Unsafe;
import jdk.internal.org.objectweb.asm.ClassReader;
import jdk.internal.org.objectweb.asm.ClassVisitor;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;
import jdk.internal.org.objectweb.asm.Type;

public final class Runner {
    private static final int MOST_EVENTS = 1_000_000;
    private static final int API = Opcodes.ASM8;
    private static final PrintStream OUT = System.out;
    private static int[] events = new int[1024];
    private static int count;
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final Map<String, byte[]> INSTRUMENTED = new HashMap<>();
    /** Numbers of methods under test by class, name and descriptor. */
    private static final Map<String, Integer> METHODS = new HashMap<>();
    private static final Set<String> CLASSES = new HashSet<>();
    /** Classes that are initialised before each test. */
    private static final List<String> INITIALISED = new ArrayList<>();
    /** The classes whose static fields are shown. */
    private static final Loader SHOWN = new Loader();

    private Runner() { }

    /** Ends a test that has used its time, at the next branch of its code. */
    private static final class Expired extends Error {
        Expired() { super(null, null, false, false); }
    }

    /** Whether the test that runs has used its time. */
    private static volatile boolean expired;

    /** Called by instrumented code: what the branch of a number did in a method. */
    public static void hit(int outcome, int method, int branch) {
        if (expired) throw new Expired();
        if (count + 3 > events.length && count < 3 * MOST_EVENTS) events = java.util.Arrays.copyOf(events, 2 * events.length);
        if (count + 3 > events.length) return;
        events[count++] = method;
        events[count++] = branch;
        events[count++] = outcome;
    }

    /** The test that runs. */
    private static Test current;

    /** Called by subclasses made here: what a method of one returns. */
    public static Object answer(Object object, String method, Object other) {
        return current.answer(object, method, new Object[] {other});
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream silent = new PrintStream(new ByteArrayOutputStream());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        System.setIn(InputStream.nullInputStream());
        OUT.print("READY\n");
        OUT.flush();
        List<String[]> lines = new ArrayList<>();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("C")) {
                METHODS.clear();
                CLASSES.clear();
                INITIALISED.clear();
                INSTRUMENTED.clear();
            } else if (words[0].equals("M")) {
                METHODS.put(words[1] + " " + words[2] + " " + words[3], METHODS.size());
                CLASSES.add(words[1]);
            } else if (words[0].equals("W")) {
                INITIALISED.add(words[1]);
            } else if (words[0].equals("SHOW")) {
                System.setOut(silent);
                System.setErr(silent);
                new Show(lines).answer();
                lines = new ArrayList<>();
            } else if (words[0].equals("GO")) {
                ByteArrayOutputStream printed = new ByteArrayOutputStream();
                System.setOut(new PrintStream(printed));
                System.setErr(silent);
                answer(lines, words);
                lines = new ArrayList<>();
            } else {
                lines.add(words);
            }
        }
    }

    private static void answer(List<String[]> lines, String[] call) throws Exception {
        StringBuilder answer = new StringBuilder();
        begun = false;
        expired = false;
        Thread worker = new Thread(null, () -> {
            try {
                new Test(new Loader()).run(lines, call, answer);
            } catch (Throwable failed) {
                answer.setLength(0);
                // Without what tells loaders of one class apart.
                answer.append("X ").append(failed.toString().replace('\n', ' ').replaceAll("@[0-9a-f]+", "")).append('\n');
            }
        }, "test", 1L << 22);
        worker.setDaemon(true);
        worker.start();
        await(worker, Long.parseLong(call[4]));
        if (worker.isAlive()) {
            expired = true;
            worker.join(GRACE);
            boolean goesOn = worker.isAlive();
            OUT.print(goesOn ? "LX\nEND\n" : "L\nEND\n");
            OUT.flush();
            if (goesOn) Runtime.getRuntime().halt(0);
            return;
        }
        OUT.print(answer);
        OUT.print("END\n");
        OUT.flush();
    }

    /** Milliseconds after which the time of the processor is looked at. */
    private static final long QUICK = 100;
    /** A test that waits for something has so many times the time it may use of the processor. */
    private static final long PATIENCE = 10;
    /** Milliseconds that a test has to end at one of its branches once its time is used. */
    private static final long GRACE = 500;
    /** Milliseconds that classes have to be initialised. */
    private static final long START = 60_000;
    /** Whether the test has begun: what comes before is not its business. */
    private static volatile boolean begun;

    /** Waits until a test ends or has used its time of the processor, which does not depend on what else runs. */
    private static void await(Thread worker, long limit) throws InterruptedException {
        worker.join(QUICK);
        if (!worker.isAlive()) return;
        java.lang.management.ThreadMXBean times = java.lang.management.ManagementFactory.getThreadMXBean();
        long before = 0;
        long waited = QUICK;
        for (long starting = 0; worker.isAlive() && waited < PATIENCE * limit && starting < START; worker.join(QUICK)) {
            long used = times.getThreadCpuTime(worker.getId()) / 1_000_000;
            if (begun) {
                waited += QUICK;
            } else {
                starting += QUICK;
                before = used;
            }
            if (used - before > limit) return;
        }
    }

    /** One test with its objects. */
    private static final class Test {
        private final Loader loader;
        private final Map<Integer, Object> objects = new HashMap<>();
        /** What calls of implementations return, in order. */
        private final java.util.ArrayDeque<String[]> answers = new java.util.ArrayDeque<>();
        private boolean running;
        private int extended;
        /** A method of an implementation that was called otherwise than predicted. */
        private String unexpected;

        Test(Loader loader) { this.loader = loader; }

        void run(List<String[]> lines, String[] call, StringBuilder answer) throws Exception {
            for (String[] line : lines) make(line, call[2] + call[3]);
            for (String[] line : lines) fill(line);
            List<Object> arguments = new ArrayList<>();
            for (String[] line : lines) if (line[0].equals("P")) arguments.add(value(line[1]));
            for (String[] line : lines) if (line[0].equals("K")) answers.add(line);
            Class<?> owner = loader.type(call[1]);
            boolean constructs = call[2].equals("<init>");
            Class<?>[] types = loader.parameters(call[3]);
            Object receiver = null;
            Method method = null;
            Constructor<?> constructor = null;
            if (constructs && Modifier.isAbstract(owner.getModifiers())) {
                constructor = extended(owner, types, "").getDeclaredConstructor(types);
                constructor.setAccessible(true);
            } else if (constructs) {
                constructor = owner.getDeclaredConstructor(types);
                constructor.setAccessible(true);
            } else {
                method = owner.getDeclaredMethod(call[2], types);
                method.setAccessible(true);
                if (!Modifier.isStatic(method.getModifiers())) receiver = arguments.remove(0);
            }
            for (String name : INITIALISED) {
                try {
                    Class.forName(name.replace('/', '.'), true, loader);
                } catch (Throwable failed) {
                    // It fails in the test, too, where that matters.
                }
            }
            Class.forName(owner.getName(), true, loader);
            Object[] passed = arguments.toArray();
            Method required = required(owner, call[2], types);
            count = 0;
            begun = true;
            running = true;
            try {
                if (required != null) required.invoke(receiver, passed);
                Object result = constructs ? constructor.newInstance(passed) : method.invoke(receiver, passed);
                running = false;
                int seen = count;
                answer.append("R ").append(constructs ? "V" : spell(result, method.getReturnType())).append('\n');
                count = seen;
            } catch (InvocationTargetException thrown) {
                running = false;
                answer.append("T ").append(thrown.getCause().getClass().getName().replace('.', '/')).append('\n');
            }
            if (unexpected != null) throw new IllegalStateException("an unexpected call of " + unexpected);
            int seen = count;
            for (String[] line : lines) report(line, answer);
            answer.append('B');
            for (int at = 0; at < seen; at++) answer.append(' ').append(events[at]);
            answer.append('\n');
        }

        /** The precondition of a method, whose branches are part of the path. */
        private static Method required(Class<?> owner, String name, Class<?>[] types) {
            String of = name.startsWith("clew$ensures$") ? name.substring(13) : name.equals("<init>") ? "init" : name;
            try {
                Method method = owner.getDeclaredMethod("clew$requires$" + of, types);
                method.setAccessible(true);
                return method;
            } catch (NoSuchMethodException none) {
                return null;
            }
        }

        private void make(String[] line, String tested) throws Exception {
            switch (line[0]) {
                case "O": {
                    boolean known = !line[2].endsWith("#other");
                    Class<?> type = known ? loader.type(line[2]) : extended(loader.type(line[2].substring(0, line[2].length() - 6)), null, tested);
                    objects.put(Integer.parseInt(line[1]), UNSAFE.allocateInstance(type));
                    break;
                }
                case "Y": objects.put(Integer.parseInt(line[1]), loader.type(line[2])); break;
                case "A": objects.put(Integer.parseInt(line[1]), Array.newInstance(loader.descriptor(line[2]), Integer.parseInt(line[3]))); break;
                case "I": objects.put(Integer.parseInt(line[1]), Proxy.newProxyInstance(loader, implemented(line[2]), (proxy, method, values) -> answer(proxy, method.getName(), values))); break;
                case "S": {
                    char[] text = new char[line[2].length() / 4];
                    for (int i = 0; i < text.length; i++) text[i] = (char) Integer.parseInt(line[2].substring(4 * i, 4 * i + 4), 16);
                    objects.put(Integer.parseInt(line[1]), new String(text));
                    break;
                }
                default:
            }
        }

        /** A subclass whose methods return what the test says, but for the one that is tested; with a constructor if it has types. */
        private Class<?> extended(Class<?> type, Class<?>[] types, String tested) throws Exception {
            String known = type.getName().replace('.', '/');
            boolean isOwn = type.getClassLoader() == loader;
            String name = (isOwn && known.contains("/") ? known.substring(0, known.lastIndexOf('/') + 1) : "") + "Clew$" + extended++;
            ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
            writer.visit(Opcodes.V1_5, Opcodes.ACC_PUBLIC, name, null, known, null);
            if (types != null) construct(writer, known, type.getDeclaredConstructor(types));
            Set<String> done = new HashSet<>(List.of("finalize()V", tested));
            java.util.ArrayDeque<Class<?>> above = new java.util.ArrayDeque<>(List.of(type));
            while (!above.isEmpty()) {
                Class<?> at = above.poll();
                for (Method method : at.getDeclaredMethods()) extend(writer, method, done, isOwn);
                if (at.getSuperclass() != null) above.addFirst(at.getSuperclass());
                above.addAll(List.of(at.getInterfaces()));
            }
            writer.visitEnd();
            byte[] bytes = writer.toByteArray();
            current = this;
            return loader.define(name.replace('/', '.'), bytes);
        }

        /** A constructor that hands its arguments on. */
        private static void construct(ClassWriter writer, String base, Constructor<?> of) {
            String descriptor = Type.getConstructorDescriptor(of);
            MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", descriptor, null, null);
            code.visitCode();
            code.visitVarInsn(Opcodes.ALOAD, 0);
            int slot = 1;
            for (Type type : Type.getArgumentTypes(descriptor)) {
                code.visitVarInsn(type.getOpcode(Opcodes.ILOAD), slot);
                slot += type.getSize();
            }
            code.visitMethodInsn(Opcodes.INVOKESPECIAL, base, "<init>", descriptor, false);
            code.visitInsn(Opcodes.RETURN);
            code.visitMaxs(0, 0);
            code.visitEnd();
        }

        private static void extend(ClassWriter writer, Method method, Set<String> done, boolean isOwn) {
            String descriptor = Type.getMethodDescriptor(method);
            int flags = method.getModifiers();
            boolean isSeen = Modifier.isPublic(flags) || Modifier.isProtected(flags) || isOwn;
            if (!done.add(method.getName() + descriptor) || Modifier.isStatic(flags) || Modifier.isFinal(flags) || Modifier.isPrivate(flags) || !isSeen) return;
            int access = flags & (Modifier.PUBLIC | Modifier.PROTECTED);
            MethodVisitor code = writer.visitMethod(access, method.getName(), descriptor, null, null);
            code.visitCode();
            code.visitVarInsn(Opcodes.ALOAD, 0);
            code.visitLdcInsn(method.getName());
            boolean compares = method.getName().equals("equals") && descriptor.equals("(Ljava/lang/Object;)Z");
            code.visitVarInsn(Opcodes.ALOAD, compares ? 1 : 0);
            code.visitMethodInsn(Opcodes.INVOKESTATIC, "Runner", "answer", "(Ljava/lang/Object;Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/Object;", false);
            Class<?> gives = method.getReturnType();
            if (gives == void.class) {
                code.visitInsn(Opcodes.POP);
                code.visitInsn(Opcodes.RETURN);
            } else if (gives.isPrimitive()) {
                String box = Type.getInternalName(java.lang.invoke.MethodType.methodType(gives).wrap().returnType());
                code.visitTypeInsn(Opcodes.CHECKCAST, box);
                code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, box, gives.getName() + "Value", "()" + Type.getDescriptor(gives), false);
                code.visitInsn(Type.getType(gives).getOpcode(Opcodes.IRETURN));
            } else {
                code.visitTypeInsn(Opcodes.CHECKCAST, Type.getInternalName(gives));
                code.visitInsn(Opcodes.ARETURN);
            }
            code.visitMaxs(0, 0);
            code.visitEnd();
        }

        private Class<?>[] implemented(String name) throws ClassNotFoundException {
            if (name.equals("java/lang/Object")) return new Class<?>[0];
            return new Class<?>[] {loader.type(name)};
        }

        /** What a call of a method of an implementation returns. */
        private Object answer(Object proxy, String method, Object[] values) {
            if (!running) {
                switch (method) {
                    case "hashCode": return System.identityHashCode(proxy);
                    case "equals": return proxy == values[0];
                    default: return "an implementation";
                }
            }
            String[] next = answers.poll();
            if (next == null || !next[1].equals(method)) {
                unexpected = method;
                throw new UnsupportedOperationException(unexpected);
            }
            return next[2].equals("V") ? null : value(next[2]);
        }

        private void fill(String[] line) throws Exception {
            if (line[0].equals("F")) {
                Object object = objects.get(Integer.parseInt(line[1]));
                put(object, field(line), value(line[4]));
            } else if (line[0].equals("E")) {
                Array.set(objects.get(Integer.parseInt(line[1])), Integer.parseInt(line[2]), value(line[3]));
            }
        }

        private Field field(String[] line) throws Exception {
            Field field = Show.declared(loader.type(line[2]), line[3]);
            if (field == null) throw new NoSuchFieldException(line[3]);
            return field;
        }

        /** Sets a field whatever its modifiers say. */
        private static void put(Object object, Field field, Object value) {
            long at = UNSAFE.objectFieldOffset(field);
            Class<?> type = field.getType();
            if (type == int.class) UNSAFE.putInt(object, at, (Integer) value);
            else if (type == long.class) UNSAFE.putLong(object, at, (Long) value);
            else if (type == boolean.class) UNSAFE.putBoolean(object, at, (Boolean) value);
            else if (type == byte.class) UNSAFE.putByte(object, at, (Byte) value);
            else if (type == short.class) UNSAFE.putShort(object, at, (Short) value);
            else if (type == char.class) UNSAFE.putChar(object, at, (Character) value);
            else if (type == float.class) UNSAFE.putFloat(object, at, (Float) value);
            else if (type == double.class) UNSAFE.putDouble(object, at, (Double) value);
            else UNSAFE.putReference(object, at, value);
        }

        /** What fields and elements hold afterwards. */
        private void report(String[] line, StringBuilder answer) throws Exception {
            if (line[0].equals("F")) {
                Object object = objects.get(Integer.parseInt(line[1]));
                Field field = field(line);
                answer.append("F ").append(line[1]).append(' ').append(line[2]).append(' ').append(line[3]).append(' ');
                answer.append(spell(get(object, field), field.getType())).append('\n');
            } else if (line[0].equals("A")) {
                Object array = objects.get(Integer.parseInt(line[1]));
                for (int i = 0; i < Array.getLength(array) && i < 64; i++) {
                    answer.append("E ").append(line[1]).append(' ').append(i).append(' ');
                    answer.append(spell(Array.get(array, i), array.getClass().getComponentType())).append('\n');
                }
            }
        }

        private static Object get(Object object, Field field) {
            long at = UNSAFE.objectFieldOffset(field);
            Class<?> type = field.getType();
            if (type == int.class) return UNSAFE.getInt(object, at);
            if (type == long.class) return UNSAFE.getLong(object, at);
            if (type == boolean.class) return UNSAFE.getBoolean(object, at);
            if (type == byte.class) return UNSAFE.getByte(object, at);
            if (type == short.class) return UNSAFE.getShort(object, at);
            if (type == char.class) return UNSAFE.getChar(object, at);
            if (type == float.class) return UNSAFE.getFloat(object, at);
            if (type == double.class) return UNSAFE.getDouble(object, at);
            return UNSAFE.getReference(object, at);
        }

        private Object value(String text) {
            if (text.equals("null")) return null;
            if (text.startsWith("@")) return objects.get(Integer.parseInt(text.substring(1)));
            String number = text.substring(1);
            switch (text.charAt(0)) {
                case 'Z': return !number.equals("0");
                case 'B': return Byte.parseByte(number);
                case 'C': return (char) Integer.parseInt(number);
                case 'S': return Short.parseShort(number);
                case 'I': return Integer.parseInt(number);
                case 'J': return Long.parseLong(number);
                case 'F': return Float.intBitsToFloat(Integer.parseInt(number));
                default: return Double.longBitsToDouble(Long.parseLong(number));
            }
        }

        private String spell(Object value, Class<?> type) {
            if (type == void.class) return "V";
            if (value == null) return "null";
            if (type.isPrimitive()) {
                if (value instanceof Boolean) return (Boolean) value ? "Z1" : "Z0";
                if (value instanceof Character) return "C" + (int) (Character) value;
                if (value instanceof Float) return "F" + Float.floatToIntBits((Float) value);
                if (value instanceof Double) return "D" + Double.doubleToLongBits((Double) value);
                return (type == long.class ? "J" : type == int.class ? "I" : type == short.class ? "S" : "B") + value;
            }
            for (Map.Entry<Integer, Object> entry : objects.entrySet()) if (entry.getValue() == value) return "@" + entry.getKey();
            if (value instanceof String) {
                StringBuilder text = new StringBuilder("s");
                for (char unit : ((String) value).toCharArray()) text.append(String.format("%04x", (int) unit));
                return text.toString();
            }
            return "?" + value.getClass().getName();
        }
    }

    /** Static fields and the objects they lead to. */
    private static final class Show {
        private static final int MOST_OBJECTS = 4096;
        private static final int MOST_BYTES = 1 << 20;
        private final List<String[]> statics = new ArrayList<>();
        /** The fields of interest, by the class that declares them. */
        private final Map<String, List<String>> wanted = new HashMap<>();
        private final Map<Class<?>, List<Field>> fields = new HashMap<>();
        private final java.util.IdentityHashMap<Object, Integer> numbers = new java.util.IdentityHashMap<>();
        private final List<Object> objects = new ArrayList<>();
        private int bytes;

        Show(List<String[]> lines) {
            for (String[] line : lines) {
                if (line[0].equals("D")) statics.add(line);
                else if (line[0].equals("N")) wanted.computeIfAbsent(line[1], name -> new ArrayList<>()).add(line[2]);
            }
        }

        void answer() {
            StringBuilder answer = new StringBuilder();
            for (String[] line : statics) answer.append("s ").append(shown(line)).append('\n');
            // What changes meanwhile may lead to more.
            for (int at = 0; at < objects.size(); at++) show(objects.get(at), answer);
            OUT.print(answer);
            OUT.print("END\n");
            OUT.flush();
        }

        /** The value of a static field; nothing of it where it leads to too much. */
        private String shown(String[] line) {
            int before = objects.size();
            int bytesBefore = bytes;
            try {
                Class<?> owner = Class.forName(line[1].replace('/', '.'), true, SHOWN);
                Field field = declared(owner, line[2]);
                if (field == null) return "x";
                Object base = UNSAFE.staticFieldBase(field);
                Object value = get(base, UNSAFE.staticFieldOffset(field), field.getType());
                String text = spell(value, field.getType());
                for (int at = before; at < objects.size(); at++) {
                    follow(objects.get(at));
                    if (objects.size() - before > MOST_OBJECTS || bytes - bytesBefore > MOST_BYTES) {
                        while (objects.size() > before) numbers.remove(objects.remove(objects.size() - 1));
                        bytes = bytesBefore;
                        return "x";
                    }
                }
                return text;
            } catch (Throwable failed) {
                while (objects.size() > before) numbers.remove(objects.remove(objects.size() - 1));
                bytes = bytesBefore;
                return "x";
            }
        }

        /** Reflection hides some fields of the JDK. */
        private static Field declared(Class<?> owner, String name) throws Exception {
            for (Field field : (Field[]) FIELDS.invoke(owner, false)) if (field.getName().equals(name)) return field;
            return null;
        }

        private List<Field> fieldsOf(Class<?> type) throws Exception {
            List<Field> known = fields.get(type);
            if (known != null) return known;
            List<Field> found = new ArrayList<>();
            for (Class<?> at = type; at != null; at = at.getSuperclass()) {
                for (String name : wanted.getOrDefault(at.getName().replace('.', '/'), List.of())) {
                    Field field = declared(at, name);
                    if (field != null && !Modifier.isStatic(field.getModifiers())) found.add(field);
                }
            }
            fields.put(type, found);
            return found;
        }

        /** Notes what an object leads to. */
        private void follow(Object object) throws Exception {
            if (object instanceof Object[]) {
                bytes += 8 * ((Object[]) object).length;
                for (Object element : (Object[]) object) spell(element, Object.class);
            } else if (object.getClass().isArray()) {
                bytes += 8 * Array.getLength(object);
            } else {
                for (Field field : fieldsOf(object.getClass())) {
                    if (!field.getType().isPrimitive()) spell(UNSAFE.getReference(object, UNSAFE.objectFieldOffset(field)), Object.class);
                }
            }
        }

        private void show(Object object, StringBuilder answer) {
            try {
                Class<?> type = object.getClass();
                if (object instanceof Object[]) {
                    answer.append("r ").append(type.getName().replace('.', '/'));
                    for (Object element : (Object[]) object) answer.append(' ').append(spell(element, Object.class));
                } else if (type.isArray()) {
                    answer.append("n ").append(type.getName().substring(1)).append(' ');
                    numbers(object, answer);
                } else {
                    answer.append("o ").append(type.getName().replace('.', '/'));
                    for (Field field : fieldsOf(type)) {
                        answer.append("\nf ").append(field.getDeclaringClass().getName().replace('.', '/')).append(' ').append(field.getName()).append(' ');
                        answer.append(spell(get(object, UNSAFE.objectFieldOffset(field), field.getType()), field.getType()));
                    }
                }
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
            answer.append('\n');
        }

        private static void numbers(Object array, StringBuilder answer) {
            long at = UNSAFE.arrayBaseOffset(array.getClass());
            long end = at + (long) UNSAFE.arrayIndexScale(array.getClass()) * Array.getLength(array);
            for (; at < end; at++) {
                int value = UNSAFE.getByte(array, at) & 255;
                answer.append(Character.forDigit(value >> 4, 16)).append(Character.forDigit(value & 15, 16));
            }
        }

        private static Object get(Object object, long at, Class<?> type) {
            if (type == int.class) return UNSAFE.getInt(object, at);
            if (type == long.class) return UNSAFE.getLong(object, at);
            if (type == boolean.class) return UNSAFE.getBoolean(object, at);
            if (type == byte.class) return UNSAFE.getByte(object, at);
            if (type == short.class) return UNSAFE.getShort(object, at);
            if (type == char.class) return UNSAFE.getChar(object, at);
            if (type == float.class) return UNSAFE.getFloat(object, at);
            if (type == double.class) return UNSAFE.getDouble(object, at);
            return UNSAFE.getReference(object, at);
        }

        private String spell(Object value, Class<?> type) {
            if (value == null) return "n";
            if (type.isPrimitive()) {
                if (value instanceof Boolean) return (Boolean) value ? "Z1" : "Z0";
                if (value instanceof Character) return "C" + (int) (Character) value;
                if (value instanceof Float) return "F" + Float.floatToRawIntBits((Float) value);
                if (value instanceof Double) return "D" + Double.doubleToRawLongBits((Double) value);
                return "I" + value;
            }
            if (value instanceof Class) return "c" + name((Class<?>) value);
            Integer known = numbers.get(value);
            if (known != null) return "@" + known;
            if (value instanceof String && ((String) value).intern() == value) {
                StringBuilder text = new StringBuilder("s");
                for (char unit : ((String) value).toCharArray()) text.append(String.format("%04x", (int) unit));
                return text.toString();
            }
            numbers.put(value, objects.size());
            objects.add(value);
            return "@" + (objects.size() - 1);
        }

        private static String name(Class<?> type) {
            return (type.isPrimitive() ? "#" : "") + type.getName().replace('.', '/');
        }
    }

    /** Gives all fields of a class. */
    private static final Method FIELDS = fields();

    private static Method fields() {
        try {
            Method method = Class.class.getDeclaredMethod("getDeclaredFields0", boolean.class);
            method.setAccessible(true);
            return method;
        } catch (ReflectiveOperationException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** Gives each test classes of its own, with probes. */
    private static final class Loader extends ClassLoader {
        Loader() { super(Runner.class.getClassLoader()); }

        Class<?> define(String name, byte[] bytes) { return defineClass(name, bytes, 0, bytes.length); }

        Class<?> type(String internal) throws ClassNotFoundException { return Class.forName(internal.replace('/', '.'), false, this); }

        Class<?> descriptor(String text) throws ClassNotFoundException {
            switch (text.charAt(0)) {
                case 'Z': return boolean.class;
                case 'B': return byte.class;
                case 'C': return char.class;
                case 'S': return short.class;
                case 'I': return int.class;
                case 'J': return long.class;
                case 'F': return float.class;
                case 'D': return double.class;
                case 'L': return type(text.substring(1, text.length() - 1));
                default: return Class.forName(text.replace('/', '.'), false, this);
            }
        }

        Class<?>[] parameters(String descriptor) throws ClassNotFoundException {
            List<Class<?>> found = new ArrayList<>();
            for (int at = 1; descriptor.charAt(at) != ')';) {
                int end = at;
                while (descriptor.charAt(end) == '[') end++;
                end = descriptor.charAt(end) == 'L' ? descriptor.indexOf(';', end) + 1 : end + 1;
                found.add(descriptor(descriptor.substring(at, end)));
                at = end;
            }
            return found.toArray(new Class<?>[0]);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known != null) return known;
                byte[] bytes = bytes(name);
                if (bytes == null) return super.loadClass(name, resolve);
                return defineClass(name, bytes, 0, bytes.length);
            }
        }

        /** The instrumented class file of a class outside of the JDK. */
        private byte[] bytes(String name) {
            if (name.equals("Runner") || name.startsWith("Runner$")) return null;
            byte[] known = INSTRUMENTED.get(name);
            if (known != null) return known;
            try (InputStream file = ClassLoader.getSystemResourceAsStream(name.replace('.', '/') + ".class")) {
                if (file == null) return null;
                java.net.URL from = ClassLoader.getSystemResource(name.replace('.', '/') + ".class");
                if (from.getProtocol().equals("jrt")) return null;
                byte[] original = file.readAllBytes();
                byte[] made = CLASSES.contains(name.replace('.', '/')) ? instrument(original) : original;
                INSTRUMENTED.put(name, made);
                return made;
            } catch (java.io.IOException failed) {
                return null;
            }
        }
    }

    private static byte[] instrument(byte[] original) {
        ClassReader reader = new ClassReader(original);
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        reader.accept(new ClassVisitor(API, writer) {
            private String owner;

            @Override
            public void visit(int version, int access, String name, String signature, String above, String[] interfaces) {
                owner = name;
                super.visit(version, access, name, signature, above, interfaces);
            }

            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] thrown) {
                MethodVisitor next = super.visitMethod(access, name, descriptor, signature, thrown);
                Integer number = METHODS.get(owner + " " + name + " " + descriptor);
                return number == null ? next : new Probes(next, number);
            }
        }, ClassReader.SKIP_FRAMES);
        return writer.toByteArray();
    }

    /** Adds a probe to each way out of a branch. */
    private static final class Probes extends MethodVisitor {
        private final int method;
        private int branch;

        Probes(MethodVisitor next, int method) {
            super(API, next);
            this.method = method;
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            if (opcode == Opcodes.GOTO || opcode == Opcodes.JSR) {
                super.visitJumpInsn(opcode, label);
                return;
            }
            int number = branch++;
            Label taken = new Label();
            Label after = new Label();
            super.visitJumpInsn(opcode, taken);
            probe(0, number);
            super.visitJumpInsn(Opcodes.GOTO, after);
            super.visitLabel(taken);
            probe(1, number);
            super.visitJumpInsn(Opcodes.GOTO, label);
            super.visitLabel(after);
        }

        private void probe(int outcome, int number) {
            super.visitLdcInsn(outcome);
            rest(number);
        }

        private void rest(int number) {
            super.visitLdcInsn(method);
            super.visitLdcInsn(number);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, "Runner", "hit", "(III)V", false);
        }

        @Override
        public void visitTableSwitchInsn(int low, int high, Label other, Label... labels) {
            super.visitInsn(Opcodes.DUP);
            rest(branch++);
            super.visitTableSwitchInsn(low, high, other, labels);
        }

        @Override
        public void visitLookupSwitchInsn(Label other, int[] keys, Label[] labels) {
            super.visitInsn(Opcodes.DUP);
            rest(branch++);
            super.visitLookupSwitchInsn(other, keys, labels);
        }
    }
}
