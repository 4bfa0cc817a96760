package io.dynamolock.internal.registry;

import static io.dynamolock.internal.testing.Thrown.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LockLostException;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.LockedAction;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.testing.FakeGrant;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class WithLockTest {

    private static final Duration WAIT = Duration.ofSeconds(1);

    private final FakeEngine engine = new FakeEngine().granting();
    private final DefaultLockRegistry registry = engine.registry();

    @Test
    void runsTheActionUnderTheLockAndReturnsItsResult() throws Exception {
        String result = registry.withLock("k", WAIT, () -> {
            assertThat(grant().releases).hasValue(0);
            return "done";
        });

        assertThat(result).isEqualTo("done");
        assertThat(grant().releases).hasValue(1);
    }

    @Test
    void takesARequestAndGivesTheActionItsHandle() {
        LockRequest request = LockRequest.of("k").namespace("n").waitTime(WAIT);

        long token = registry.withLock(request, lock -> {
            assertThat(lock.isValid()).isTrue();
            return lock.fencingToken();
        });

        assertThat(token).isEqualTo(101);
        assertThat(engine.attempt(0).spec.key().namespace()).isEqualTo("n");
        assertThat(grant().releases).hasValue(1);

        AtomicBoolean ran = new AtomicBoolean();
        registry.withLock(request, () -> ran.set(true));
        assertThat(ran).isTrue();
        assertThat(engine.attempt(1).grant.releases).hasValue(1);

        // What the action throws is what the compiler asks for: nothing above, this here.
        IOException failure = new IOException("action failed");
        LockedAction<String, IOException> failing = lock -> {
            throw failure;
        };
        assertThatThrownBy(() -> registry.withLock(request, failing)).isSameAs(failure);
        assertThat(engine.attempt(2).grant.releases).hasValue(1);
    }

    @Test
    void doesNotRunTheActionWithoutTheLock() {
        engine.answering(new AcquireOutcome.TimedOut(WAIT, 1, null));
        AtomicBoolean ran = new AtomicBoolean();

        thrown(LockTimeoutException.class, () -> registry.withLock("k", WAIT, () -> ran.set(true)));

        assertThat(ran).isFalse();
    }

    @Test
    void passesOnWhatTheActionThrowsAndReleases() {
        IOException failure = new IOException("action failed");
        Callable<String> action = () -> {
            throw failure;
        };
        assertThatThrownBy(() -> registry.withLock("k", WAIT, action))
                .isSameAs(failure)
                .hasNoSuppressedExceptions();
        assertThat(grant().releases).hasValue(1);

        Error error = new AssertionError("worse");
        Runnable worse = () -> {
            throw error;
        };
        assertThatThrownBy(() -> registry.withLock("k", WAIT, worse)).isSameAs(error);
        assertThat(engine.attempt(1).grant.releases).hasValue(1);
    }

    @Test
    void throwsAfterAnActionDuringWhichTheLockWasLost() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> registry.withLock("k", WAIT, () -> {
                    grant().lose();
                    return "done";
                }))
                .withMessageContainingAll("\"k\"", "101", "while the action ran")
                .satisfies(e -> assertThat(e.fencingToken()).isEqualTo(101));
        assertThat(grant().releases).hasValue(1);
    }

    @Test
    void addsTheLossToWhatTheActionThrew() {
        RuntimeException failure = new RuntimeException("action failed");

        assertThatThrownBy(() -> registry.withLock("k", WAIT, () -> {
                    grant().lose();
                    throw failure;
                }))
                .isSameAs(failure)
                .satisfies(e -> assertThat(e.getSuppressed()).singleElement().isInstanceOf(LockLostException.class));
    }

    private FakeGrant grant() {
        return engine.attempt(0).grant;
    }
}
