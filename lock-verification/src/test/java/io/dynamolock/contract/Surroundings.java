package io.dynamolock.contract;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where those who contend for a lock live.
 *
 * @param twoProcesses whether the rivals use a registry of their own, as another process would
 * @param virtualThreads whether the rivals run on virtual threads; only on a JDK that has them
 */
record Surroundings(boolean twoProcesses, boolean virtualThreads) {

    static Stream<Surroundings> all() {
        List<Boolean> threads = VirtualThreads.START == null ? List.of(false) : List.of(false, true);
        return threads.stream()
                .flatMap(virtual -> Stream.of(new Surroundings(false, virtual), new Surroundings(true, virtual)));
    }

    Thread start(Runnable task) {
        if (virtualThreads) {
            return VirtualThreads.start(task);
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

    /** By reflection, because the project is compiled for a JDK without them. */
    private static final class VirtualThreads {

        static final Method START = find();

        private static Method find() {
            if (Runtime.version().feature() < 21) {
                return null;
            }
            try {
                return Thread.class.getMethod("startVirtualThread", Runnable.class);
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException("a JDK from 21 on has virtual threads", e);
            }
        }

        static Thread start(Runnable task) {
            try {
                return (Thread) START.invoke(null, task);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
