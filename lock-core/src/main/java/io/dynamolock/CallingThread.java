package io.dynamolock;

/** Who asks for a lock if the request does not say. */
final class CallingThread {

    private CallingThread() {}

    /** Virtual threads have no name unless they are given one. */
    static String name() {
        Thread thread = Thread.currentThread();
        String name = thread.getName();
        return name.isEmpty() ? "thread " + thread.getId() : name;
    }

    /** The same, to be asked for by another thread than this one, whose name it keeps unless it has a caller. */
    static LockRequest asksFor(LockRequest request) {
        return request.caller().isPresent() ? request : request.caller(name());
    }
}
