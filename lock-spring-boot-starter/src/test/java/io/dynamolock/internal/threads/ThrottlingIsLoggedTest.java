package io.dynamolock.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.engine.Specs;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.store.StoreFailure.Throttling;
import io.dynamolock.internal.store.StoreFailure.Unreadable;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class ThrottlingIsLoggedTest implements TimeSource {

    private static final StoreFailure HOT =
            StoreFailure.throttled(Throttling.KEY_RANGE, new LockKey("secret-7", "n"), "too hot, lock less", null);

    private Duration elapsed = Duration.ZERO;
    private final ListenerQueue queue = new ListenerQueue(List.of(), this);

    @Override
    public long nanos() {
        return Long.MAX_VALUE + elapsed.toNanos();
    }

    @Override
    public Instant now() {
        return Instant.EPOCH;
    }

    @Test
    void throttlingIsWarnedOfOnceAMinuteWithItsReasonAndWithoutTheKey(CapturedOutput output) {
        fails(HOT, Duration.ZERO);
        fails(HOT, Duration.ofMillis(59_999));
        assertThat(warnings(output))
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .contains("(key-range)", "too hot, lock less")
                        .doesNotContain("secret-7"));

        fails(HOT, Duration.ofMinutes(1));
        fails(HOT, Duration.ofMinutes(1));
        assertThat(warnings(output)).hasSize(2).noneMatch(line -> line.contains("secret-7"));
        assertThat(output.getOut().lines().filter(line -> line.contains("secret-7")))
                .allMatch(line -> line.contains("DEBUG"));
    }

    @Test
    void aRareReasonIsNotHiddenByAFrequentOne(CapturedOutput output) {
        fails(StoreFailure.throttled(Throttling.UNKNOWN, null, "slow down", null), Duration.ZERO);
        fails(HOT, Duration.ZERO);

        assertThat(warnings(output)).hasSize(2).anyMatch(line -> line.contains("(key-range)"));
    }

    @Test
    void eachReasonOfALossThatNobodyWishedForIsWarnedOfOnceAMinute(CapturedOutput output) {
        AcquireSpec spec = Specs.exclusive(new LockKey("secret-7", "n"))
                .notWaiting()
                .named("orders")
                .spec();
        for (int i = 0; i < 3; i++) {
            for (LossReason reason : LossReason.values()) {
                queue.lost(spec, 8, Duration.ofSeconds(1), reason);
            }
        }

        assertThat(output.getOut().lines().filter(line -> line.contains("WARN")))
                .hasSize(3)
                .allSatisfy(line -> assertThat(line)
                        .contains("\"orders\" (fencing token 8) was lost after PT1S")
                        .doesNotContain("secret-7"))
                .anyMatch(line -> line.contains("maxHold is over"))
                .anyMatch(line -> line.contains("changed or deleted"))
                .anyMatch(line -> line.contains("operator"));
    }

    @Test
    void aConflictWithAFencedWriteIsNoFailure(CapturedOutput output) {
        fails(new StoreFailure(StoreFailure.Kind.CONFLICTED, "a fenced write", null), Duration.ZERO);
        assertThat(output.getOut()).doesNotContain("WARN");
    }

    @Test
    void eachKindOfFailureIsWarnedOfOnceAMinute(CapturedOutput output) {
        StoreFailure denied = new StoreFailure(StoreFailure.Kind.DENIED, "allow the action", null);
        fails(denied, Duration.ZERO);
        fails(denied, Duration.ZERO);
        queue.storeCallFailed("list", new StoreFailure(StoreFailure.Kind.REFUSED, "too long", null));

        queue.storeCallFailed("heartbeat", new StoreFailure(StoreFailure.Kind.UNAVAILABLE, "no answer", null));
        queue.storeCallFailed("begin session", new StoreFailure(StoreFailure.Kind.UNAVAILABLE, "no way", null));

        assertThat(output.getOut().lines().filter(line -> line.contains("WARN")))
                .satisfiesExactly(
                        line -> assertThat(line).contains("'ask' fails (denied)", "allow the action"),
                        line -> assertThat(line).contains("'list' fails", "too long"),
                        line -> assertThat(line).contains("'heartbeat' fails", "no answer"),
                        line -> assertThat(line).contains("'begin session' fails", "no way"));
    }

    @Test
    void itemsThatCannotBeReadAreWarnedOfOnceAMinuteByTheirSort(CapturedOutput output) {
        StoreFailure session = unreadable(Unreadable.Item.SESSION, null, "the item of session 0123456789 is odd");
        StoreFailure lock = unreadable(Unreadable.Item.LOCK, new LockKey("secret-7", "n"), "a lock item is odd");
        for (StoreFailure failure : List.of(session, lock, session, lock)) {
            fails(failure, Duration.ZERO);
        }

        assertThat(output.getOut().lines().filter(line -> line.contains("WARN")))
                .satisfiesExactly(
                        line -> assertThat(line).contains("nobody can take over", "session 0123456789 is odd"),
                        line -> assertThat(line)
                                .contains("callers of that lock fail", "a lock item is odd")
                                .doesNotContain("secret-7"));
        fails(session, Duration.ofMinutes(1));
        assertThat(output.getOut().lines().filter(line -> line.contains("WARN")))
                .hasSize(3);
    }

    private static StoreFailure unreadable(Unreadable.Item item, @Nullable LockKey key, String message) {
        return StoreFailure.unreadable(new Unreadable(item, Unreadable.Reason.MALFORMED), key, false, message, null);
    }

    private void fails(StoreFailure failure, Duration at) {
        elapsed = at;
        queue.storeCallFailed("ask", failure);
    }

    private static List<String> warnings(CapturedOutput output) {
        return output.getOut()
                .lines()
                .filter(line -> line.contains("WARN") && line.contains("throttles"))
                .toList();
    }
}
