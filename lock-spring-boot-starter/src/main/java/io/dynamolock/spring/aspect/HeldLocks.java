package io.dynamolock.spring.aspect;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.internal.AdoptableLock;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.internal.EnteredLock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The locks of one call, in the order in which they are wanted. Filled by one thread after the other, and left once. */
final class HeldLocks {

    private final LockedCall call;
    private final List<WantedLock> wanted;
    private final @Nullable UsedLock[] locks;

    private HeldLocks(LockedCall call) {
        this.call = call;
        this.wanted = call.wanted();
        this.locks = new UsedLock[wanted.size()];
    }

    /** @param entering enters what the caller holds, if it holds it */
    static HeldLocks enter(LockedCall call, Function<WantedLock, @Nullable UsedLock> entering) {
        HeldLocks entered = new HeldLocks(call);
        try {
            for (int i = 0; i < entered.locks.length; i++) {
                entered.locks[i] = entering.apply(entered.wanted.get(i));
            }
        } catch (RuntimeException e) {
            entered.leave();
            throw e;
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
        List<WantedLock> missing = new ArrayList<>(locks.length);
        for (int i = 0; i < locks.length; i++) {
            if (locks[i] == null) {
                missing.add(wanted.get(i));
            }
        }
        return missing;
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

    List<EnteredLock> current() {
        EnteredLock[] current = new EnteredLock[locks.length];
        for (int i = 0; i < current.length; i++) {
            current[i] = new EnteredLock(call.registry(), lock(i).handle());
        }
        return List.of(current);
    }

    /**
     * What was taken is held until the transaction of this thread has ended, and a loss before rolls that back. What this call has
     * not taken is not its own to keep.
     */
    void stayForTransaction(List<UsedLock> taken) {
        for (int i = 0; i < locks.length; i++) {
            UsedLock lock = lock(i);
            HeldByThread held = ofThread(i);
            if (taken.contains(lock)) {
                TransactionEnd.await(held, () -> {
                    LocksOfThread.remove(held);
                    lock.leave();
                });
                lock.enter();
                LocksOfThread.add(held);
            } else if (wanted.get(i).mindsLoss()) {
                TransactionCheck.register(held);
            }
        }
    }

    /** As an outer method of this thread holds it, or for this call. */
    private HeldByThread ofThread(int i) {
        LockId id = wanted.get(i).id(call.registry());
        HeldByThread outer = LocksOfThread.find(id);
        return outer != null && outer.lock() == locks[i]
                ? outer
                : new HeldByThread(id, lock(i), (AdoptableLock)
                        call.answered(call.registry().lock(wanted.get(i).request())));
    }

    /**
     * Runs the body on this thread as under all of them, one after the other, so that each loss is dealt with as its annotation
     * says.
     */
    @Nullable
    Object run(EnteredLock.Body body) throws Throwable {
        return run(0, body);
    }

    private @Nullable Object run(int next, EnteredLock.Body body) throws Throwable {
        if (next == locks.length) {
            return body.run();
        }
        EnteredLock.Body rest = () -> run(next + 1, body);
        OnLost onLost = wanted.get(next).method().onLost();
        HeldByThread held = ofThread(next);
        // What the thread holds by the registry inner methods enter by that, too, which knows how it is held.
        if (LocksOfThread.find(held.id()) == held || lock(next).isOfRegistry()) {
            return held.run(rest, onLost);
        }
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

    /** Waits for the release of all that nobody else uses. */
    void leave() {
        for (UsedLock lock : locks) {
            if (lock != null) {
                lock.leave();
            }
        }
    }

    /** Completes when all are released that nobody else uses, and never exceptionally. */
    CompletableFuture<Void> leaveAsync() {
        return CompletableFuture.allOf(Arrays.stream(locks)
                .filter(Objects::nonNull)
                .map(UsedLock::leaveAsync)
                .toArray(CompletableFuture<?>[]::new));
    }
}
