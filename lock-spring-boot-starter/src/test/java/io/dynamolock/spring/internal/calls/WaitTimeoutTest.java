package io.dynamolock.spring.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.LockKeyException;
import io.dynamolock.spring.annotation.OnTimeout;
import io.dynamolock.spring.aspect.AspectContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What a call gives whose wait is over: a fallback or an exception of the application's. */
class WaitTimeoutTest {

    @AutoClose
    private final AspectContext context =
            new AspectContext(Orders.class, ByItsClass.class, Inner.class, Outer.class, FindsText.class);

    private final FakeLockRegistry locks = context.locks;
    private final Orders orders = context.bean(Orders.class);

    static class Busy extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Busy(String message, Throwable cause) {
            super(message, cause);
        }
    }

    static class BusyWithoutCause extends RuntimeException {

        private static final long serialVersionUID = 1L;

        BusyWithoutCause() {
            super("busy", null);
        }
    }

    static class BusyThatFails extends RuntimeException {

        private static final long serialVersionUID = 1L;

        BusyThatFails() {
            throw new UnsupportedOperationException("not today");
        }
    }

    static class Orders {

        private final List<String> told = new ArrayList<>();

        public List<String> told() {
            return told;
        }

        @DynamoLocked(key = "#id", fallbackMethod = "later")
        public String ship(String id, int amount) throws IOException {
            return "shipped";
        }

        @SuppressWarnings("unused")
        private String later(String id, int amount) throws IOException {
            if (amount < 0) {
                throw new IOException("negative");
            }
            return "later " + id + " " + amount;
        }

        @DynamoLocked(key = "#id", fallbackMethod = "explained")
        public long withException(String id) {
            return 1;
        }

        long explained(String id, Exception timeout) {
            told.add(timeout.getMessage());
            return 2;
        }

        @DynamoLocked(key = "#id", fallbackMethod = "never")
        public String failing(String id) {
            throw new LockKeyException("its own", null);
        }

        @SuppressWarnings("DoNotCallSuggester")
        static String never(String id) {
            throw new AssertionError();
        }

        @DynamoLocked(key = "#id", timeoutException = Busy.class)
        public void busy(String id) {}

        @DynamoLocked(key = "#id", timeoutException = IllegalStateException.class)
        public void ofTheJdk(String id) {}

        @DynamoLocked(key = "#id", timeoutException = BusyWithoutCause.class)
        public void withoutCause(String id) {}

        @DynamoLocked(key = "#id", timeoutException = BusyThatFails.class)
        public void failingToSay(String id) {}
    }

    @DynamoLocked(key = "#p0", timeoutException = Busy.class)
    static class ByItsClass {

        public void run(String id) {}

        @DynamoLocked(onTimeout = OnTimeout.SKIP)
        public void skipped(String id) {}

        @DynamoLocked(onTimeout = OnTimeout.THROW)
        public void thrown(String id) {}
    }

    abstract static class Finds<T> {

        @DynamoLocked(key = "'a'", onTimeout = OnTimeout.SKIP)
        public T find() {
            throw new AssertionError();
        }
    }

    static class FindsText extends Finds<Optional<String>> {}

    static class Inner {

        @DynamoLocked(key = "'inner'")
        public void run() {}
    }

    static class Outer {

        @DynamoLocked(key = "'outer'", fallbackMethod = "never")
        public void run(Runnable body) {
            body.run();
        }

        void never(Runnable body) {
            throw new AssertionError("the lock was held");
        }
    }

    @Test
    void theFallbackGetsTheArgumentsAndItsResultOrFailureIsTheCallers() throws IOException {
        assertThat(orders.ship("a", 7)).isEqualTo("shipped");
        locks.timesOut = true;

        assertThat(orders.ship("a", 7)).isEqualTo("later a 7");
        assertThatThrownBy(() -> orders.ship("a", -1))
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("negative");
    }

    @Test
    void theFallbackGetsTheExceptionIfItWantsIt() {
        locks.timesOut = true;

        assertThat(orders.withException("a")).isEqualTo(2);

        assertThat(orders.told()).singleElement().asString().contains("Did not get the lock \"a\"");
    }

    @Test
    void theFallbackIsForWaitsThatAreOverAndNothingElse() {
        assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> orders.failing("a"));
        locks.timesOutFor = request -> request.key().equals("inner");
        assertThatExceptionOfType(LockTimeoutException.class)
                .isThrownBy(() -> context.bean(Outer.class).run(context.bean(Inner.class)::run))
                .satisfies(e -> assertThat(e.key()).isEqualTo("inner"));
    }

    @Test
    void aTimeoutExceptionOfTheApplicationHasMessageAndCause() {
        locks.timesOut = true;

        assertThatExceptionOfType(Busy.class)
                .isThrownBy(() -> orders.busy("a"))
                .withMessageContaining("Did not get the lock \"a\"")
                .withCauseInstanceOf(LockTimeoutException.class);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> orders.ofTheJdk("a"))
                .withMessageContaining("Did not get the lock \"a\"")
                .withCauseInstanceOf(LockTimeoutException.class);
        assertThatExceptionOfType(BusyWithoutCause.class)
                .isThrownBy(() -> orders.withoutCause("a"))
                .satisfies(e -> assertThat(e.getSuppressed()).hasExactlyElementsOfTypes(LockTimeoutException.class));
    }

    @Test
    void aFailingTimeoutExceptionConstructorReachesTheCallerWithTheTimeout() {
        locks.timesOut = true;

        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> orders.failingToSay("a"))
                .withMessage("not today")
                .satisfies(e -> assertThat(e.getSuppressed()).hasExactlyElementsOfTypes(LockTimeoutException.class));
    }

    @Test
    void aMethodThatSetsATimeoutAttributeTakesNoneFromItsClass() {
        ByItsClass beans = context.bean(ByItsClass.class);
        locks.timesOut = true;

        assertThatExceptionOfType(Busy.class).isThrownBy(() -> beans.run("a"));
        beans.skipped("a");
        assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> beans.thrown("a"));
    }

    @Test
    void whatIsSkippedIsEmptyAlsoIfOnlyTheClassOfTheBeanSaysItsType() {
        locks.timesOut = true;

        assertThat(context.bean(FindsText.class).find()).isEmpty();
    }
}
