package io.dynamolock.spring.internal.declarations;

import io.dynamolock.LockRequest;
import io.dynamolock.spring.annotation.LockKeyException;
import io.dynamolock.spring.internal.CurrentHandle;
import io.dynamolock.spring.internal.EnteredMethod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.function.SingletonSupplier;

/**
 * A locked method with the declarations of its annotations.
 *
 * @param declarations one for each annotation, which may name several keys
 * @param hasThreadOfItsOwn whether {@code @Async} runs the method on a thread that may block
 * @param isScheduled whether Spring calls the method by a schedule
 * @param constant the locks that every call wants; null if they depend on the arguments
 */
public record LockedMethod(
        String description,
        List<LockDeclaration> declarations,
        boolean hasThreadOfItsOwn,
        boolean isScheduled,
        MethodResult result,
        @Nullable Supplier<List<WantedLock>> constant) {

    LockedMethod(
            String description,
            List<LockDeclaration> declarations,
            boolean hasThreadOfItsOwn,
            boolean isScheduled,
            MethodResult result) {
        this(
                description,
                declarations,
                hasThreadOfItsOwn,
                isScheduled,
                result,
                declarations.stream().allMatch(LockDeclaration::isConstant)
                        ? SingletonSupplier.of(() -> wanted(declarations, null, new Object[0]))
                        : null);
    }

    /** This method, entered under these locks. */
    public EnteredMethod entered(List<CurrentHandle> locks) {
        return new EnteredMethod(declarations.get(0).method(), locks);
    }

    /**
     * The locks that a call wants; empty if it runs without a lock.
     *
     * @throws LockKeyException if the arguments give no usable key
     */
    public List<WantedLock> wanted(@Nullable Object target, @Nullable Object[] arguments) {
        return constant != null ? constant.get() : wanted(declarations, target, arguments);
    }

    private static List<WantedLock> wanted(
            List<LockDeclaration> declarations, @Nullable Object target, @Nullable Object[] arguments) {
        Map<Object, WantedLock> wanted = new LinkedHashMap<>();
        for (LockDeclaration declaration : declarations) {
            for (LockRequest request : declaration.requests(target, arguments)) {
                // Two annotations may name the same lock, which is acquired once.
                wanted.merge(
                        Map.entry(request.namespace(), request.key()),
                        new WantedLock(declaration, request),
                        WantedLock::stronger);
            }
        }
        return List.copyOf(wanted.values());
    }
}
