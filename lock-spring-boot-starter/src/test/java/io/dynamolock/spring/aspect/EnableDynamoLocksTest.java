package io.dynamolock.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LeaderElection.Leadership;
import io.dynamolock.LeaderListener;
import io.dynamolock.LockEvent;
import io.dynamolock.LockHandle;
import io.dynamolock.LockListener;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.annotation.DynamoLeader;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.EnableDynamoLocks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.autoproxy.InfrastructureAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.MapPropertySource;

/** Without auto-configuration. The integration tests have a project that does the same without Spring Boot's jars. */
class EnableDynamoLocksTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Configuration
    static class InMemory {

        @Bean
        LockRegistry locks() {
            return RegistryBuilder.of(new InMemoryLockStore()).build();
        }
    }

    @EnableDynamoLocks(waitTime = "${orders.wait:20ms}", order = 17)
    @Import(InMemory.class)
    static class Locks {}

    static class Orders {

        private final LockRegistry locks;

        Orders(LockRegistry locks) {
            this.locks = locks;
        }

        @DynamoLocked(key = "'order:' + #id")
        public int held(String id) {
            return locks.admin().held().size();
        }
    }

    private static AnnotationConfigApplicationContext context(Class<?>... beans) {
        return new AnnotationConfigApplicationContext(beans);
    }

    @Test
    void aMethodIsLockedWithoutAutoConfiguration() {
        try (var context = context(Locks.class, Orders.class)) {
            assertThat(context.getBean(Orders.class).held("17")).isEqualTo(1);
            assertThat(context.getBean(LockRegistry.class).admin().held()).isEmpty();
        }
    }

    @Import({InMemory.class, DynamoLockedAdvisorConfiguration.class, InfrastructureAdvisorAutoProxyCreator.class})
    static class OwnAdvisor {

        /** Without a role. */
        @Bean
        static DynamoLockedAdvisor advisor(ConfigurableBeanFactory beans) {
            return new DynamoLockedAdvisor(beans, () -> beans.getBean(LockRegistry.class), () -> MINUTE);
        }
    }

    @Test
    void anAdvisorOfOnesOwnLocksWithTheSmallestProxyCreatorToo() {
        try (var context = context(OwnAdvisor.class, Orders.class)) {
            assertThat(context.getBean(Orders.class).held("17")).isEqualTo(1);
        }
    }

    @Test
    void theSettingsOfTheAnnotationHold() {
        try (var context = context(Locks.class, Orders.class)) {
            assertThat(context.getBean(DynamoLockedAdvisor.class).getOrder()).isEqualTo(17);
            LockRegistry locks = context.getBean(LockRegistry.class);
            try (LockHandle handle = locks.acquire("order:17", MINUTE)) {
                assertThatExceptionOfType(LockTimeoutException.class)
                        .isThrownBy(() -> context.getBean(Orders.class).held("17"))
                        .satisfies(e -> assertThat(e.waited()).isBetween(Duration.ofMillis(20), MINUTE));
                assertThat(handle.isValid()).isTrue();
            }
        }
    }

    @Test
    void anInvalidWaitStopsTheStart() {
        var context = new AnnotationConfigApplicationContext();
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("test", Map.of("orders.wait", "60")));
        context.register(Locks.class, Orders.class);

        assertThatThrownBy(context::refresh)
                .hasRootCauseMessage("@EnableDynamoLocks: the waitTime '60' has no unit: write 60s or 60ms");
    }

    interface Shipping {

        int ship();
    }

    static class Ship implements Shipping {

        @Override
        @DynamoLocked(key = "'ship'")
        public int ship() {
            return 1;
        }
    }

    @EnableDynamoLocks(proxyTargetClass = true)
    @Import(InMemory.class)
    static class ClassProxies {}

    @Test
    void proxiesAreOfInterfacesUnlessTheAnnotationSaysOtherwise() {
        try (var context = context(Locks.class, Ship.class)) {
            assertThat(AopUtils.isJdkDynamicProxy(context.getBean(Shipping.class)))
                    .isTrue();
        }
        try (var context = context(ClassProxies.class, Ship.class)) {
            assertThat(context.getBean(Ship.class).ship()).isEqualTo(1);
        }
    }

    /** A listener that uses the registry: it is made after it, and hears from it all the same. */
    static class Diary implements LockListener {

        final List<String> heard = new CopyOnWriteArrayList<>();
        private final LockRegistry locks;

        Diary(LockRegistry locks) {
            this.locks = locks;
        }

        @Override
        public void heard(LockEvent event) {
            if (event instanceof LockEvent.Acquired acquired) {
                heard.add(acquired.key() + ", " + locks.admin().waiting() + " wait");
            }
        }
    }

    @Test
    void aListenerMayNeedTheRegistryItHears() {
        try (var context = context(Diary.class, Locks.class)) {
            context.getBean(LockRegistry.class).acquire("k", MINUTE).close();

            List<String> heard = context.getBean(Diary.class).heard;
            await().untilAsserted(() -> assertThat(heard).containsExactly("k, 0 wait"));
        }
    }

    @DynamoLeader("mails")
    static class Mails implements LeaderListener {

        final CompletableFuture<Long> led = new CompletableFuture<>();

        @Override
        public void granted(Leadership leadership) {
            led.complete(leadership.fencingToken());
        }
    }

    @Test
    void leadersAreElected() throws Exception {
        try (var context = context(Locks.class, Mails.class)) {
            assertThat(context.getBean(Mails.class).led.get(1, TimeUnit.MINUTES))
                    .isNotNull();
        }
    }

    /** Destroyed before the registry. */
    @DependsOn("locks")
    static class LastBean implements DisposableBean {

        static volatile boolean lockWasValid;
        static volatile LockHandle handle;

        @Override
        public void destroy() {
            lockWasValid = handle.isValid();
        }
    }

    @Test
    void theRegistryIsClosedBeforeAnyBeanIsDestroyed() {
        try (var context = context(Locks.class, LastBean.class)) {
            LastBean.handle = context.getBean(LockRegistry.class).acquire("k", MINUTE);
            assertThat(LastBean.handle.isValid()).isTrue();
        }
        assertThat(LastBean.lockWasValid).isFalse();
    }

    @Configuration
    @EnableDynamoLocks
    static class SharedLocks {

        static final LockRegistry LOCKS =
                RegistryBuilder.of(new InMemoryLockStore()).build();

        @Bean(destroyMethod = "")
        LockRegistry locks() {
            return LOCKS;
        }
    }

    @Test
    void aRegistryThatTheContextMustNotDestroyStaysOpen() {
        context(SharedLocks.class).close();

        SharedLocks.LOCKS.acquire("k", MINUTE).close();
        SharedLocks.LOCKS.close();
    }

    @Configuration
    static class SecondLocks {

        @Bean
        LockRegistry others() {
            return RegistryBuilder.of(new InMemoryLockStore()).build();
        }
    }

    @Test
    void severalRegistriesOfWhichNoneIsPrimaryStopTheStart() {
        assertThatExceptionOfType(NoUniqueBeanDefinitionException.class)
                .isThrownBy(() -> context(Locks.class, SecondLocks.class))
                .withMessageContaining("found 2: locks,others");
    }
}
