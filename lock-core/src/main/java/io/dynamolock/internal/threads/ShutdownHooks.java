package io.dynamolock.internal.threads;

/** What runs when the virtual machine shuts down. Implementations are thread-safe. */
public interface ShutdownHooks {

    /**
     * Has the task run when the virtual machine shuts down. Does nothing if it is shutting down already.
     *
     * @return takes the task out again; does nothing if the virtual machine is shutting down, or if run again
     */
    Runnable add(Runnable task);

    /** The hooks of this virtual machine. */
    static ShutdownHooks ofThisMachine() {
        return task -> {
            Thread hook = RegistryThreads.thread(task, "dynamolock-shutdown");
            try {
                Runtime.getRuntime().addShutdownHook(hook);
            } catch (IllegalStateException alreadyShuttingDown) {
                return () -> {};
            }
            return () -> remove(hook);
        };
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // The hook runs, or has run: perhaps this is its thread.
        }
    }
}
