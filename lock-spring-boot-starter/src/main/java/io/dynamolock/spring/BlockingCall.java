package io.dynamolock.spring;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One call of a locked method whose work is done when it returns: takes its locks, all or none, and runs it. */
final class BlockingCall {

    private final LockedCall call;
    private final CallLock[] locks;

    private BlockingCall(LockedCall call) {
        this.call = call;
        this.locks = new CallLock[call.wanted().size()];
        for (int i = 0; i < locks.length; i++) {
            locks[i] = new CallLock(call, call.wanted().get(i));
        }
    }

    static @Nullable Object run(LockedCall call) throws Throwable {
        return new BlockingCall(call).run();
    }

    private @Nullable Object run() throws Throwable {
        Timeout timeout;
        try {
            timeout = acquire();
            if (timeout == null) {
                if (call.untilTransactionEnds()) {
                    for (CallLock lock : locks) {
                        lock.stayForTransaction();
                    }
                }
                return call.finished(runUnder(0));
            }
        } finally {
            for (CallLock lock : locks) {
                lock.leave();
            }
        }
        return timeout.skips()
                ? SkippedResult.of(call.invocation().getMethod().getReturnType())
                : timeout.answer(call.invocation());
    }

    private @Nullable Timeout acquire() {
        List<CallLock> missing = new ArrayList<>(locks.length);
        List<WantedLock> wanted = new ArrayList<>(locks.length);
        for (CallLock lock : locks) {
            if (!lock.enterAgain()) {
                missing.add(lock);
                wanted.add(lock.wanted());
            }
        }
        if (missing.isEmpty()) {
            return null;
        }
        NonBlockingThreads.refuse(call.method());
        Acquired acquired = call.acquire(wanted);
        for (int i = 0; i < acquired.handles().size(); i++) {
            missing.get(i).take(acquired.handles().get(i));
        }
        return acquired.timeout();
    }

    /** One after the other, so that each loss is dealt with as its annotation says. */
    private @Nullable Object runUnder(int next) throws Throwable {
        return next < locks.length ? locks[next].run(() -> runUnder(next + 1)) : call.proceed(current());
    }

    private List<CurrentLock> current() {
        CurrentLock[] current = new CurrentLock[locks.length];
        for (int i = 0; i < current.length; i++) {
            current[i] = locks[i].current();
        }
        return List.of(current);
    }
}
