package io.dynamolock.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The locks of one method.
 *
 * @param locks one for each annotation, which may want several keys
 * @param handleParameter which parameter is filled in with the handle; -1 for none
 * @param hasThreadOfItsOwn whether it runs by {@code @Async} on a thread that may block
 * @param constant what all calls want, once one has asked; stays empty where it depends on the call
 */
record LocksOfMethod(
        String description,
        List<LockedMethod> locks,
        int handleParameter,
        boolean hasThreadOfItsOwn,
        MethodResult result,
        AtomicReference<@Nullable List<WantedLock>> constant) {

    LocksOfMethod(
            String description,
            List<LockedMethod> locks,
            int handleParameter,
            boolean hasThreadOfItsOwn,
            MethodResult result) {
        this(description, locks, handleParameter, hasThreadOfItsOwn, result, new AtomicReference<>());
    }

    /**
     * The locks that a call wants; none if it runs without a lock.
     *
     * @throws LockKeyException if the arguments give no usable key
     */
    List<WantedLock> wanted(@Nullable Object target, @Nullable Object[] arguments) {
        List<WantedLock> known = constant.get();
        if (known != null) {
            return known;
        }
        List<WantedLock> wanted = List.copyOf(wantedNow(target, arguments));
        if (locks.stream().allMatch(LockedMethod::isConstant)) {
            constant.set(wanted);
        }
        return wanted;
    }

    private List<WantedLock> wantedNow(@Nullable Object target, @Nullable Object[] arguments) {
        @Nullable Object[] others = HandleParameter.without(handleParameter, arguments);
        List<WantedLock> wanted = new ArrayList<>(locks.size());
        for (LockedMethod lock : locks) {
            lock.requests(target, others).forEach(request -> add(wanted, new WantedLock(lock, request)));
        }
        return wanted;
    }

    /** If two annotations want the same lock, it is asked for once: alone, if one of them wants that. */
    private static void add(List<WantedLock> wanted, WantedLock next) {
        for (int i = 0; i < wanted.size(); i++) {
            if (wanted.get(i).isSameAs(next)) {
                if (next.isAlone() && !wanted.get(i).isAlone()) {
                    wanted.set(i, next);
                }
                return;
            }
        }
        wanted.add(next);
    }
}
