package io.dynamolock.spring;

import org.jspecify.annotations.Nullable;

/** What runs under the lock: the aspects inside it, and the method itself. */
@FunctionalInterface
interface MethodBody {

    @Nullable
    Object run() throws Throwable;
}
