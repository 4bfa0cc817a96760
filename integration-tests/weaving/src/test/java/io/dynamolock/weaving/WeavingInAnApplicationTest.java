package io.dynamolock.weaving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.annotation.EnableDynamoLocks;
import io.dynamolock.spring.annotation.InvalidDynamoLockedException;
import io.dynamolock.spring.aspect.DynamoLockedAdvisor;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Woven classes as beans of an application. */
class WeavingInAnApplicationTest {

    @Configuration(proxyBeanMethods = false)
    @EnableDynamoLocks(mode = AdviceMode.ASPECTJ)
    static class Application {

        @Bean
        LockRegistry locks() {
            return RegistryBuilder.of(new InMemoryLockStore()).build();
        }

        @Bean
        CompiledAndWoven work() {
            return new CompiledAndWoven();
        }
    }

    @Test
    void beansGetNoProxyAndTakeTheirLocksFromTheContextUntilItIsClosed() {
        CompiledAndWoven work;
        try (var context = new AnnotationConfigApplicationContext(Application.class)) {
            work = context.getBean(CompiledAndWoven.class);
            assertThat(AopUtils.isAopProxy(work)).isFalse();
            assertThat(work.ofPrivateMethod("a")).isEqualTo("a");
        }
        assertThatIllegalStateException()
                .isThrownBy(() -> work.ofPrivateMethod("a"))
                .withMessageContaining("no registry is set");
    }

    @Test
    void mistakesAndLockNamesAreKnownAtTheStart() {
        try (var context = new AnnotationConfigApplicationContext(Application.class)) {
            assertThat(context.getBean(DynamoLockedAdvisor.class).lockNames())
                    .contains("CompiledAndWoven.privately", "CompiledAndWoven.ofFuture");
        }
    }

    @Test
    void aClassIsLockedByAnAnnotationOfItsOwn() {
        try (var context = new AnnotationConfigApplicationContext(Application.class, AtLoadTimeByItsClass.class)) {
            assertThat(context.getBean(AtLoadTimeByItsClass.class).locks()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                NotWoven.LeftOut.class,
                AtLoadTimeButUnseen.ByInterface.class,
                AtLoadTimeButUnseen.TwiceRemoved.class
            })
    void aBeanThatIsNotWovenStopsTheStart(Class<?> bean) {
        assertThatThrownBy(() -> new AnnotationConfigApplicationContext(Application.class, bean))
                .rootCause()
                .isInstanceOf(InvalidDynamoLockedException.class)
                .hasMessageContainingAll(
                        "@DynamoLocked on " + bean.getSimpleName() + ".run(): AspectJ has not woven ",
                        "Weave that class: by the plugin, or by the agent");
    }

    @Test
    void theLatestContextIsUsedAndAfterItsEndTheOneBefore() {
        CompiledAndWoven work = new CompiledAndWoven();
        try (var first = new AnnotationConfigApplicationContext(Application.class);
                LockHandle ofFirst = first.getBean(LockRegistry.class).acquire("k", Duration.ZERO)) {
            assertThat(work.withFallback("k")).isEqualTo("instead of k");
            try (var second = new AnnotationConfigApplicationContext(Application.class)) {
                assertThat(second.isActive()).isTrue();
                assertThat(work.withFallback("k")).isEqualTo("k");
            }
            assertThat(work.withFallback("k")).isEqualTo("instead of k");
            assertThat(ofFirst.isValid()).isTrue();
        }
    }

    @Test
    void closingAnOlderContextLeavesTheLatestInUse() {
        CompiledAndWoven work = new CompiledAndWoven();
        var first = new AnnotationConfigApplicationContext(Application.class);
        try (var second = new AnnotationConfigApplicationContext(Application.class)) {
            first.close();
            assertThat(second.isActive()).isTrue();
            assertThat(work.ofPrivateMethod("a")).isEqualTo("a");
        }
        assertThatIllegalStateException().isThrownBy(() -> work.ofPrivateMethod("a"));
    }
}
