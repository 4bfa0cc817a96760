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
 * The locks of one call, in the order in which they are wanted. The locks that the caller holds already are entered
 * first, then the call takes the missing ones. Several threads may use this object, but one after the other. It is left
 * once.
 */
final class LocksOfCall {

    private final LockedCall call;
    private final List<WantedLock> wanted;
    /** One place for each wanted lock, in the order of {@link #wanted}; null while the call does not hold the lock. */
    private final @Nullable HeldLock[] locks;

    private LocksOfCall(LockedCall call) {
        this.call = call;
        this.wanted = call.wanted();
        this.locks = new HeldLock[wanted.size()];
    }

    /** @param enterIfHeld enters a lock and returns the lock, or returns null if the caller does not hold the lock */
    static LocksOfCall enter(LockedCall call, Function<WantedLock, @Nullable HeldLock> enterIfHeld) {
        LocksOfCall entered = new LocksOfCall(call);
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
     * Adds a user to each lock, for further work of the call, and returns the locks as this user has them. A lock that
     * was released meanwhile is missing in the result.
     */
    LocksOfCall addUser() {
        LocksOfCall user = new LocksOfCall(call);
        for (int i = 0; i < locks.length; i++) {
            HeldLock lock = locks[i];
            user.locks[i] = lock != null && lock.enter() ? lock : null;
        }
        return user;
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

    /** @param handles the handles of the missing locks, in the order of {@link #missing} */
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
     * Keeps the taken locks until the transaction of this thread has ended, and rolls the transaction back if a lock of
     * this call whose loss matters is lost before the commit. A lock that an outer call has taken stays as long as the
     * outer call wants.
     */
    void stayForTransaction(List<HeldLock> taken) {
        forEach((lock, used) -> {
            if (taken.contains(used)) {
                TransactionEnd.holdUntilEnd(threadHold(lock, used));
            }
            if (lock.lossMatters()) {
                TransactionCheck.register(used);
            }
        });
    }

    private ThreadHold threadHold(WantedLock lock, HeldLock used) {
        return new ThreadHold(
                LockId.of(call.registry(), lock.request()),
                used,
                call.answered(call.registry().lock(lock.request())));
    }

    /**
     * Runs the body on this thread, nested in one {@link ThreadHold} for each lock. Each hold reacts to a loss of its
     * lock as the annotation says.
     */
    @Nullable
    Object run(CurrentHandle.Body body) throws Throwable {
        CurrentHandle.Body under = body;
        for (int i = locks.length - 1; i >= 0; i--) {
            ThreadHold hold = threadHold(wanted.get(i), lock(i));
            OnLost onLost = wanted.get(i).declaration().onLost();
            CurrentHandle.Body inner = under;
            under = () -> hold.run(onLost, inner);
        }
        return under.run();
    }

    /** Has the callback called when a lock whose loss matters is lost, perhaps more than once. */
    void onLost(Runnable callback) {
        forEach((lock, held) -> {
            if (lock.lossMatters()) {
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
            LockLostException loss = lock != null && wanted.get(i).lossMatters() ? lock.loss() : null;
            if (loss != null) {
                return loss;
            }
        }
        return null;
    }

    /** Whether a lock is lost whose loss interrupts the method: the method may then fail with any exception. */
    boolean isInterruptingLockLost() {
        for (int i = 0; i < locks.length; i++) {
            HeldLock lock = locks[i];
            boolean isInterrupting = wanted.get(i).declaration().onLost() == OnLost.INTERRUPT;
            if (isInterrupting && lock != null && lock.loss() != null) {
                return true;
            }
        }
        return false;
    }

    /** @throws LockLostException if a lock whose loss matters is lost */
    void ensureNoneIsLost() {
        LockLostException loss = loss();
        if (loss != null) {
            throw loss;
        }
    }

    /** Leaves all locks, and then waits for each release that is to be awaited. */
    void leave() {
        List<Runnable> releases = new ArrayList<>(locks.length);
        forEach((lock, held) -> releases.add(held.beginToLeave()));
        releases.forEach(Runnable::run);
    }

    /** Leaves all locks. The future completes, never exceptionally, when no release is to be awaited any more. */
    CompletableFuture<Void> leaveAsync() {
        List<CompletableFuture<?>> releases = new ArrayList<>(locks.length);
        forEach((lock, held) -> releases.add(held.leaveAsync()));
        return CompletableFuture.allOf(releases.toArray(CompletableFuture<?>[]::new));
    }
}
