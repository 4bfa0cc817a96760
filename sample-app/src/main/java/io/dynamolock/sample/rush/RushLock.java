package io.dynamolock.sample.rush;

/** The kind of lock that keeps the orders of a rush apart. */
public enum RushLock {
    /** Nothing. */
    NONE,
    /** A lock with a queue: {@link io.dynamolock.sample.orders.OrderService}. */
    QUEUE,
    /** A lock in the customer's own item: {@link io.dynamolock.sample.orders.LockingReadOrderService}. */
    LOCKING_READ
}
