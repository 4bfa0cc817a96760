package io.dynamolock.spring.internal.declarations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.InvalidDynamoLockedException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Methods of woven classes that carry what Spring's proxies serve, which lie outside. AspectJ's part is played by hand.
 */
@SuppressWarnings("unused")
class WovenMethodsTest {

    private final LockedMethods methods = new LockedMethods(new DefaultListableBeanFactory(), () -> Duration.ZERO);

    @BeforeEach
    void areWoven() {
        methods.expectWoven();
    }

    static class Transfers {

        @Transactional
        @DynamoLocked(key = "'k'")
        public CompletableFuture<Void> run(String id) {
            return CompletableFuture.completedFuture(null);
        }

        private static Object run_aroundBody0(Transfers self, String id, Object joinPoint) {
            return self;
        }
    }

    @Test
    void aFutureWouldMissItsTransactionSoItIsRefused() {
        assertThatExceptionOfType(InvalidDynamoLockedException.class)
                .isThrownBy(() -> methods.existIn(Transfers.class))
                .withMessageContaining("Transfers.run(String): it is @Transactional and returns a future");
    }

    @Transactional
    static class Apart {

        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        @DynamoLocked(key = "'k'")
        public CompletableFuture<Void> outside() {
            return CompletableFuture.completedFuture(null);
        }

        private static void outside_aroundBody0(Apart self, Object joinPoint) {}

        @Transactional(propagation = Propagation.NEVER)
        @DynamoLocked(key = "'k'")
        public CompletableFuture<Void> never() {
            return CompletableFuture.completedFuture(null);
        }

        private static void never_aroundBody2(Apart self, Object joinPoint) {}

        @DynamoLocked(key = "'k'")
        private CompletableFuture<Void> ofItsOwn() {
            return CompletableFuture.completedFuture(null);
        }

        private static void ofItsOwn_aroundBody4(Apart self, Object joinPoint) {}

        @DynamoLocked(key = "'k'")
        public static CompletableFuture<Void> statically() {
            return CompletableFuture.completedFuture(null);
        }

        private static void statically_aroundBody6(Object joinPoint) {}
    }

    @Test
    void aFutureThatIsInNoTransactionMissesNone() {
        assertThat(methods.existIn(Apart.class)).isTrue();
        assertThat(methods.names()).hasSize(4);
    }

    @Transactional
    static class OfItsClass {

        @DynamoLocked(key = "'k'")
        public CompletableFuture<Void> run() {
            return CompletableFuture.completedFuture(null);
        }

        private static void run_aroundBody0(OfItsClass self, Object joinPoint) {}
    }

    @Test
    void aTransactionOfItsClassCountsAsWell() {
        assertThatExceptionOfType(InvalidDynamoLockedException.class)
                .isThrownBy(() -> methods.existIn(OfItsClass.class))
                .withMessageContaining("OfItsClass.run(): it is @Transactional and returns a future");
    }

    static class Overloaded {

        @DynamoLocked(key = "'k'")
        public void run(String id) {}

        @DynamoLocked(key = "'k'")
        public void run(int id) {}

        private static void run_aroundBody0(Overloaded self, String id, Object joinPoint) {}
    }

    @Test
    void eachMethodMustBeWoven() {
        assertThatExceptionOfType(InvalidDynamoLockedException.class)
                .isThrownBy(() -> methods.existIn(Overloaded.class))
                .withMessageContaining("Overloaded.run(int): AspectJ has not woven ");
    }

    static class Woven {

        @DynamoLocked(key = "'base'", namespace = "base")
        public void run() {}

        private static void run_aroundBody0(Woven self, Object joinPoint) {}
    }

    /** As a class of the application, or a spy of Mockito. */
    static class NotWoven extends Woven {

        @Override
        public void run() {
            super.run();
        }
    }

    @Test
    void aWovenMethodMayBeCalledOnASubclassThatIsNotWoven() throws Exception {
        LockedMethod called = methods.find(Woven.class.getDeclaredMethod("run"), NotWoven.class);

        assertThat(called).isNotNull();
        assertThat(called.declarations()).singleElement().returns("base", LockDeclaration::namespace);
        assertThatExceptionOfType(InvalidDynamoLockedException.class)
                .isThrownBy(() -> methods.existIn(NotWoven.class))
                .withMessageContaining("NotWoven.run(): AspectJ has not woven ");
    }

    static class LockedAnew extends Woven {

        @Override
        @DynamoLocked(key = "'sub'", namespace = "sub")
        public void run() {
            super.run();
        }

        private static void run_aroundBody0(LockedAnew self, Object joinPoint) {}
    }

    @Test
    void aMethodThatIsCalledBySuperTakesItsOwnLock() throws Exception {
        LockedMethod called = methods.find(Woven.class.getDeclaredMethod("run"), LockedAnew.class);

        assertThat(called).isNotNull();
        assertThat(called.declarations()).singleElement().returns("base", LockDeclaration::namespace);
    }
}
