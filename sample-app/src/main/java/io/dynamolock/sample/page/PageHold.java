package io.dynamolock.sample.page;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.sample.orders.OrderService;
import io.dynamolock.sample.orders.StaleWriteException;
import io.dynamolock.sample.page.PageState.Kind;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;

/**
 * What a person has an instance do with the lock: hold it, release it, be frozen with it, lose it. Each method returns
 * at once; if it did nothing, it says why. Thread-safe.
 */
@Component
class PageHold {

    private static final BigDecimal AMOUNT = BigDecimal.ONE;

    /** A frozen instance wakes when the other one has written, but at the latest after so many leases. */
    private static final int LONGEST_FREEZE = 12;

    private final Stage stage;
    private final OrderService orders;
    private final Executor executor;
    private final Clock clock;

    /** A customer of this process alone, and not the customer of the rush, whose orders are counted. */
    private final String customer = "page-hold-" + ProcessHandle.current().pid();

    PageHold(Stage stage, OrderService orders, @Qualifier("rushExecutor") Executor executor, Clock clock) {
        this.stage = stage;
        this.orders = orders;
        this.executor = executor;
        this.clock = clock;
    }

    Optional<String> hold(InstanceName name) {
        Instance instance = stage.instance(name);
        Instant began = clock.instant();
        CompletableFuture<LockHandle> asked = instance.hold();
        if (asked == null) {
            return Optional.of("Instance %s holds the lock or waits for it already.".formatted(name));
        }
        asked.whenComplete((handle, failure) -> {
            if (handle != null) {
                granted(instance, asked, handle, Duration.between(began, clock.instant()));
            } else if (instance.forget(asked) && !(failure instanceof CancellationException)) {
                tell(Kind.BAD, "Instance %s did not get the lock.".formatted(name));
            }
        });
        return Optional.empty();
    }

    private void granted(Instance instance, CompletableFuture<LockHandle> asked, LockHandle handle, Duration waited) {
        stage.board().turn(instance.name(), handle, waited, false);
        tell(
                Kind.PLAIN,
                "Instance %s holds the lock with ticket %d until it is released."
                        .formatted(instance.name(), ticket(handle)));
        handle.onLost(() -> {
            // A frozen instance does not hear of the loss. It goes on when it wakes, and the table refuses its write.
            if (!instance.ice().isFrozen() && instance.forget(asked)) {
                handle.releaseAsync();
                tell(
                        Kind.BAD,
                        "Instance %s was told of its loss at once. It stopped, and wrote nothing."
                                .formatted(instance.name()));
            }
        });
    }

    Optional<String> release(InstanceName name) {
        Instance instance = stage.instance(name);
        CompletableFuture<LockHandle> asked = instance.held();
        if (asked == null || instance.ice().isFrozen() || !instance.forget(asked)) {
            return Optional.of("Instance %s has nothing that it could release.".formatted(name));
        }
        asked.cancel(false);
        asked.thenAccept(handle -> {
            stage.board().turnIsOver(handle.fencingToken());
            tell(Kind.PLAIN, "Instance %s released ticket %d.".formatted(name, ticket(handle)));
            handle.releaseAsync();
        });
        return Optional.empty();
    }

    /** Takes the lock away from the instance, as the end of its longest hold does. */
    Optional<String> lose(InstanceName name) {
        LockHandle handle = handleOf(stage.instance(name).held());
        if (handle == null) {
            return Optional.of("Instance %s does not hold the lock. Have it hold the lock first.".formatted(name));
        }
        try {
            handle.setMaxHold(Duration.ofNanos(1));
        } catch (LockLostException already) {
            return Optional.of("Instance %s has lost the lock already.".formatted(name));
        }
        return Optional.empty();
    }

    /**
     * Cuts the instance off until the other one has ordered, or for {@value #LONGEST_FREEZE} leases. Then it goes on as
     * if nothing had happened: its order goes out with the old fencing token.
     */
    Optional<String> freeze(InstanceName name) {
        Instance instance = stage.instance(name);
        CompletableFuture<LockHandle> frozen = instance.held();
        LockHandle handle = handleOf(frozen);
        if (frozen == null || handle == null || !instance.ice().freeze()) {
            return Optional.of("Instance %s does not hold the lock. Have it hold the lock first.".formatted(name));
        }
        tell(
                Kind.PLAIN,
                "Instance %s stands still with ticket %d. The others wait one lease of %s s, in case it comes back."
                        .formatted(name, ticket(handle), seconds(stage.lease())));
        Duration longest = stage.lease().multipliedBy(LONGEST_FREEZE);
        // Only the copy times out: the order itself still takes the lock when its turn comes, and gives it back.
        orderOf(stage.instance(name.other()))
                .copy()
                .orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS)
                .whenCompleteAsync((done, failure) -> wake(instance, handle, frozen), executor);
        return Optional.empty();
    }

    private CompletableFuture<Void> orderOf(Instance other) {
        Instant asked = clock.instant();
        return other.ask("page.order")
                .thenAcceptAsync(
                        granted -> {
                            try (LockHandle lock = granted) {
                                stage.board().turn(other.name(), lock, Duration.between(asked, clock.instant()), false);
                                orders.placeFenced(customer, AMOUNT, lock.fencingToken());
                                tell(
                                        Kind.PLAIN,
                                        "Instance %s got the lock with ticket %d, and wrote its order."
                                                .formatted(other.name(), ticket(lock)));
                            } finally {
                                stage.board().turnIsOver(granted.fencingToken());
                            }
                        },
                        executor);
    }

    private void wake(Instance instance, LockHandle handle, CompletableFuture<LockHandle> frozen) {
        instance.ice().thaw();
        try {
            orders.placeFenced(customer, AMOUNT, handle.fencingToken());
            tell(Kind.PLAIN, "Instance %s woke, and wrote its order: nobody was faster.".formatted(instance.name()));
        } catch (StaleWriteException refused) {
            tell(
                    Kind.GOOD,
                    "Instance %s woke and sent its write with ticket %d. The table refused it: a later ticket was there before."
                            .formatted(instance.name(), ticket(handle)));
        } catch (RuntimeException failure) {
            tell(Kind.BAD, "Instance %s woke, and its write failed.".formatted(instance.name()));
        } finally {
            instance.forget(frozen);
            stage.board().turnIsOver(handle.fencingToken());
            handle.releaseAsync();
        }
    }

    private static @Nullable LockHandle handleOf(@Nullable CompletableFuture<LockHandle> asked) {
        return asked != null && asked.isDone() && !asked.isCompletedExceptionally() ? asked.join() : null;
    }

    private static String seconds(Duration time) {
        return BigDecimal.valueOf(time.toMillis(), 3).stripTrailingZeros().toPlainString();
    }

    private long ticket(LockHandle handle) {
        return stage.board().ticket(handle.fencingToken());
    }

    private void tell(Kind kind, String what) {
        stage.board().tell(kind, what);
    }
}
