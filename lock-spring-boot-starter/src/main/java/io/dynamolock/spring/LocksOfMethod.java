package io.dynamolock.spring;

import io.dynamolock.LockRequest;
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
 * @param isConstant whether all calls want the same
 * @param constant what all calls want, once one has asked
 */
record LocksOfMethod(
        String description,
        List<LockedMethod> locks,
        int handleParameter,
        boolean hasThreadOfItsOwn,
        MethodResult result,
        boolean isConstant,
        AtomicReference<@Nullable List<WantedLock>> constant) {

    LocksOfMethod(
            String description,
            List<LockedMethod> locks,
            int handleParameter,
            boolean hasThreadOfItsOwn,
            MethodResult result) {
        this(
                description,
                locks,
                handleParameter,
                hasThreadOfItsOwn,
                result,
                locks.stream().allMatch(LockedMethod::isConstant),
                new AtomicReference<>());
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
        List<WantedLock> wanted = wantedNow(target, arguments);
        if (isConstant) {
            constant.set(wanted);
        }
        return wanted;
    }

    private List<WantedLock> wantedNow(@Nullable Object target, @Nullable Object[] arguments) {
        @Nullable Object[] others = HandleParameter.without(handleParameter, arguments);
        List<WantedLock> wanted = new ArrayList<>(locks.size());
        for (LockedMethod lock : locks) {
            List<LockRequest> requests = lock.requests(target, others);
            if (locks.size() == 1 && requests.size() == 1) {
                return List.of(new WantedLock(lock, requests.get(0)));
            }
            requests.forEach(request -> add(wanted, new WantedLock(lock, request)));
        }
        return List.copyOf(wanted);
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
