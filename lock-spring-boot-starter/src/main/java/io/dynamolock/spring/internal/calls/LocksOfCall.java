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

/**
 * The locks of one call, in the order in which they are wanted. First come those that the caller holds already, then
 * those that the call takes. Several threads fill it, but one after the other. It is left once.
 */
final class HeldLocks {

    private final LockedCall call;
    private final List<WantedLock> wanted;
    private final @Nullable HeldLock[] locks;

    private HeldLocks(LockedCall call) {
        this.call = call;
        this.wanted = call.wanted();
        this.locks = new HeldLock[wanted.size()];
    }

    /** @param enterIfHeld enters a lock if the caller holds it, and gives null if not */
    static HeldLocks enter(LockedCall call, Function<WantedLock, @Nullable HeldLock> enterIfHeld) {
        HeldLocks entered = new HeldLocks(call);
        try {
            for (int i = 0; i < entered.locks.length; i++) {
                entered.locks[i] = enterIfHeld.apply(entered.wanted.get(i));
            }
        } catch (RuntimeException e) {
            entered.leave();
            throw e;
        }
        return entered;
    }

    /**
     * Enters all locks once more, for further work of the call. Locks that have been left meanwhile are missing in the
     * result.
     */
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

    /** @param handles of the missing locks, in their order */
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

    /** Calls the action for each lock that is held. */
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
     * Keeps the taken locks until the transaction of this thread has ended, and has the loss of any lock of this call
     * roll that back. Locks that an outer call has taken are that call's to keep.
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
     * Runs the body on this thread, nested in one {@link ThreadHold} for each lock, so that each loss is dealt with as
     * its annotation says.
     */
    @Nullable
    Object run(CurrentHandle.Body body) throws Throwable {
        CurrentHandle.Body under = body;
        for (int i = locks.length - 1; i >= 0; i--) {
            ThreadHold hold = ofThread(wanted.get(i), lock(i));
            OnLost onLost = wanted.get(i).declaration().onLost();
            CurrentHandle.Body inner = under;
            under = () -> hold.run(onLost, inner);
        }
        return under.run();
    }

    /** Has the callback called when a lock whose loss matters is lost, perhaps more than once. */
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

    /** The loss of the first lost lock whose loss matters; null if there is none. */
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

    /** @throws LockLostException if a lock whose loss matters is lost */
    void ensureNoneIsLost() {
        LockLostException loss = loss();
        if (loss != null) {
            throw loss;
        }
    }

    /** Leaves all locks, and waits for the release of those that have no other user. */
    void leave() {
        forEach((lock, held) -> held.leave());
    }

    /** Leaves all locks. Completes, never exceptionally, when those that have no other user are released. */
    CompletableFuture<Void> leaveAsync() {
        List<CompletableFuture<?>> releases = new ArrayList<>(locks.length);
        forEach((lock, held) -> releases.add(held.leaveAsync()));
        return CompletableFuture.allOf(releases.toArray(CompletableFuture<?>[]::new));
    }
}
