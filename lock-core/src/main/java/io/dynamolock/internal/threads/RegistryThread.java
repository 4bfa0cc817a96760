package io.dynamolock.internal.threads;

/**
 * A thread on which a registry completes futures and tells of losses. There are few of these threads. A task that
 * waited for a lock there would hold up the tasks of all others, so it must not. Tasks of an {@linkplain
 * io.dynamolock.LockRegistryBuilder#executor executor} that the user gave run on that executor's threads.
 */
public final class RegistryThread extends Thread {

    RegistryThread(Runnable task, String name) {
        super(null, task, name, 0, false);
    }
}
