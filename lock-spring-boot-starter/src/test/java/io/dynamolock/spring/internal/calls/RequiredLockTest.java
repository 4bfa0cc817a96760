package io.dynamolock.spring.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.spy;

import io.dynamolock.LockRequest;
import io.dynamolock.spring.annotation.CurrentLock;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.aspect.AspectContext;
import io.dynamolock.spring.aspect.LockedProxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** A locked method that asks for its lock fails where it was entered without it. */
class RequiredLockTest {

    @AutoClose
    private final AspectContext context = new AspectContext(Orders.class, Shelf.class);

    private final Orders orders = context.bean(Orders.class);

    abstract static class Base<T> {

        @DynamoLocked(key = "#p0")
        public void handle(T id) {
            CurrentLock.required();
            again();
        }

        protected void again() {}

        @DynamoLocked(key = "#p0 + #p1")
        public void pack(String id, int times) {
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

        @DynamoLocked(key = "#p0")
        public void pack(String id) {
            pack(id, 2);
        }
    }

    /** Its methods call themselves, with other keys than those that they have locked. */
    static class Shelf extends Base<String> {

        /** How often {@link #again} still calls the locked method. */
        private int more = 1;

        @DynamoLocked(key = "#left")
        public void direct(int left) {
            CurrentLock.required();
            if (left > 0) {
                direct(left - 1);
            }
        }

        @DynamoLocked(key = "#left")
        public void inALambda(int left) {
            CurrentLock.required();
            IntStream.range(0, left).forEach(this::inALambda);
        }

        @DynamoLocked(key = "#left")
        public void throughTheProxy(int left, Shelf proxy) {
            CurrentLock.required();
            if (left > 0) {
                proxy.throughTheProxy(left - 1, proxy);
            }
        }

        @DynamoLocked(key = "#left")
        public void onAnotherObject(int left) {
            CurrentLock.required();
            if (left > 0) {
                new Shelf().onAnotherObject(left - 1);
            }
        }

        @Override
        @DynamoLocked(key = "#p0")
        public void handle(String id) {
            super.handle(id);
        }

        @Override
        protected void again() {
            if (more-- > 0) {
                handle("another");
            }
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
        assertThatIllegalStateException().as("overloaded in the superclass").isThrownBy(() -> orders.pack("1"));
        assertThat(context.locks.handles).allMatch(handle -> !handle.isValid());
    }

    @Test
    void aMethodThatCallsItselfWithoutTheProxyFails() {
        Shelf shelf = context.bean(Shelf.class);
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> shelf.direct(1),
                () -> shelf.inALambda(1),
                () -> shelf.onAnotherObject(1),
                () -> shelf.handle("1"))) {
            assertThatIllegalStateException().isThrownBy(call).withMessageContaining("was entered without the lock");
        }
        assertThat(context.locks.handles).hasSize(4).allMatch(handle -> !handle.isValid());
    }

    @Test
    void aMethodThatCallsItselfThroughTheProxyPasses() {
        Shelf shelf = context.bean(Shelf.class);
        shelf.direct(0);
        shelf.throughTheProxy(2, shelf);
        assertThat(context.locks.requests).extracting(LockRequest::key).containsExactly("0", "2", "1", "0");
    }

    /** Mockito lets the method of a spy call itself, to run its real body. */
    @Test
    void aSpyOfTheBeanPassesUnlessItsMethodCallsItself() {
        Shelf spy = LockedProxy.of(spy(new Shelf()), context.locks);
        spy.direct(0);
        spy.throughTheProxy(1, spy);
        assertThatIllegalStateException().isThrownBy(() -> spy.direct(1));
    }
}
