package io.dynamolock.spring.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.FakeLockRegistry.FakeHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockMode;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.LockKeyException;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.annotation.OnTimeout;
import io.dynamolock.spring.aspect.AspectContext;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.core.annotation.AliasFor;

/** Several keys and several annotations on one method. */
class SeveralLocksTest {

    @AutoClose
    private final AspectContext context = new AspectContext(Transfers.class, Warehouse.class);

    private final FakeLockRegistry locks = context.locks;
    private final Transfers transfers = context.bean(Transfers.class);

    @Retention(RetentionPolicy.RUNTIME)
    @DynamoLocked(namespace = "stock")
    @interface StockLocked {

        @AliasFor(annotation = DynamoLocked.class, attribute = "key")
        String value();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DynamoLocked(key = "'books'", mode = LockMode.SHARED)
    @DynamoLocked(key = "'calendar'")
    @interface BookkeepingLocked {}

    static class Transfers {

        @DynamoLocked(
                keys = {"#from", "'account:' + #to"},
                waitTime = "5s")
        public void keys(String from, String to) {}

        @DynamoLocked(key = "#id")
        public void under(String id, Runnable body) {
            body.run();
        }

        @DynamoLocked(key = "#all", holdAtLeast = "1s")
        public void all(Object all) {}

        @DynamoLocked(key = "#id")
        @DynamoLocked(key = "#id", namespace = "audit", waitTime = "1s", maxHold = "2s", onLost = OnLost.IGNORE)
        public String repeated(String id, Runnable body) {
            body.run();
            return id;
        }

        @StockLocked("#item")
        @BookkeepingLocked
        @DynamoLocked(key = "#id", name = "direct")
        public void meta(String id, String item) {}

        @DynamoLocked(key = "#id", mode = LockMode.SHARED)
        @DynamoLocked(key = "'x'")
        public void sameLock(String id) {}

        @DynamoLocked(key = "#id")
        @DynamoLocked(key = "#id", namespace = "optional", onTimeout = OnTimeout.SKIP)
        public @Nullable String skipping(String id) {
            return id;
        }
    }

    @DynamoLocked(key = "#p0")
    @DynamoLocked(key = "#p0", namespace = "second")
    static class Warehouse {

        public void move(String id) {}
    }

    @Test
    void allKeysAreAskedForAtOnceAndReleasedAtTheEnd() {
        transfers.keys("a", "b");

        assertThat(locks.together).hasSize(1);
        assertThat(locks.together.get(0)).extracting(LockRequest::key).containsExactly("a", "account:b");
        assertThat(locks.requests)
                .allMatch(request ->
                        request.waitTime().filter(Duration.ofSeconds(5)::equals).isPresent());
        assertThat(locks.handles).hasSize(2).allMatch(FakeHandle::isReleased);
    }

    @Test
    void eachElementOfACollectionOrArrayIsAKeyAndEqualOnesAreLockedOnce() {
        transfers.all(List.of("b", "a", "b"));
        transfers.all(new int[] {2, 1});
        transfers.all(Set.of("alone"));
        transfers.all("plain");

        assertThat(locks.requests).extracting(LockRequest::key).containsExactly("b", "a", "2", "1", "alone", "plain");
        assertThat(locks.together).as("one key needs no order").hasSize(2);
        assertThat(locks.requests).allMatch(request -> request.holdAtLeast().isPresent());
    }

    @Test
    void anElementThatCannotBeAKeyFailsTheCallBeforeAnythingIsLocked() {
        for (Object bad : List.of(
                List.of("a", " "),
                List.of("a", List.of("b")),
                new Object[] {"a", null},
                List.of(),
                "a hash".getBytes(StandardCharsets.UTF_8),
                "a text".toCharArray())) {
            assertThatExceptionOfType(LockKeyException.class)
                    .isThrownBy(() -> transfers.all(bad))
                    .withMessageContainingAll("Transfers.all(Object)", "#all");
        }
        assertThat(locks.requests).isEmpty();
    }

    @Test
    void eachOfSeveralAnnotationsIsALockWithItsOwnSettings() {
        assertThat(transfers.repeated("k", () -> {})).isEqualTo("k");

        assertThat(locks.together).hasSize(1);
        assertThat(locks.requests)
                .containsExactly(
                        LockRequest.of("k").name("Transfers.repeated").waitTime(Duration.ofSeconds(60)),
                        LockRequest.of("k")
                                .namespace("audit")
                                .name("Transfers.repeated")
                                .waitTime(Duration.ofSeconds(1))
                                .maxHold(Duration.ofSeconds(2)));
        assertThat(locks.handles).allMatch(FakeHandle::isReleased);
    }

    @Test
    void aDirectAnnotationAndMetaAnnotationsAreAllTaken() {
        transfers.meta("id", "item");

        assertThat(locks.requests)
                .extracting(request -> request.namespace() + "/" + request.key() + " " + request.mode())
                .containsExactlyInAnyOrder(
                        "default/id EXCLUSIVE",
                        "stock/item EXCLUSIVE",
                        "default/books SHARED",
                        "default/calendar EXCLUSIVE");
    }

    @Test
    void severalAnnotationsOfAClassLockEachOfItsMethods() {
        context.bean(Warehouse.class).move("k");

        assertThat(locks.requests)
                .extracting(request -> request.namespace() + "/" + request.key())
                .containsExactly("default/k", "second/k");
    }

    @Test
    void aLockNamedByTwoAnnotationsIsTakenOnceAndExclusivelyIfOneSaysSo() {
        transfers.sameLock("x");

        assertThat(locks.onlyRequest().mode()).isEqualTo(LockMode.EXCLUSIVE);
    }

    @Test
    void aLockThatTheThreadHasIsNotAskedForAgainAndTheOthersAre() {
        transfers.under("a", () -> transfers.keys("a", "b"));

        assertThat(locks.requests).extracting(LockRequest::key).containsExactly("a", "account:b");
        assertThat(locks.together).isEmpty();
        assertThat(locks.handles).allMatch(FakeHandle::isReleased);
    }

    @Test
    void aLossOfOneIsDealtWithAsItsAnnotationSays() {
        assertThat(transfers.repeated("k", () -> locks.handles.get(1).lose())).isEqualTo("k");
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(
                        () -> transfers.repeated("k", () -> locks.handles.get(2).lose()));
        assertThat(locks.handles).hasSize(4).allMatch(FakeHandle::isReleased);
    }

    @Test
    void theAnnotationWhoseWaitIsOverSaysWhatBecomesOfTheCall() {
        List<LockRequest> free = new ArrayList<>();
        locks.timesOutFor = request -> {
            boolean timesOut = request.namespace().equals("optional");
            if (!timesOut) {
                free.add(request);
            }
            return timesOut;
        };
        assertThat(transfers.skipping("k")).isNull();
        assertThat(free).hasSize(1);

        locks.timesOutFor = request -> !request.namespace().equals("optional");
        assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> transfers.skipping("k"));
    }
}
