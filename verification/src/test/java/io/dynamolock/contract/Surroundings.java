package io.dynamolock.contract;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The processes and threads that contend for a lock.
 *
 * @param twoProcesses whether the rivals use a registry of their own, as another process would
 * @param virtualThreads whether the rivals run on virtual threads; only on a JDK that has them
 */
record Surroundings(boolean twoProcesses, boolean virtualThreads) {

    /** Called by reflection, because the project is compiled for a JDK without virtual threads. */
    private static final Optional<Method> START_VIRTUAL = Stream.of(Thread.class.getMethods())
            .filter(method -> method.getName().equals("startVirtualThread")
                    && Runtime.version().feature() >= 21)
            .findAny();

    static Stream<Surroundings> all() {
        return Stream.of(false, true)
                .filter(virtual -> !virtual || START_VIRTUAL.isPresent())
                .flatMap(virtual -> Stream.of(new Surroundings(false, virtual), new Surroundings(true, virtual)));
    }

    Thread start(Runnable task) {
        if (virtualThreads) {
            try {
                return (Thread) START_VIRTUAL.orElseThrow().invoke(null, task);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
        Thread thread = new Thread(task, "rival");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Override
    public String toString() {
        return (twoProcesses ? "two processes" : "one process") + ", " + (virtualThreads ? "virtual" : "platform")
                + " threads";
    }
}
