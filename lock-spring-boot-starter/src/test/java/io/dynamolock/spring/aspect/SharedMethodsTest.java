package io.dynamolock.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockMode;
import io.dynamolock.spring.annotation.DynamoLocked;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Methods that share their lock. */
class SharedMethodsTest {

    @AutoClose
    private final AspectContext context = new AspectContext(Reports.class, Statements.class, Outer.class);

    private final FakeLockRegistry locks = context.locks;

    static class Reports {

        @DynamoLocked(key = "#key", mode = LockMode.SHARED)
        public void read(String key) {}

        @DynamoLocked(key = "#key", mode = LockMode.SHARED)
        public CompletableFuture<String> readLater(String key) {
            return CompletableFuture.completedFuture("read");
        }

        @DynamoLocked(key = "#key")
        public void write(String key) {}
    }

    @DynamoLocked(key = "#key", mode = LockMode.SHARED)
    static class Statements {

        public void read(String key) {}

        @DynamoLocked(name = "also shared")
        public void readAgain(String key) {}

        @DynamoLocked(mode = LockMode.EXCLUSIVE)
        public void write(String key) {}
    }

    static class Outer {

        private final Reports reports;

        Outer(Reports reports) {
            this.reports = reports;
        }

        @DynamoLocked(key = "#key", mode = LockMode.SHARED)
        public void readThenWrite(String key) {
            reports.write(key);
        }

        @DynamoLocked(key = "#key", mode = LockMode.SHARED)
        public void readThen(String key, Runnable body) {
            body.run();
        }

        @DynamoLocked(key = "#key", mode = LockMode.SHARED)
        public void readThenRead(String key) {
            reports.read(key);
        }

        @DynamoLocked(key = "#key")
        public void writeThenRead(String key) {
            reports.read(key);
        }
    }

    @Test
    void aMethodSharesItsLockIfItSaysSoAndHasItAloneIfItSaysNothing() {
        context.bean(Reports.class).read("k");
        context.bean(Reports.class).write("k");

        assertThat(locks.requests)
                .extracting(request -> request.mode())
                .containsExactly(LockMode.SHARED, LockMode.EXCLUSIVE);
    }

    @Test
    void theModeOfTheClassIsThatOfItsMethodsUnlessTheySayAnother() {
        Statements statements = context.bean(Statements.class);
        statements.read("k");
        statements.readAgain("k");
        statements.write("k");

        assertThat(locks.requests)
                .extracting(request -> request.mode())
                .containsExactly(LockMode.SHARED, LockMode.SHARED, LockMode.EXCLUSIVE);
    }

    @Test
    void aMethodThatSharesTheLockCannotCallOneThatWantsItAloneAndIsToldWhy() {
        Outer outer = context.bean(Outer.class);

        assertThatIllegalStateException()
                .isThrownBy(() -> outer.readThenWrite("k"))
                .withMessageContaining("Reports.write")
                .withMessageContaining("\"k\"")
                .withMessageContaining("would wait for itself");
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void underALockThatIsHeldAloneOrSharedAnotherMethodMayShareIt() {
        context.bean(Outer.class).readThenRead("k");
        context.bean(Outer.class).writeThenRead("k");

        assertThat(locks.requests)
                .extracting(request -> request.mode())
                .containsExactly(LockMode.SHARED, LockMode.EXCLUSIVE);
    }

    @Test
    void aGrantToAnotherCallWithinABodyLeavesItsThreadTheLockOfTheBody() {
        Reports reports = context.bean(Reports.class);
        locks.holdsBack = true;
        CompletableFuture<String> early = reports.readLater("k");
        context.bean(Outer.class).readThen("k", () -> {
            locks.grantNext();
            assertThat(early).isCompletedWithValue("read");
            assertThat(reports.readLater("k")).isCompletedWithValue("read");
        });
        assertThat(locks.requests).hasSize(2);
    }
}
