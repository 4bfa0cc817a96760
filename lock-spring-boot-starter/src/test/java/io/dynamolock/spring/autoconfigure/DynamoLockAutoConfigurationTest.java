package io.dynamolock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockEvent;
import io.dynamolock.LockHandle;
import io.dynamolock.LockListener;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRegistryBuilder;
import io.dynamolock.LockTable;
import io.dynamolock.LockTableException;
import io.dynamolock.LockTableException.Problem;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.InvalidDynamoLockedException;
import io.dynamolock.spring.aspect.DynamoLockedAdvisor;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@ExtendWith(OutputCaptureExtension.class)
class DynamoLockAutoConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    DynamoLockAutoConfiguration.class,
                    DynamoLockAspectAutoConfiguration.class));

    private final ApplicationContextRunner inMemory = runner.withPropertyValues("dynamolock.store=memory");

    /** Nothing answers there, and nothing is asked either. */
    private final ApplicationContextRunner onDynamoDb =
            runner.withPropertyValues("dynamolock.aws.endpoint=http://localhost:1", "dynamolock.table.check=never");

    static class Counter {

        int entered;

        @DynamoLocked(key = "'counter'", waitTime = "10s")
        public int count(LockRegistry locks) {
            assertThat(locks.admin().held())
                    .singleElement()
                    .satisfies(held -> assertThat(held.name()).isEqualTo("Counter.count"));
            return ++entered;
        }
    }

    @Test
    void aLockedMethodWorksOnTheMemoryStore() {
        inMemory.withBean(Counter.class).run(context -> {
            LockRegistry locks = context.getBean(LockRegistry.class);
            assertThat(context.getBean(Counter.class).count(locks)).isEqualTo(1);
            assertThat(locks.admin().held()).isEmpty();
        });
    }

    @Test
    void theMemoryStoreNeedsNoAws() {
        inMemory.run(context -> assertThat(context)
                .hasSingleBean(LockRegistry.class)
                .hasBean("dynamoLockRegistry")
                .doesNotHaveBean(LockTable.class)
                .doesNotHaveBean(DynamoDbClient.class));
        inMemory.withClassLoader(new FilteredClassLoader("software.amazon.dynamodb"))
                .run(context -> assertThat(context).hasSingleBean(LockRegistry.class));
    }

    @Test
    void dynamoDbIsTheDefaultStore() {
        onDynamoDb.run(context -> assertThat(context)
                .hasBean("dynamoLockRegistry")
                .hasSingleBean(LockRegistry.class)
                .hasSingleBean(LockTable.class)
                .hasSingleBean(DynamoDbClient.class)
                .doesNotHaveBean(DynamoDbAsyncClient.class)
                .hasSingleBean(DynamoLockedAdvisor.class)
                .doesNotHaveBean(InMemoryLockStore.class));
    }

    /** Otherwise annotated methods would run without a lock, and nothing would say so. */
    @ParameterizedTest
    @ValueSource(strings = {"", "dynamo-db", "DynamoDB", "DYNAMODB"})
    void everyNotationThatBindsGivesTheStore(String store) {
        onDynamoDb
                .withPropertyValues("dynamolock.store=" + store)
                .run(context -> assertThat(context)
                        .hasSingleBean(LockTable.class)
                        .hasSingleBean(LockRegistry.class)
                        .hasSingleBean(DynamoLockedAdvisor.class));
    }

    @Test
    void annotatedMethodsAreLockedThoughNobodyElseWantsProxies() {
        inMemory.withPropertyValues("spring.aop.auto=false")
                .withBean(Counter.class)
                .run(context -> assertThat(context.getBean(Counter.class).count(context.getBean(LockRegistry.class)))
                        .isEqualTo(1));
    }

    /** Here nobody has woven it: the agent is missing, or the plugin. */
    @Test
    void whereAspectJIsToWeaveTheLocksABeanThatIsNotWovenStopsTheStart() {
        inMemory.withPropertyValues("dynamolock.aspect.mode=aspectj")
                .withBean(Counter.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidDynamoLockedException.class)
                        .hasMessageContaining("@DynamoLocked on Counter.count(LockRegistry): AspectJ has not woven "));
        inMemory.withPropertyValues("dynamolock.aspect.mode=aspectj")
                .withBean("free", Object.class, Object::new)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void proxiesAreOfTheKindThatTheApplicationAskedFor() {
        for (String auto : List.of("true", "false")) {
            inMemory.withPropertyValues("spring.aop.auto=" + auto)
                    .withBean(Patient.class, PatientOfAnInterface::new)
                    .run(context -> assertThat(AopUtils.isCglibProxy(context.getBean(Patient.class)))
                            .isTrue());
            inMemory.withPropertyValues("spring.aop.auto=" + auto, "spring.aop.proxy-target-class=false")
                    .withBean(PatientOfAnInterface.class)
                    .run(context -> assertThat(AopUtils.isJdkDynamicProxy(context.getBean(Runnable.class)))
                            .isTrue());
        }
    }

    static class PatientOfAnInterface extends Patient implements Runnable {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DynamoLockAutoConfiguration.class})
    static class Embedded {

        @Bean
        EmbeddedStore embedded() {
            return () -> URI.create("http://localhost:1");
        }
    }

    private static void startEmbedded(String store, String... arguments) {
        SpringApplication application = new SpringApplication(Embedded.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application
                .run(Stream.concat(
                                Stream.of(arguments),
                                Stream.of(
                                        "--spring.docker.compose.enabled=false",
                                        "--dynamolock.store=" + store,
                                        "--dynamolock.table.check=never",
                                        "--dynamolock.table.create=never"))
                        .toArray(String[]::new))
                .close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "embedded"})
    void aStoreThatExcludesNoOtherProcessSaysSoOnce(String store, CapturedOutput output) {
        startEmbedded(store, "--spring.main.lazy-initialization=true");
        assertThat(output.toString().lines().filter(line -> line.contains(" WARN ")))
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("dynamolock.store=" + store, "no other process is excluded");
    }

    @Test
    void severalRegistriesOfWhichNoneIsPrimaryStopTheStart() {
        ApplicationContextRunner one = inMemory.withBean("one", FakeLockRegistry.class);
        one.withBean("other", FakeLockRegistry.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(NoUniqueBeanDefinitionException.class)
                        .hasMessageContaining("one,other"));
        one.withBean("other", FakeLockRegistry.class, FakeLockRegistry::new, each -> each.setPrimary(true))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void withoutTheAspectNobodyNeedsToChooseBetweenRegistries() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DynamoLockAutoConfiguration.class))
                .withPropertyValues("dynamolock.store=memory")
                .withBean("one", FakeLockRegistry.class)
                .withBean("other", FakeLockRegistry.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class OfChild {

        @DynamoLocked(key = "@tenants.toString() + ${child.only}", namespace = "child")
        public void run(Patient ofParent) {}

        @DynamoLocked(key = "'k'")
        public void callTheParents(Patient ofParent) {
            ofParent.run();
        }
    }

    @Test
    void aChildContextResolvesItsOwnBeansAndPlaceholdersAndSharesTheLocks() {
        inMemory.withBean("mine", FakeLockRegistry.class)
                .withBean(Patient.class)
                .run(parent -> inMemory.withParent(parent)
                        .withPropertyValues("child.only=1")
                        .withBean("tenants", String.class, () -> "acme")
                        .withBean(OfChild.class)
                        .run(child -> {
                            FakeLockRegistry locks = parent.getBean(FakeLockRegistry.class);
                            Patient patient = parent.getBean(Patient.class);
                            child.getBean(OfChild.class).run(patient);
                            assertThat(locks.onlyRequest().key()).isEqualTo("acme1");
                            child.getBean(OfChild.class).callTheParents(patient);
                            assertThat(locks.requests).hasSize(2);
                        }));
    }

    @Test
    void withoutTheSdkThereIsNoClientAndNoTable() {
        runner.withClassLoader(new FilteredClassLoader(DynamoDbClient.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean("dynamoLockDynamoDbClient")
                        .doesNotHaveBean("dynamoLockTable")
                        .doesNotHaveBean(DynamoLockedAdvisor.class));
    }

    @Test
    void backsOffForTheApplicationsRegistry() {
        onDynamoDb
                .withBean("mine", FakeLockRegistry.class)
                .run(context -> assertThat(context)
                        .hasSingleBean(LockRegistry.class)
                        .hasBean("mine")
                        .hasSingleBean(DynamoLockedAdvisor.class));
        inMemory.withBean("mine", FakeLockRegistry.class)
                .withBean(Patient.class)
                .run(context -> {
                    assertThat(context.getBeanNamesForType(LockRegistry.class)).containsExactly("mine");
                    context.getBean(Patient.class).run();
                    assertThat(context.getBean(FakeLockRegistry.class).requests).hasSize(1);
                });
    }

    @Test
    void anotherLibrarysLockRegistryIsNoReasonToBackOff() {
        inMemory.withBean("lockRegistry", OtherLibrary.LockRegistry.class)
                .run(context ->
                        assertThat(context).hasBean("dynamoLockRegistry").hasBean("lockRegistry"));
    }

    static final class OtherLibrary {

        static final class LockRegistry {}
    }

    @Test
    void backsOffForTheApplicationsTableAndUsesIt() {
        TestTable table = new TestTable(null, null);
        onDynamoDb
                .withPropertyValues("dynamolock.table.check=fail")
                .withBean("mine", LockTable.class, () -> table)
                .run(context -> {
                    assertThat(context).hasSingleBean(LockTable.class).hasNotFailed();
                    assertThat(table.calls).containsExactly("check");
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Listeners {

        final List<String> heard = new CopyOnWriteArrayList<>();

        private void hear(String who, LockEvent event) {
            if (event instanceof LockEvent.Acquired acquired) {
                heard.add(who + " " + acquired.key());
            }
        }

        @Bean
        @Order(2)
        LockListener second() {
            return event -> hear("second", event);
        }

        @Bean
        @Order(1)
        LockListener first() {
            return event -> {
                hear("first", event);
                throw new IllegalStateException("listeners fail");
            };
        }
    }

    @Test
    void allListenersHearInOrderEvenIfOneFails() {
        inMemory.withUserConfiguration(Listeners.class).run(context -> {
            context.getBean(LockRegistry.class)
                    .acquire("a", Duration.ofSeconds(10))
                    .close();
            List<String> heard = context.getBean(Listeners.class).heard;
            Awaitility.await().until(() -> heard.size() == 2);
            assertThat(heard).containsExactly("first a", "second a");
        });
    }

    /** A listener that uses the registry. */
    record Alarm(LockRegistry locks, CompletableFuture<Integer> held) implements LockListener {

        @Override
        public void heard(LockEvent event) {
            if (event instanceof LockEvent.Acquired) {
                held.complete(locks.admin().held().size());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aListenerMayNeedTheRegistryItHears(boolean lazy) {
        ApplicationContextRunner alarmed = inMemory.withBean(Alarm.class, new CompletableFuture<>());
        (lazy ? alarmed.withBean(LazyInitializationBeanFactoryPostProcessor.class) : alarmed).run(context -> {
            LockHandle handle = context.getBean(LockRegistry.class).acquire("a", Duration.ofSeconds(10));
            assertThat(context.getBean(Alarm.class).held().get(30, TimeUnit.SECONDS))
                    .isEqualTo(1);
            handle.close();
        });
    }

    @Test
    void customizersComeAfterThePropertiesAndInOrder() {
        List<String> called = new CopyOnWriteArrayList<>();
        onDynamoDb
                .withPropertyValues("dynamolock.table.name=from-property")
                .withBean("second", LockRegistryBuilderCustomizer.class, () -> new Naming(2, "second", called))
                .withBean("first", LockRegistryBuilderCustomizer.class, () -> new Naming(1, "first", called))
                .run(context -> {
                    assertThat(context.getBean(LockTable.class).name()).isEqualTo("second");
                    assertThat(context.getBean(LockRegistry.class).admin().table())
                            .hasValueSatisfying(
                                    table -> assertThat(table.name()).isEqualTo("second"));
                    assertThat(called).containsExactly("first", "second", "first", "second");
                });
    }

    private record Naming(int getOrder, String name, List<String> called)
            implements LockRegistryBuilderCustomizer, Ordered {

        @Override
        public void customize(LockRegistryBuilder builder) {
            called.add(name);
            builder.tableName(name);
        }
    }

    @Test
    void aCustomizerThatIsRefusedStopsTheStart() {
        inMemory.withBean(
                        LockRegistryBuilderCustomizer.class, () -> builder -> builder.heartbeat(Duration.ofSeconds(19)))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("heartbeat (PT19S) must be at most a third of the lease"));
    }

    @Test
    void propertiesSayWhetherTheTableOfTheApplicationsOwnRegistryIsChecked() {
        TestTable table = new TestTable(null, null);
        FakeLockRegistry mine = new FakeLockRegistry();
        mine.table = Optional.of(table);
        // No region, no endpoint: the starter must not want a client of its own.
        ApplicationContextRunner own = runner.withBean("mine", LockRegistry.class, () -> mine);
        own.run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(LockTable.class).doesNotHaveBean("dynamoLockRegistry");
            assertThat(table.calls).containsExactly("check");
        });
        table.calls.clear();
        table.found = Problem.MISSING;
        TestTable another = new TestTable(null, null);
        own.withPropertyValues("dynamolock.table.create=if-missing")
                .withBean("another", LockTable.class, () -> another)
                .run(context -> assertThat(table.calls).containsExactly("check", "createIfMissing"));
        assertThat(another.calls).as("of a bean that it does not use").isEmpty();
        table.calls.clear();
        own.withPropertyValues("dynamolock.table.check=never")
                .run(context -> assertThat(table.calls).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"mine", "dynamoLockRegistry"})
    void aMissingTableOfTheApplicationsOwnRegistryStopsTheStart(String name) {
        FakeLockRegistry mine = new FakeLockRegistry();
        mine.table = Optional.of(new TestTable(Problem.MISSING, null));
        runner.withBean(name, LockRegistry.class, () -> mine)
                .run(context -> assertThat(context).getFailure().rootCause().isInstanceOf(LockTableException.class));
    }

    @Test
    void theApplicationsOwnRegistryIsClosedWhenNothingUsesItAnyMore() {
        FakeLockRegistry mine = new FakeLockRegistry();
        AtomicBoolean wasClosed = new AtomicBoolean();
        runner.withBean("mine", LockRegistry.class, () -> mine)
                .withBean("last", DisposableBean.class, () -> () -> wasClosed.set(mine.closed))
                .run(context -> assertThat(mine.closed).isFalse());
        assertThat(wasClosed).isTrue();
    }

    /** If it failed to do so when it stops, it would close before them: what is made last is destroyed first. */
    @Test
    void theRegistryClosesAfterExecutorsThatFinishTheirTasksWhenDestroyed() {
        SimpleAsyncTaskExecutor simple = new SimpleAsyncTaskExecutor();
        simple.setTaskTerminationTimeout(60_000);
        ThreadPoolTaskExecutor pool = new ThreadPoolTaskExecutor() {
            @Override
            public void shutdown() {
                super.shutdown();
                throw new IllegalStateException("on purpose");
            }
        };
        pool.setWaitForTasksToCompleteOnShutdown(true);
        pool.setAwaitTerminationSeconds(60);
        Map<TaskExecutor, BooleanSupplier> executors = Map.of(
                simple, () -> !simple.isActive(),
                pool, () -> pool.getThreadPoolExecutor().isShutdown());
        FakeLockRegistry mine = new FakeLockRegistry();
        List<Boolean> closedUnderTask = new CopyOnWriteArrayList<>();
        CountDownLatch begun = new CountDownLatch(2);
        runner.withBean("simple", SimpleAsyncTaskExecutor.class, () -> simple)
                .withBean("pool", ThreadPoolTaskExecutor.class, () -> pool)
                .withBean("unused", SimpleAsyncTaskExecutor.class, () -> fail("not needed"), it -> it.setLazyInit(true))
                .withBean("mine", LockRegistry.class, () -> mine)
                .withBean(
                        "flush", DisposableBean.class, () -> () -> pool.execute(() -> closedUnderTask.add(mine.closed)))
                .run(context -> {
                    executors.forEach((executor, isOver) -> executor.execute(() -> {
                        begun.countDown();
                        Awaitility.await().until(() -> mine.closed || isOver.getAsBoolean());
                        closedUnderTask.add(mine.closed);
                    }));
                    begun.await();
                });
        assertThat(closedUnderTask).containsExactly(false, false, false);
        assertThat(mine.closed).isTrue();
    }

    @Test
    void closingTheContextFreesEverything() {
        InMemoryLockStore store = new InMemoryLockStore();
        LockHandle[] handle = new LockHandle[1];
        ApplicationContextRunner shared = inMemory.withBean("shared", InMemoryLockStore.class, () -> store);
        shared.run(first -> {
            handle[0] = first.getBean(LockRegistry.class).acquire("a", Duration.ofSeconds(10));
            shared.run(second -> assertThat(second.getBean(LockRegistry.class).tryAcquire("a"))
                    .isEmpty());
        });
        assertThat(handle[0].isValid()).isFalse();
        shared.run(third ->
                assertThat(third.getBean(LockRegistry.class).tryAcquire("a")).isPresent());
    }

    @Test
    void theWaitOfTheAnnotationComesFromTheProperty() {
        FakeLockRegistry mine = new FakeLockRegistry();
        inMemory.withPropertyValues("dynamolock.wait=forever")
                .withBean("mine", LockRegistry.class, () -> mine)
                .withBean(Patient.class)
                .run(context -> {
                    context.getBean(Patient.class).run();
                    assertThat(mine.onlyRequest().waitTime()).contains(io.dynamolock.LockRequest.FOREVER);
                });
    }

    static class Patient {

        @DynamoLocked(key = "'k'")
        public void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class Background {

        @Async
        @DynamoLocked(key = "'k'")
        public void run(LockRegistry locks, CompletableFuture<Integer> held) {
            held.complete(locks.admin().held().size());
        }
    }

    @Test
    void anAsyncMethodWaitsOnTheThreadThatRunsIt() {
        inMemory.withBean(Background.class).run(context -> {
            LockRegistry locks = context.getBean(LockRegistry.class);
            CompletableFuture<Integer> held = new CompletableFuture<>();
            try (LockHandle handle = locks.acquire("k", Duration.ofSeconds(10))) {
                context.getBean(Background.class).run(locks, held);
                Awaitility.await().until(() -> locks.admin().waiting() == 1);
                assertThat(handle.isValid()).isTrue();
                assertThat(held).isNotDone();
            }
            assertThat(held.get(30, TimeUnit.SECONDS)).isEqualTo(1);
            Awaitility.await().until(() -> locks.admin().held().isEmpty());
        });
    }
}
