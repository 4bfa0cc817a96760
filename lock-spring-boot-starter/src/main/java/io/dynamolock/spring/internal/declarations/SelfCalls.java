package io.dynamolock.spring.internal.declarations;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

/**
 * Finds, in the bytecode of a class, calls of a locked method on the same object: such a call passes no proxy, so it
 * takes no lock. Leaves out methods that may call another object of the same class, such as a proxy in a field.
 */
final class SelfCalls extends ClassVisitor {

    private final String self;
    private final Set<String> locked;
    private final Set<String> callers = new TreeSet<>();

    private SelfCalls(Class<?> type, Collection<Method> locked) {
        super(SpringAsmInfo.ASM_VERSION);
        this.self = Type.getInternalName(type);
        this.locked = locked.stream()
                .map(method -> method.getName() + Type.getMethodDescriptor(method))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The names of the methods that call one of the locked methods; empty if the bytecode cannot be read. */
    static Set<String> in(Class<?> type, Collection<Method> locked) {
        SelfCalls visitor = new SelfCalls(type, locked);
        try (InputStream bytecode = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
            if (bytecode != null) {
                new ClassReader(bytecode).accept(visitor, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            }
        } catch (IOException | RuntimeException unreadable) {
            // Only a warning is lost.
            return Set.of();
        }
        return visitor.callers;
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] thrown) {
        boolean hasThis = (access & (Opcodes.ACC_STATIC | Opcodes.ACC_BRIDGE)) == 0;
        // A locked method that calls another locked method has a lock already, so the call may be on purpose.
        boolean isLocked = locked.contains(name + descriptor);
        return hasThis && !isLocked && !descriptor.contains("L" + self + ";") ? new Body(name) : null;
    }

    private final class Body extends MethodVisitor {

        private final String name;
        /** Set by the first call of a locked method of this class. */
        private boolean callsLocked;
        /** Set by the first instruction that may bring in another object of this class, which may be a proxy. */
        private boolean anotherIsPossible;

        Body(String name) {
            super(SpringAsmInfo.ASM_VERSION);
            this.name = name;
        }

        private void call(String owner, String method, String descriptor) {
            callsLocked |= owner.equals(self) && locked.contains(method + descriptor);
            anotherIsPossible |= descriptor.endsWith(")L" + self + ";");
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String method, String descriptor, boolean isInterface) {
            call(owner, method, descriptor);
        }

        @Override
        public void visitInvokeDynamicInsn(String method, String descriptor, Handle bootstrap, Object... arguments) {
            for (Object argument : arguments) {
                if (argument instanceof Handle handle) {
                    call(handle.getOwner(), handle.getName(), handle.getDesc());
                }
            }
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String field, String descriptor) {
            anotherIsPossible |= descriptor.equals("L" + self + ";");
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            anotherIsPossible |= type.equals(self);
        }

        @Override
        public void visitEnd() {
            if (callsLocked && !anotherIsPossible) {
                callers.add(name.startsWith("lambda$") ? name.split("\\$")[1] : name);
            }
        }
    }
}
