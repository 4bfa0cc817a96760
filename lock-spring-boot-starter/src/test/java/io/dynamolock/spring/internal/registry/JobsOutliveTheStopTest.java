package io.dynamolock.spring.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.spring.autoconfigure.DynamoLockAutoConfiguration;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.TriggerBuilder;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;
import org.springframework.scheduling.quartz.SpringBeanJobFactory;

/** What waits for its work when its bean is destroyed has its locks until then. */
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

    /** As every executor of newer JDKs. */
    static final class WaitingExecutor extends ThreadPoolExecutor {

        WaitingExecutor() {
            super(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        }

        void end() throws InterruptedException {
            shutdown();
            assertThat(awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aTaskOfAPlainExecutorThatIsWaitedForKeepsItsLock() {
        runner.withBean(Work.class)
                .withBean(WaitingExecutor.class, WaitingExecutor::new, bean -> bean.setDestroyMethodName("end"))
                .run(context -> {
                    Work work = context.getBean(Work.class);
                    context.getBean(WaitingExecutor.class).execute(work);
                    holdsItsLockWhileTheContextCloses(context, work);
                });
    }
}
