package io.dynamolock.spring.internal.declarations;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.Type;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.util.ClassUtils;

/**
 * Finds, in bytecode, calls of a locked method on the same object: such a call passes no proxy, so it takes no lock.
 * Reads the class of a bean, its superclasses and interfaces, and the classes nested in these: inner and anonymous
 * classes, and what Kotlin's compiler makes of lambdas and suspending functions. {@link SelfCallsOfClass} reads one of
 * them.
 */
final class SelfCalls {

    private final Class<?> type;
    /** The class of the bean, its superclasses and its interfaces, but for those of the JDK; the nearest come first. */
    private final List<Class<?>> hierarchy;
    /** The internal names of these types. */
    private final Set<String> ownTypes;
    /** Names and descriptors of the locked methods, also those by which generic supertypes call them. */
    private final Set<String> locked;
    /** The same of the methods themselves, with the internal names of the classes that declare them. */
    private final Set<String> declared;

    private final Set<String> lockedNames;

    /** Names and descriptors of the methods of the classes read so far, which override those of classes read later. */
    private final Set<String> overriding = new HashSet<>();

    private final Set<String> callers = new TreeSet<>();

    private SelfCalls(Class<?> type, Collection<Method> locked) {
        this.type = type;
        this.hierarchy = hierarchy(type);
        this.ownTypes = hierarchy.stream().map(Type::getInternalName).collect(Collectors.toUnmodifiableSet());
        Stream<Method> bridges = hierarchy.stream()
                .flatMap(each -> Stream.of(each.getDeclaredMethods()))
                .filter(method -> method.isBridge() && locked.contains(BridgeMethodResolver.findBridgedMethod(method)));
        this.locked = Stream.concat(locked.stream(), bridges)
                .map(SelfCalls::signature)
                .collect(Collectors.toUnmodifiableSet());
        this.declared = locked.stream()
                .map(method -> Type.getInternalName(method.getDeclaringClass()) + signature(method))
                .collect(Collectors.toUnmodifiableSet());
        this.lockedNames = locked.stream().map(Method::getName).collect(Collectors.toUnmodifiableSet());
    }

    /** The names of the methods that call one of the locked methods; empty if the bytecode cannot be read. */
    static Set<String> in(Class<?> type, Collection<Method> locked) {
        try {
            SelfCalls search = new SelfCalls(type, locked);
            search.hierarchy.forEach(search::readWithNested);
            return search.callers;
        } catch (RuntimeException | LinkageError unreadable) {
            // Only a warning is lost.
            return Set.of();
        }
    }

    private static List<Class<?>> hierarchy(Class<?> type) {
        List<Class<?>> types = new ArrayList<>();
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            types.add(each);
        }
        types.addAll(ClassUtils.getAllInterfacesForClassAsSet(type));
        types.removeIf(
                each -> each.getName().startsWith("java.") || each.getName().startsWith("kotlin."));
        return types;
    }

    private static String signature(Method method) {
        return method.getName() + Type.getMethodDescriptor(method);
    }

    private void readWithNested(Class<?> own) {
        Queue<String> toRead = new ArrayDeque<>(List.of(Type.getInternalName(own)));
        Set<String> known = new HashSet<>(toRead);
        for (String next = toRead.poll(); next != null; next = toRead.poll()) {
            SelfCallsOfClass search = new SelfCallsOfClass(this, next);
            try (InputStream bytecode = open(own, next)) {
                if (bytecode != null) {
                    new ClassReader(bytecode).accept(search, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
                }
            } catch (IOException | RuntimeException unreadable) {
                continue;
            }
            search.nested().stream().filter(known::add).forEach(toRead::add);
        }
    }

    private static @Nullable InputStream open(Class<?> own, String internalName) {
        return own.getResourceAsStream("/" + internalName + ClassUtils.CLASS_FILE_SUFFIX);
    }

    boolean isOwnType(String internalName) {
        return ownTypes.contains(internalName);
    }

    boolean isOwnType(Type asked) {
        return asked.getSort() == Type.OBJECT && isOwnType(asked.getInternalName());
    }

    /** Whether this is the class of the bean itself, not a supertype. */
    boolean isBean(String internalName) {
        return internalName.equals(Type.getInternalName(type));
    }

    boolean isLocked(String name, String descriptor) {
        return locked.contains(name + descriptor);
    }

    boolean isLockedIn(String owner, String name, String descriptor) {
        return declared.contains(owner + name + descriptor);
    }

    /** Whether some locked method has this name. */
    boolean isNameOfLocked(String name) {
        return lockedNames.contains(name);
    }

    /** @return false if a class nearer to the bean has overridden the method, so that it does not run */
    boolean add(String name, String descriptor) {
        return overriding.add(name + descriptor);
    }

    /** The method calls the one that it overrides, so that this one runs, too. */
    void callsOverridden(String name, String descriptor) {
        overriding.remove(name + descriptor);
    }

    void found(String caller) {
        callers.add(caller);
    }
}
