package io.dynamolock.spring.internal.holds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockLostException;
import io.dynamolock.LockMode;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.aspect.AspectContext;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Methods that share their lock. */
class SharedMethodsTest {

    @AutoClose
    private final AspectContext context = new AspectContext(Reports.class, Statements.class, Outer.class);

    private final FakeLockRegistry locks = context.locks;
    private final Reports reports = context.bean(Reports.class);
    private final Outer outer = context.bean(Outer.class);

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

        @DynamoLocked(key = "#key", mode = LockMode.SHARED)
        public void readThen(String key, Runnable body) {
            body.run();
        }

        @DynamoLocked(key = "#key")
        public void writeThen(String key, Runnable body) {
            body.run();
        }
    }

    private Stream<LockMode> modes() {
        return locks.requests.stream().map(LockRequest::mode);
    }

    @Test
    void aMethodSharesItsLockIfItSaysSoAndHasItAloneIfItSaysNothing() {
        reports.read("k");
        reports.write("k");

        assertThat(modes()).containsExactly(LockMode.SHARED, LockMode.EXCLUSIVE);
    }

    @Test
    void theModeOfTheClassIsThatOfItsMethodsUnlessTheySayAnother() {
        Statements statements = context.bean(Statements.class);
        statements.read("k");
        statements.readAgain("k");
        statements.write("k");

        assertThat(modes()).containsExactly(LockMode.SHARED, LockMode.SHARED, LockMode.EXCLUSIVE);
    }

    @Test
    void anExclusiveMethodInsideASharedLockFailsWithAReason() {
        String odd = "\n\u2028\u202E" + "k".repeat(1_000);
        assertThatIllegalStateException()
                .isThrownBy(() -> outer.readThen(odd, () -> reports.write(odd)))
                .withMessageContaining("Reports.write")
                .withMessageContaining("the lock \"\\u000A\\u2028\\u202Ekkk")
                .withMessageContaining("would wait for itself")
                .satisfies(failure -> assertThat(failure.getMessage()).hasSizeLessThan(600));
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void anExclusiveMethodInsideASharedLockThatIsLostHearsOfTheLoss() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> outer.readThen("k", () -> {
                    locks.lastHandle().lose();
                    reports.write("k");
                }));
    }

    @Test
    void underALockThatIsHeldAloneOrSharedAnotherMethodMayShareIt() {
        outer.readThen("k", () -> reports.read("k"));
        outer.writeThen("k", () -> reports.read("k"));

        assertThat(modes()).containsExactly(LockMode.SHARED, LockMode.EXCLUSIVE);
    }

    @Test
    void aGrantToAnotherCallLeavesTheThreadTheLockOfItsOwnBody() {
        locks.holdsBack = true;
        CompletableFuture<String> early = reports.readLater("k");
        outer.readThen("k", () -> {
            locks.grantNext();
            assertThat(early).isCompletedWithValue("read");
            assertThat(reports.readLater("k")).isCompletedWithValue("read");
        });
        assertThat(locks.requests).hasSize(2);
    }
}
