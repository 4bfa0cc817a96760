package io.dynamolock.spring;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The locks of one method.
 *
 * @param locks one for each annotation, which may want several keys
 * @param handleParameter which parameter is filled in with the handle; -1 for none
 * @param hasThreadOfItsOwn whether it runs by {@code @Async} on a thread that may block
 */
record LocksOfMethod(
        String description,
        List<LockedMethod> locks,
        int handleParameter,
        boolean hasThreadOfItsOwn,
        MethodResult result) {

    /**
     * The locks that a call wants; none if it runs without a lock.
     *
     * @throws LockKeyException if the arguments give no usable key
     */
    List<WantedLock> wanted(@Nullable Object target, @Nullable Object[] arguments) {
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
