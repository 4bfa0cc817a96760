package io.dynamolock.spring;

import io.dynamolock.LockMode;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The locks of one method.
 *
 * @param locks one for each annotation, which may want several keys
 * @param handleParameter which parameter is filled in with the handle; -1 for none
 */
record LocksOfMethod(String description, List<LockedMethod> locks, int handleParameter, boolean mayHideUnfinishedWork) {

    /**
     * The locks that a call wants; none if it runs without a lock.
     *
     * @throws LockKeyException if the arguments give no usable key
     */
    List<CallLock> of(LockRegistry registry, @Nullable Object target, @Nullable Object[] arguments) {
        @Nullable Object[] others = HandleParameter.without(handleParameter, arguments);
        List<CallLock> wanted = new ArrayList<>(locks.size());
        for (LockedMethod lock : locks) {
            for (LockRequest request : lock.requests(target, others)) {
                add(wanted, new CallLock(registry, lock, request));
            }
        }
        return wanted;
    }

    /** If two annotations want the same lock, it is asked for once: alone, if one of them wants that. */
    private static void add(List<CallLock> wanted, CallLock next) {
        for (int i = 0; i < wanted.size(); i++) {
            if (wanted.get(i).isSameAs(next)) {
                if (next.request().mode() == LockMode.EXCLUSIVE
                        && wanted.get(i).request().mode() == LockMode.SHARED) {
                    wanted.set(i, next);
                }
                return;
            }
        }
        wanted.add(next);
    }
}
