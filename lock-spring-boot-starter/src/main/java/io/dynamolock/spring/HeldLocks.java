package io.dynamolock.spring;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.internal.AdoptableLock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The locks of one call that goes on after it has returned. Filled by one thread after the other, and left once. */
final class HeldLocks {

    private final LockedCall call;
    private final List<WantedLock> wanted;
    private final @Nullable UsedLock[] locks;

    private HeldLocks(LockedCall call) {
        this.call = call;
        this.wanted = call.wanted();
        this.locks = new UsedLock[wanted.size()];
    }

    /** @param outer what the caller holds */
    static HeldLocks enter(LockedCall call, Function<LockId, @Nullable UsedLock> outer) {
        HeldLocks entered = new HeldLocks(call);
        for (int i = 0; i < entered.locks.length; i++) {
            UsedLock lock = outer.apply(entered.wanted.get(i).id(call.registry()));
            if (lock != null && lock.enter()) {
                entered.locks[i] = lock;
            }
        }
        return entered;
    }

    /** The same for further work of the call; some are missing if they have been left. */
    HeldLocks enterAgain() {
        HeldLocks again = new HeldLocks(call);
        for (int i = 0; i < locks.length; i++) {
            again.locks[i] = lock(i).enter() ? lock(i) : null;
        }
        return again;
    }

    List<WantedLock> missing() {
        return IntStream.range(0, locks.length)
                .filter(i -> locks[i] == null)
                .mapToObj(wanted::get)
                .toList();
    }

    /** @param handles of what was missing */
    List<UsedLock> take(List<LockHandle> handles) {
        List<UsedLock> taken = new ArrayList<>(handles.size());
        for (int i = 0; i < locks.length; i++) {
            if (locks[i] == null) {
                UsedLock lock = new UsedLock(
                        handles.get(taken.size()), wanted.get(i).request().mode());
                locks[i] = lock;
                taken.add(lock);
            }
        }
        return taken;
    }

    boolean isNone() {
        return locks.length == 0;
    }

    void forEach(BiConsumer<WantedLock, UsedLock> action) {
        for (int i = 0; i < locks.length; i++) {
            action.accept(wanted.get(i), lock(i));
        }
    }

    private UsedLock lock(int i) {
        return Objects.requireNonNull(locks[i]);
    }

    List<CurrentLock> current() {
        return IntStream.range(0, locks.length)
                .mapToObj(i -> new CurrentLock(call.registry(), lock(i).handle()))
                .toList();
    }

    /** @throws IllegalStateException if the caller shares one of them, and the method wants it alone */
    void ensureCover() {
        forEach((lock, held) -> held.ensureCovers(lock.request(), lock.method().description()));
    }

    /**
     * Runs the body on this thread as under all of them, one after the other, so that each loss is dealt with as its annotation
     * says.
     */
    @Nullable
    Object run(MethodBody body) throws Throwable {
        return run(0, body);
    }

    private @Nullable Object run(int next, MethodBody body) throws Throwable {
        if (next == locks.length) {
            return body.run();
        }
        MethodBody rest = () -> run(next + 1, body);
        LockId id = wanted.get(next).id(call.registry());
        OnLost onLost = wanted.get(next).method().onLost();
        HeldByThread outer = LocksOfThread.find(id);
        if (outer != null && outer.lock() == locks[next]) {
            return outer.run(rest, onLost);
        }
        AdoptableLock ofThread = (AdoptableLock)
                call.answered(call.registry().lock(wanted.get(next).request()));
        HeldByThread held = new HeldByThread(id, lock(next), ofThread);
        LocksOfThread.add(held);
        try {
            return held.run(rest, onLost);
        } finally {
            LocksOfThread.remove(held);
        }
    }

    /** Has the callback called when one of them is lost whose loss matters, perhaps more than once. */
    void onLost(Runnable callback) {
        forEach((lock, held) -> {
            held.work(lock.method().onLost());
            if (lock.mindsLoss()) {
                held.onLost(callback);
            }
        });
    }

    void forget(Runnable callback) {
        forEach((lock, held) -> held.forget(callback));
    }

    /** Whether one of them is lost whose loss matters. */
    boolean isLost() {
        for (int i = 0; i < locks.length; i++) {
            if (wanted.get(i).mindsLoss() && !lock(i).handle().isValid()) {
                return true;
            }
        }
        return false;
    }

    /** Of those that are held. */
    @Nullable
    LockLostException loss() {
        for (int i = 0; i < locks.length; i++) {
            UsedLock lock = locks[i];
            LockLostException loss = lock != null && wanted.get(i).mindsLoss() ? lock.loss() : null;
            if (loss != null) {
                return loss;
            }
        }
        return null;
    }

    /** Completes when all are released that nobody else uses, and never exceptionally. */
    CompletableFuture<Void> leaveAsync() {
        return CompletableFuture.allOf(Arrays.stream(locks)
                .filter(Objects::nonNull)
                .map(UsedLock::leaveAsync)
                .toArray(CompletableFuture<?>[]::new));
    }
}
