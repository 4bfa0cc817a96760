package io.dynamolock.weaving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.woven.WovenLocks;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Woven classes take their locks without Spring's proxies, and without Spring knowing them. */
class WeavingTest {

    private final LockRegistry locks =
            RegistryBuilder.of(new InMemoryLockStore()).build();

    static Stream<Work> woven() {
        return Stream.of(new CompiledAndWoven(), new AtLoadTime());
    }

    @BeforeEach
    void setTheRegistry() {
        WovenLocks.use(locks);
    }

    @AfterEach
    void close() {
        WovenLocks.forget();
        locks.close();
    }

    @ParameterizedTest
    @MethodSource("woven")
    void privateAndStaticMethodsAndCallsWithinTheObjectAreLocked(Work work) {
        assertThat(work.ofPrivateMethod("a")).isEqualTo("a");
        assertThat(work.ofSelfCall("b")).isEqualTo("b");
        assertThat(work.ofStaticMethod("c")).isEqualTo("c");
        assertThat(work.unlocked()).isEqualTo("no lock");
        assertThat(locks.admin().held()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("woven")
    void metaAnnotationsAndRepeatedOnesAreSeen(Work work) {
        assertThat(work.ofMetaAnnotation()).isEqualTo("meta");
        assertThat(work.ofRepeatedAnnotation("k")).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("woven")
    void futuresAndStreamsHoldTheirLocksOnWhateverThreadAndForEachSubscription(Work work) {
        assertThat(work.ofFuture("f").join()).isEqualTo("f");
        var stream = work.ofStream("s");
        assertThat(stream.block()).isEqualTo("s");
        assertThat(stream.block()).isEqualTo("s");
    }

    @ParameterizedTest
    @MethodSource("woven")
    void theLockIsThatOfTheRegistryAndAFallbackIsCalledWithoutIt(Work work) {
        try (LockHandle held = locks.acquire("k", Duration.ZERO)) {
            assertThat(work.withFallback("k")).isEqualTo("instead of k");
            assertThat(held.isValid()).isTrue();
        }
        assertThat(work.withFallback("k")).isEqualTo("k");
    }

    @Test
    void aClassThatIsNotWovenMayExtendOneThatIs() {
        AtLoadTimeAndExtended work = new NotWoven.Extending();

        assertThat(work.locks()).isEqualTo(1);
        assertThat(work.locksOfAnother()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("woven")
    void withoutARegistryTheMethodIsNotEnteredAndTheMessageSaysWhatToDo(Work work) {
        WovenLocks.forget();
        assertThatIllegalStateException()
                .isThrownBy(() -> work.ofSelfCall("k"))
                .withMessageContainingAll(
                        work.getClass().getSimpleName() + ".itself(String)", "Call WovenLocks.use(registry)");
    }
}
