package io.dynamolock.scale;

import java.util.function.Consumer;

/** One way to lock, in many simulated processes that share one virtual table. */
interface LockSystem {

    /** Makes systems of one kind. */
    interface Kind {

        LockSystem start(VirtualTable table, int processes, long seed);
    }

    /** Gives back one grant. */
    interface Held {

        /** @param done run when the release has been written */
        void release(Runnable done);
    }

    /** Waits for as long as it takes. */
    void acquire(int process, String key, Consumer<Held> granted);

    /** The process is no more from one moment to the next; what it has sent may still arrive. */
    void kill(int process);

    /** The process stops in order, holding what it holds: the lock's own way to close, if it has one. */
    void close(int process);

    /** Whether the process may still go on with what it was granted. */
    boolean isAlive(int process);
}
