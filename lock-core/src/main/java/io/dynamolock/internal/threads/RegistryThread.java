package io.dynamolock.internal.threads;

/**
 * A thread on which a registry completes futures and tells of losses. There are few of them, so what runs there must not wait for a
 * lock: all others would wait with it. An executor of one's own ({@link io.dynamolock.LockRegistryBuilder#executor}) has threads of its
 * own.
 */
public final class RegistryThread extends Thread {

    RegistryThread(Runnable task, String name) {
        super(null, task, name, 0, false);
    }
}
