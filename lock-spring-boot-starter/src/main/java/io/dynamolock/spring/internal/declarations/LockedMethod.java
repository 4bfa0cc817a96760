package io.dynamolock.spring.internal.declarations;

import io.dynamolock.LockRequest;
import io.dynamolock.spring.annotation.LockKeyException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.function.SingletonSupplier;

/**
 * The locks of one method.
 *
 * @param locks one for each annotation, which may want several keys
 * @param hasThreadOfItsOwn whether it runs by {@code @Async} on a thread that may block
 * @param constant what all calls want, if they want the same
 */
public record LockedMethod(
        String description,
        List<LockDeclaration> locks,
        boolean hasThreadOfItsOwn,
        MethodResult result,
        @Nullable Supplier<List<WantedLock>> constant) {

    LockedMethod(String description, List<LockDeclaration> locks, boolean hasThreadOfItsOwn, MethodResult result) {
        this(
                description,
                locks,
                hasThreadOfItsOwn,
                result,
                locks.stream().allMatch(LockDeclaration::isConstant)
                        ? SingletonSupplier.of(() -> wanted(locks, null, new Object[0]))
                        : null);
    }

    /**
     * The locks that a call wants; none if it runs without a lock.
     *
     * @throws LockKeyException if the arguments give no usable key
     */
    public List<WantedLock> wanted(@Nullable Object target, @Nullable Object[] arguments) {
        return constant != null ? constant.get() : wanted(locks, target, arguments);
    }

    private static List<WantedLock> wanted(
            List<LockDeclaration> locks, @Nullable Object target, @Nullable Object[] arguments) {
        Map<Object, WantedLock> wanted = new LinkedHashMap<>();
        for (LockDeclaration lock : locks) {
            for (LockRequest request : lock.requests(target, arguments)) {
                // Two annotations may want the same lock, which is asked for once.
                wanted.merge(
                        Map.entry(request.namespace(), request.key()),
                        new WantedLock(lock, request),
                        WantedLock::stronger);
            }
        }
        return List.copyOf(wanted.values());
    }
}
