package io.dynamolock.internal.testing;

import static net.bytebuddy.jar.asm.Opcodes.ACC_ABSTRACT;
import static net.bytebuddy.jar.asm.Opcodes.ASM9;
import static net.bytebuddy.jar.asm.Opcodes.DUP;
import static net.bytebuddy.jar.asm.Opcodes.DUP2;
import static net.bytebuddy.jar.asm.Opcodes.INVOKESTATIC;
import static net.bytebuddy.jar.asm.Opcodes.POP;

import io.dynamolock.internal.store.LockStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.HashSet;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Loads this project's classes once more, and has main code count its {@link Steps}: calls of its own methods, rounds
 * of its loops, and the elements of lists that the JDK copies or searches for it. Whatever goes through waiters,
 * entries or sessions takes at least one step for each: a loop takes a round, and a stream, a comparison or a search in
 * a set calls a lambda, {@code equals} or a getter. So this counts the elements visited, and more, and main code
 * contains nothing for it. Tests and the store in memory are not counted.
 *
 * <p>Each loader has a count of its own.
 */
public final class CountedCode extends ClassLoader {

    private static final String PROJECT = "io.dynamolock.";
    private static final String STEPS = Type.getInternalName(Steps.class);
    private static final Set<String> SEARCHES =
            Set.of("contains", "indexOf", "lastIndexOf", "remove", "removeFirstOccurrence", "removeLastOccurrence");

    /** Where main code lies. */
    private final URL main;

    public CountedCode() {
        super(CountedCode.class.getClassLoader());
        main = LockStore.class.getProtectionDomain().getCodeSource().getLocation();
    }

    /**
     * The same constant, of the class that this loader has loaded.
     *
     * @param constant is {@link Measured}
     */
    public Measured counted(Enum<?> constant) {
        try {
            Class<?> loaded = loadClass(constant.getDeclaringClass().getName());
            for (Object candidate : loaded.getEnumConstants()) {
                if (candidate.toString().equals(constant.toString())) {
                    return (Measured) candidate;
                }
            }
            throw new IllegalArgumentException(constant + " is not in " + loaded);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        boolean isShared = name.startsWith(Measured.class.getName());
        if (!name.startsWith(PROJECT) || isShared) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        URL url = getResource(file);
        if (url == null) {
            throw new ClassNotFoundException(name);
        }
        try (InputStream stream = url.openStream()) {
            byte[] code = stream.readAllBytes();
            byte[] loaded = isCounted(name, url) ? counting(code) : code;
            return defineClass(name, loaded, 0, loaded.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isCounted(String name, URL url) {
        return url.toString().contains(main.toString()) && !name.contains(".internal.store.memory.");
    }

    private static byte[] counting(byte[] code) {
        ClassReader reader = new ClassReader(code);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new CountingClass(writer), 0);
        return writer.toByteArray();
    }

    private static final class CountingClass extends ClassVisitor {

        CountingClass(ClassWriter writer) {
            super(ASM9, writer);
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
            return (access & ACC_ABSTRACT) == 0 ? new CountingMethod(method) : method;
        }
    }

    private static final class CountingMethod extends MethodVisitor {

        /** The labels so far: a jump to one of them goes back, to the next round of a loop. */
        private final Set<Label> passed = new HashSet<>();

        CountingMethod(MethodVisitor method) {
            super(ASM9, method);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            count("one", "()V");
        }

        @Override
        public void visitLabel(Label label) {
            passed.add(label);
            super.visitLabel(label);
        }

        @Override
        public void visitJumpInsn(int opcode, Label target) {
            if (passed.contains(target)) {
                count("one", "()V");
            }
            super.visitJumpInsn(opcode, target);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            if (owner.startsWith("java/util/")) {
                Type[] parameters = Type.getArgumentTypes(descriptor);
                String last = parameters.length == 0 ? "" : parameters[parameters.length - 1].getClassName();
                if (last.equals("java.util.Collection") || last.equals("java.util.Map")) {
                    super.visitInsn(DUP);
                    count("all", "(Ljava/lang/Object;)V");
                } else if (opcode != INVOKESTATIC
                        && parameters.length == 1
                        && last.equals("java.lang.Object")
                        && SEARCHES.contains(name)) {
                    super.visitInsn(DUP2);
                    super.visitInsn(POP);
                    count("search", "(Ljava/lang/Object;)V");
                }
            }
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }

        private void count(String method, String descriptor) {
            super.visitMethodInsn(INVOKESTATIC, STEPS, method, descriptor, false);
        }
    }
}
