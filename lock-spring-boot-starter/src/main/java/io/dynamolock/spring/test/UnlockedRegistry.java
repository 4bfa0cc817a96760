package io.dynamolock.spring.test;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.spring.unlocked.AlwaysGrantingRegistry;

/**
 * Makes registries for tests that lock nothing: every lock is granted at once, so that a method with {@link
 * io.dynamolock.spring.annotation.DynamoLocked} simply runs. Never use such a registry in production. For tests in
 * which locks exclude callers, use the store {@code memory}.
 *
 * <pre>{@code
 * @TestConfiguration
 * class NoLocks {
 *
 *     @Bean
 *     LockRegistry locks() {
 *         return UnlockedRegistry.create();
 *     }
 * }
 * }</pre>
 */
public final class UnlockedRegistry {

    private UnlockedRegistry() {}

    /**
     * A new registry whose fencing tokens begin at 1. Thread-safe. Handles, thread locks and elections work as in a
     * registry that locks; a handle is lost only when the registry is closed, and every candidate of an election leads.
     * What has no meaning without locks throws {@link UnsupportedOperationException}: {@link LockHandle#fence()},
     * {@link LockAdmin#inspect}, {@link LockAdmin#list}, {@link LockAdmin#listAll} and {@link LockAdmin#evict}.
     */
    public static LockRegistry create() {
        return AlwaysGrantingRegistry.create();
    }
}
