package io.dynamolock.spring.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynamolock.LockClosedException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.StandIn;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.autoconfigure.DynamoLockAutoConfiguration;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;
import org.springframework.scheduling.quartz.SpringBeanJobFactory;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** What waits for its work when its bean is destroyed has its locks until then, and no wait is without end. */
class JobsOutliveTheStopTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DynamoLockAutoConfiguration.class))
            .withPropertyValues("dynamolock.store=memory");

    /** Work that holds a lock until the test lets it end. */
    static final class Work implements Runnable {

        private final LockRegistry locks;
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private final CompletableFuture<Boolean> heldToTheEnd = new CompletableFuture<>();

        Work(LockRegistry locks) {
            this.locks = locks;
        }

        @Override
        public void run() {
            try (LockHandle held = locks.acquire("job", Duration.ofSeconds(30))) {
                entered.countDown();
                heldToTheEnd.complete(mayEnd.await(1, TimeUnit.MINUTES) && held.isValid());
            } catch (InterruptedException e) {
                heldToTheEnd.completeExceptionally(e);
            }
        }
    }

    public static final class LockedJob implements Job {

        private final Work work;

        LockedJob(Work work) {
            this.work = work;
        }

        @Override
        public void execute(JobExecutionContext context) {
            work.run();
        }
    }

    private static void holdsItsLockWhileTheContextCloses(ConfigurableApplicationContext context, Work work)
            throws Exception {
        assertThat(work.entered.await(30, TimeUnit.SECONDS)).isTrue();
        LockRegistryLifecycle lifecycle = context.getBean(LockRegistryLifecycle.class);
        lifecycle.longestWait = Duration.ZERO;
        CompletableFuture<Void> closed = CompletableFuture.runAsync(context::close);
        Awaitility.await().until(() -> !lifecycle.isRunning());
        work.mayEnd.countDown();
        closed.get(30, TimeUnit.SECONDS);
        assertThat(work.heldToTheEnd.get(30, TimeUnit.SECONDS)).isTrue();
    }

    private static SchedulerFactoryBean scheduler() {
        SchedulerFactoryBean scheduler = new SchedulerFactoryBean();
        scheduler.setJobFactory(new SpringBeanJobFactory());
        scheduler.setWaitForJobsToCompleteOnShutdown(true);
        return scheduler;
    }

    @Test
    void aJobOfQuartzThatIsWaitedForKeepsItsLock() {
        runner.withBean(Work.class)
                .withBean(SchedulerFactoryBean.class, JobsOutliveTheStopTest::scheduler)
                .run(context -> {
                    context.getBean(Scheduler.class)
                            .scheduleJob(
                                    JobBuilder.newJob(LockedJob.class).build(),
                                    TriggerBuilder.newTrigger().startNow().build());
                    holdsItsLockWhileTheContextCloses(context, context.getBean(Work.class));
                });
    }

    /** Work that waits for a lock of another process without end. */
    static final class EndlessWait implements Runnable {

        private final LockRegistry locks;
        private final CompletableFuture<Throwable> ended = new CompletableFuture<>();

        EndlessWait(LockRegistry locks) {
            this.locks = locks;
        }

        @Override
        public void run() {
            ended.complete(catchThrowable(
                    () -> locks.acquire(LockRequest.of("job").waitForever()).close()));
        }
    }

    private void endsTheWaitWhenTheContextCloses(
            ApplicationContextRunner application, Consumer<AssertableApplicationContext> beginning) {
        InMemoryLockStore store = new InMemoryLockStore();
        try (LockRegistry other = RegistryBuilder.of(store).build();
                LockHandle held = other.acquire("job", Duration.ofSeconds(30))) {
            application
                    .withBean(InMemoryLockStore.class, () -> store)
                    .withBean(EndlessWait.class)
                    .run(context -> {
                        beginning.accept(context);
                        LockRegistry locks = context.getBean(LockRegistry.class);
                        Awaitility.await().until(() -> locks.admin().waiting() == 1);
                        context.getBean(LockRegistryLifecycle.class).longestWait = Duration.ofMillis(100);
                        EndlessWait wait = context.getBean(EndlessWait.class);
                        CompletableFuture.runAsync(context::close).get(20, TimeUnit.SECONDS);
                        assertThat(wait.ended.get(20, TimeUnit.SECONDS)).isInstanceOf(LockClosedException.class);
                    });
            assertThat(held.isValid()).isTrue();
        }
    }

    public static final class WaitingJob implements Job {

        private final EndlessWait wait;

        WaitingJob(EndlessWait wait) {
            this.wait = wait;
        }

        @Override
        public void execute(JobExecutionContext context) {
            wait.run();
        }
    }

    @Test
    void aJobThatWaitsForItsLockForEverDoesNotHoldUpTheEnd() {
        endsTheWaitWhenTheContextCloses(
                runner.withBean(SchedulerFactoryBean.class, JobsOutliveTheStopTest::scheduler), context -> {
                    try {
                        context.getBean(Scheduler.class)
                                .scheduleJob(
                                        JobBuilder.newJob(WaitingJob.class).build(),
                                        TriggerBuilder.newTrigger().startNow().build());
                    } catch (SchedulerException e) {
                        throw new IllegalStateException(e);
                    }
                });
    }

    /** Waits for its tasks without end when it is destroyed, as the {@code close()} of newer JDKs does. */
    static final class PatientExecutor extends ThreadPoolExecutor {

        PatientExecutor() {
            super(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        }

        void end() throws InterruptedException {
            shutdown();
            awaitTermination(1, TimeUnit.HOURS);
        }
    }

    /** @param others what makes the registry close late, if anything does */
    private void endsTheWaitOfATaskInAPatientExecutor(ApplicationContextRunner others) {
        endsTheWaitWhenTheContextCloses(
                others.withBean(PatientExecutor.class, PatientExecutor::new, bean -> bean.setDestroyMethodName("end")),
                context -> context.getBean(PatientExecutor.class).execute(context.getBean(EndlessWait.class)));
    }

    @Test
    void aTaskThatWaitsForItsLockForEverDoesNotHoldUpTheEnd() {
        endsTheWaitOfATaskInAPatientExecutor(runner);
        endsTheWaitOfATaskInAPatientExecutor(runner.withBean(ThreadPoolTaskExecutor.class));
    }

    /** Asks, when the client is closed, whether the registry is closed already. */
    static final class EndOfClient {

        private volatile LockRegistry locks;
        private volatile Throwable answer;

        DynamoDbClient around(DynamoDbClient client) {
            return StandIn.of(DynamoDbClient.class, client, (method, arguments) -> {
                if (method.equals("close")) {
                    answer = catchThrowable(() -> locks.tryAcquire("k"));
                }
                return null;
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ClientOnAnExecutor {

        @Bean
        EndOfClient endOfClient() {
            return new EndOfClient();
        }

        @Bean
        ThreadPoolTaskExecutor threads() {
            return new ThreadPoolTaskExecutor();
        }

        /** As with an asynchronous client that completes its futures there. */
        @Bean
        DynamoDbClient client(EndOfClient end, ThreadPoolTaskExecutor threads) {
            assertThat(threads.getThreadPoolExecutor().isShutdown()).isFalse();
            return end.around(DynamoDbClient.builder()
                    .endpointOverride(URI.create("http://localhost:1"))
                    .region(Region.US_EAST_1)
                    .credentialsProvider(AnonymousCredentialsProvider.create())
                    .httpClientBuilder(Apache5HttpClient.builder())
                    .build());
        }
    }

    @Test
    void aRegistryIsClosedBeforeItsClientWhateverTheClientRunsOn() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DynamoLockAutoConfiguration.class))
                .withPropertyValues("dynamolock.table.check=never")
                .withUserConfiguration(ClientOnAnExecutor.class)
                .run(context -> {
                    EndOfClient end = context.getBean(EndOfClient.class);
                    end.locks = context.getBean(LockRegistry.class);
                    context.close();
                    assertThat(end.answer).isInstanceOf(LockClosedException.class);
                });
    }
}
