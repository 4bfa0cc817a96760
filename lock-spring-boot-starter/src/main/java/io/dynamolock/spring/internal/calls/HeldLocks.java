package io.dynamolock.spring.internal.calls;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.internal.CurrentHandle;
import io.dynamolock.spring.internal.declarations.WantedLock;
import io.dynamolock.spring.internal.holds.HeldLock;
import io.dynamolock.spring.internal.holds.LockId;
import io.dynamolock.spring.internal.holds.ThreadHold;
import io.dynamolock.spring.internal.transactions.TransactionCheck;
import io.dynamolock.spring.internal.transactions.TransactionEnd;
import java.util.ArrayList;
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
    private final @Nullable HeldLock[] locks;

    private HeldLocks(LockedCall call) {
        this.call = call;
        this.wanted = call.wanted();
        this.locks = new HeldLock[wanted.size()];
    }

    /** @param entering enters what the caller holds, if it holds it */
    static HeldLocks enter(LockedCall call, Function<WantedLock, @Nullable HeldLock> entering) {
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
            HeldLock lock = locks[i];
            again.locks[i] = lock != null && lock.enter() ? lock : null;
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
    List<HeldLock> take(List<LockHandle> handles) {
        List<HeldLock> taken = new ArrayList<>(handles.size());
        for (int i = 0; i < locks.length; i++) {
            if (locks[i] == null) {
                HeldLock lock = new HeldLock(
                        handles.get(taken.size()), wanted.get(i).request().mode(), null);
                locks[i] = lock;
                taken.add(lock);
            }
        }
        return taken;
    }

    /** For each that is held. */
    void forEach(BiConsumer<WantedLock, HeldLock> action) {
        for (int i = 0; i < locks.length; i++) {
            HeldLock lock = locks[i];
            if (lock != null) {
                action.accept(wanted.get(i), lock);
            }
        }
    }

    private HeldLock lock(int i) {
        return Objects.requireNonNull(locks[i]);
    }

    List<CurrentHandle> current() {
        CurrentHandle[] current = new CurrentHandle[locks.length];
        for (int i = 0; i < current.length; i++) {
            current[i] = new CurrentHandle(call.registry(), lock(i).handle());
        }
        return List.of(current);
    }

    /**
     * What was taken is held until the transaction of this thread has ended, and a loss before rolls that back. What this call has
     * not taken is not its own to keep.
     */
    void stayForTransaction(List<HeldLock> taken) {
        forEach((lock, used) -> {
            if (taken.contains(used)) {
                TransactionEnd.await(ofThread(lock, used));
            }
            if (lock.mindsLoss()) {
                TransactionCheck.register(used);
            }
        });
    }

    private ThreadHold ofThread(WantedLock lock, HeldLock used) {
        return new ThreadHold(
                LockId.of(call.registry(), lock.request()),
                used,
                call.answered(call.registry().lock(lock.request())));
    }

    /**
     * Runs the body on this thread as under all of them, one after the other, so that each loss is dealt with as its annotation
     * says.
     */
    @Nullable
    Object run(CurrentHandle.Body body) throws Throwable {
        CurrentHandle.Body under = body;
        for (int i = locks.length - 1; i >= 0; i--) {
            ThreadHold held = ofThread(wanted.get(i), lock(i));
            OnLost onLost = wanted.get(i).method().onLost();
            CurrentHandle.Body inner = under;
            under = () -> held.run(onLost, inner);
        }
        return under.run();
    }

    /** Has the callback called when one of them is lost whose loss matters, perhaps more than once. */
    void onLost(Runnable callback) {
        forEach((lock, held) -> {
            if (lock.mindsLoss()) {
                held.onLost(callback);
            }
        });
    }

    void forget(Runnable callback) {
        forEach((lock, held) -> held.forget(callback));
    }

    /** Of one of them whose loss matters. */
    @Nullable
    LockLostException loss() {
        for (int i = 0; i < locks.length; i++) {
            HeldLock lock = locks[i];
            LockLostException loss = lock != null && wanted.get(i).mindsLoss() ? lock.loss() : null;
            if (loss != null) {
                return loss;
            }
        }
        return null;
    }

    /** @throws LockLostException if one of them is lost whose loss matters */
    void ensureNoneIsLost() {
        LockLostException loss = loss();
        if (loss != null) {
            throw loss;
        }
    }

    /** Waits for the release of all that nobody else uses. */
    void leave() {
        forEach((lock, held) -> held.leave());
    }

    /** Completes when all are released that nobody else uses, and never exceptionally. */
    CompletableFuture<Void> leaveAsync() {
        List<CompletableFuture<?>> left = new ArrayList<>(locks.length);
        forEach((lock, held) -> left.add(held.leaveAsync()));
        return CompletableFuture.allOf(left.toArray(CompletableFuture<?>[]::new));
    }
}
