package io.dynamolock.spring.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.spring.annotation.CurrentLock;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.aspect.AspectContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** A locked method that asks for its lock fails where it was entered without it. */
class RequiredLockTest {

    @AutoClose
    private final AspectContext context = new AspectContext(Orders.class);

    private final Orders orders = context.bean(Orders.class);

    abstract static class Base<T> {

        @DynamoLocked(key = "#p0")
        public void handle(T id) {
            CurrentLock.required();
        }
    }

    static class Orders extends Base<String> {

        private int placed;

        @DynamoLocked(key = "#id")
        public int place(String id) {
            CurrentLock.required();
            return ++placed;
        }

        @DynamoLocked(key = "#id")
        public int place(String id, int times) {
            return place(id) * times;
        }

        public int direct() {
            return place("1");
        }

        @DynamoLocked(key = "'all'")
        public int underAnotherLock() {
            return place("1");
        }

        @DynamoLocked(key = "'all'")
        public int throughTheProxy(Orders proxy) {
            int placedThere = proxy.place("1");
            CurrentLock.required();
            return placedThere;
        }

        @DynamoLocked(key = "#id", condition = "false")
        public void unlocked(String id) {
            CurrentLock.required();
        }

        @DynamoLocked(key = "#id")
        public CompletableFuture<String> future(String id) {
            CurrentLock.required();
            return CompletableFuture.completedFuture(id);
        }

        @DynamoLocked(key = "#id")
        public Mono<String> mono(String id) {
            CurrentLock.required();
            return Mono.just(id);
        }

        @Override
        @DynamoLocked(key = "#p0")
        public void handle(String id) {
            super.handle(id);
        }
    }

    @Test
    void aMethodThatWasEnteredThroughItsProxyPasses() throws Exception {
        assertThat(orders.place("1")).isEqualTo(1);
        assertThat(orders.throughTheProxy(orders)).isEqualTo(2);
        orders.unlocked("1");
        orders.handle("1");
        assertThat(orders.future("1").get(30, TimeUnit.SECONDS)).isEqualTo("1");
        assertThat(orders.mono("1").block()).isEqualTo("1");
    }

    @Test
    void aCallThatPassesNoProxyFailsEvenUnderAnotherLock() {
        assertThatIllegalStateException()
                .isThrownBy(orders::direct)
                .withMessageStartingWith("Orders.place was entered without the lock of its @DynamoLocked");
        assertThatIllegalStateException().isThrownBy(orders::underAnotherLock);
        assertThatIllegalStateException().isThrownBy(() -> orders.place("1", 2));
        assertThatIllegalStateException().isThrownBy(() -> new Orders().place("1"));
        assertThatIllegalStateException().isThrownBy(CurrentLock::required);
        assertThat(context.locks.handles).allMatch(handle -> !handle.isValid());
    }
}
