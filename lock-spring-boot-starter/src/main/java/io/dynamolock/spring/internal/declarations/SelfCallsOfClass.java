package io.dynamolock.spring.internal.declarations;

import io.dynamolock.spring.internal.MethodNames;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Reads one class for {@link SelfCalls}: an own type of the bean, or a class nested in one. Leaves out methods that may
 * call another object of an own type, such as a proxy in a field.
 */
final class SelfCallsOfClass extends ClassVisitor {

    /** Kotlin's class for a suspended function, not a lambda: it calls that function again when it goes on. */
    private static final String CONTINUATION = "kotlin/coroutines/jvm/internal/ContinuationImpl";

    /** Kotlin's class for the methods of an interface. */
    private static final String DEFAULTS = "$DefaultImpls";

    /** The names that compilers give to parts of a method: of a lambda, of a body elsewhere, of an access. */
    private static final Pattern PART =
            Pattern.compile("lambda\\$(.+)\\$\\d+|(.+?)\\$lambda\\$.*|(.+)\\$suspendImpl|access\\$(.+)");

    /** A field in which a suspended function of Kotlin keeps a variable, also the object that it belongs to. */
    private static final Pattern KEPT_VARIABLE = Pattern.compile("L\\$\\d+");

    private final SelfCalls search;
    private final String name;
    private final boolean isOwnType;
    private final Set<String> nested = new LinkedHashSet<>();

    /** The method that contains this class; null if none does. Set before the methods are read. */
    private @Nullable String enclosingMethod;

    /** The class of that method, else this class. Set before the methods are read. */
    private String classOfCaller;
    /** Set before the methods are read. */
    private boolean isContinuation;

    SelfCallsOfClass(SelfCalls search, String name) {
        super(SpringAsmInfo.ASM_VERSION);
        this.search = search;
        this.name = name;
        this.classOfCaller = name.endsWith(DEFAULTS) ? name.substring(0, name.length() - DEFAULTS.length()) : name;
        this.isOwnType = search.isOwnType(name);
    }

    /** The internal names of the classes nested in this one, as far as this one knows them. */
    Set<String> nested() {
        return nested;
    }

    @Override
    public void visit(
            int version,
            int access,
            String internalName,
            @Nullable String signature,
            @Nullable String superName,
            String @Nullable [] interfaces) {
        isContinuation = CONTINUATION.equals(superName);
    }

    @Override
    public void visitOuterClass(String owner, @Nullable String method, @Nullable String descriptor) {
        if (method != null) {
            enclosingMethod = written(method);
            classOfCaller = owner;
        }
    }

    @Override
    public void visitInnerClass(String inner, @Nullable String outer, @Nullable String simpleName, int access) {
        if (inner.startsWith(name + "$") && !search.isOwnType(inner)) {
            nested.add(inner);
        }
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
            int access, String method, String descriptor, @Nullable String signature, String @Nullable [] thrown) {
        boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
        boolean isPart = !written(method).equals(method);
        boolean isOverridden =
                isOwnType && !isStatic && (access & Opcodes.ACC_PRIVATE) == 0 && !search.add(method, descriptor);
        if (isContinuation) {
            return null;
        }
        if ((access & Opcodes.ACC_BRIDGE) != 0) {
            // Kotlin overrides a method of an interface by one that only calls it.
            return new Body(method, descriptor, method, false);
        }
        // A locked method that calls another locked method has a lock already, so the call may be on purpose.
        String source = enclosingMethod != null ? enclosingMethod : written(method);
        boolean isOfLocked = isOwnType && search.isLocked(method, descriptor)
                || (isPart || enclosingMethod != null) && search.isNameOfLocked(source);
        if (isOverridden || isOfLocked) {
            return null;
        }
        boolean takesObject = isStatic && (isPart || name.endsWith(DEFAULTS));
        if (isStatic && !takesObject || mayGetAnother(descriptor, takesObject)) {
            return null;
        }
        return new Body(method, descriptor, caller(source), isOwnType || takesObject);
    }

    /**
     * Whether the method takes or returns an object of an own type.
     *
     * @param takesObject whether the first parameter is the object itself, because the method is a part of one that is
     *     not static
     */
    private boolean mayGetAnother(String descriptor, boolean takesObject) {
        Type[] parameters = Type.getArgumentTypes(descriptor);
        return search.isOwnType(Type.getReturnType(descriptor))
                || Stream.of(parameters)
                        .skip(takesObject && parameters.length > 0 && search.isOwnType(parameters[0]) ? 1 : 0)
                        .anyMatch(search::isOwnType);
    }

    /** How a warning names a method of this class, or the method around this class. */
    private String caller(String method) {
        String simple =
                classOfCaller.substring(classOfCaller.lastIndexOf('/') + 1).replace('$', '.');
        return search.isBean(classOfCaller) ? method : simple + "." + method;
    }

    /** The name of the method in the source of which a part has this name. */
    private static String written(String method) {
        Matcher part = PART.matcher(method);
        if (!part.matches()) {
            return MethodNames.written(method);
        }
        for (int i = 1; i <= part.groupCount(); i++) {
            if (part.group(i) != null) {
                return MethodNames.written(part.group(i));
            }
        }
        throw new IllegalStateException(method);
    }

    private final class Body extends MethodVisitor {

        private final String method;
        private final String descriptor;
        private final String caller;
        /** Set by the first sign that the method has the object of the bean. */
        private boolean hasObject;
        /** Set by the first call of a locked method of an own type. */
        private boolean callsLocked;
        /** Set by the first instruction that may bring in another object of an own type, which may be a proxy. */
        private boolean anotherIsPossible;
        /** Whether the instruction before has read a variable that a suspended function has kept. */
        private boolean hasReadVariable;

        Body(String method, String descriptor, String caller, boolean hasObject) {
            super(SpringAsmInfo.ASM_VERSION);
            this.method = method;
            this.descriptor = descriptor;
            this.caller = caller;
            this.hasObject = hasObject;
        }

        private void call(boolean isSpecial, String owner, String called, String calledDescriptor) {
            hasReadVariable = false;
            callsLocked |= search.isOwnType(owner)
                    && search.isLocked(called, calledDescriptor)
                    && (!isSpecial || search.isLockedIn(owner, called, calledDescriptor));
            anotherIsPossible |= search.isOwnType(Type.getReturnType(calledDescriptor));
            if (called.equals(method) && (isSpecial || owner.endsWith(DEFAULTS))) {
                search.callsOverridden(method, descriptor);
            }
        }

        @Override
        public void visitMethodInsn(
                int opcode, String owner, String called, String calledDescriptor, boolean isInterface) {
            call(opcode == Opcodes.INVOKESPECIAL, owner, called, calledDescriptor);
        }

        @Override
        public void visitInvokeDynamicInsn(String called, String type, Handle bootstrap, Object... arguments) {
            for (Object argument : arguments) {
                if (argument instanceof Handle handle) {
                    call(false, handle.getOwner(), handle.getName(), handle.getDesc());
                }
            }
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String field, String type) {
            hasReadVariable =
                    opcode == Opcodes.GETFIELD && KEPT_VARIABLE.matcher(field).matches();
            if (search.isOwnType(Type.getType(type))) {
                // By the name that compilers give to the object around an inner class or a lambda.
                boolean isOuter = field.startsWith("this$");
                hasObject |= isOuter;
                anotherIsPossible |= !isOuter;
            }
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            anotherIsPossible |= search.isOwnType(type) && !(opcode == Opcodes.CHECKCAST && hasReadVariable);
            hasReadVariable = false;
        }

        @Override
        public void visitVarInsn(int opcode, int variable) {
            hasReadVariable = false;
        }

        @Override
        public void visitEnd() {
            if (hasObject && callsLocked && !anotherIsPossible) {
                search.found(caller);
            }
        }
    }
}
