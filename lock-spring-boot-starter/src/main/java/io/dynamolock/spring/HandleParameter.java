package io.dynamolock.spring;

import io.dynamolock.LockHandle;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** The parameter of a locked method that is filled in with the handle of its lock. */
final class HandleParameter {

    private HandleParameter() {}

    /** The first one; -1 if the method has none. */
    static int indexIn(Method method) {
        Class<?>[] types = method.getParameterTypes();
        for (int i = 0; i < types.length; i++) {
            if (types[i] == LockHandle.class) {
                return i;
            }
        }
        return -1;
    }

    /** The arguments as keys and conditions see them. */
    static @Nullable Object[] without(int index, @Nullable Object[] arguments) {
        if (index < 0) {
            return arguments;
        }
        @Nullable Object[] others = arguments.clone();
        others[index] = null;
        return others;
    }

    /** @throws InvalidDynamoLockedException if it is not clear which handle is wanted */
    static void check(Method method, boolean hasSeveralLocks, String description) {
        int index = indexIn(method);
        if (index >= 0 && hasSeveralLocks) {
            throw new InvalidDynamoLockedException(
                    description,
                    "it has a parameter of type LockHandle, but several locks.",
                    "Leave the parameter out, and use CurrentLock.all() in the method.",
                    null);
        }
        for (int i = index + 1; index >= 0 && i < method.getParameterCount(); i++) {
            if (method.getParameterTypes()[i] == LockHandle.class) {
                throw new InvalidDynamoLockedException(
                        description, "it has several parameters of type LockHandle.", "Leave one of them.", null);
            }
        }
    }
}
