package io.dynamolock.spring;

/** How a locked method holds its lock. */
public enum Mode {
    /** What the class says, else {@link #EXCLUSIVE}. */
    DEFAULT,
    /** No other method with the same namespace and key runs at the same time. */
    EXCLUSIVE,
    /** Other methods that share the lock run at the same time, exclusive ones do not. */
    SHARED
}
