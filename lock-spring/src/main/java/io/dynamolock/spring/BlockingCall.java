package io.dynamolock.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One call of a locked method whose work is done when it returns: takes its locks, all or none, and runs it. */
final class BlockingCall {

    private final LockedCall call;
    private final List<CallLock> locks;

    private BlockingCall(LockedCall call) {
        this.call = call;
        this.locks =
                call.wanted().stream().map(lock -> new CallLock(call, lock)).toList();
    }

    static @Nullable Object run(LockedCall call) throws Throwable {
        return new BlockingCall(call).run();
    }

    private @Nullable Object run() throws Throwable {
        Timeout timeout;
        try {
            timeout = acquire(locks.stream().filter(lock -> !lock.enterAgain()).toList());
            if (timeout == null) {
                if (call.untilTransactionEnds()) {
                    locks.forEach(CallLock::stayForTransaction);
                }
                return call.finished(runUnder(0));
            }
        } finally {
            locks.forEach(CallLock::leave);
        }
        return timeout.skips()
                ? SkippedResult.of(call.invocation().getMethod().getReturnType())
                : timeout.answer(call.invocation());
    }

    private @Nullable Timeout acquire(List<CallLock> missing) {
        if (missing.isEmpty()) {
            return null;
        }
        if (Libraries.REACTOR) {
            NonBlockingThreads.refuse(call.method());
        }
        Acquired acquired = call.acquire(missing.stream().map(CallLock::wanted).toList());
        for (int i = 0; i < acquired.handles().size(); i++) {
            missing.get(i).take(acquired.handles().get(i));
        }
        return acquired.timeout();
    }

    /** One after the other, so that each loss is dealt with as its annotation says. */
    private @Nullable Object runUnder(int next) throws Throwable {
        return next < locks.size()
                ? locks.get(next).run(() -> runUnder(next + 1))
                : call.proceed(locks.stream().map(CallLock::current).toList());
    }
}
