package io.dynamolock.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LockRegistry;
import io.dynamolock.OneClock;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.OnTimeout;
import io.dynamolock.spring.autoconfigure.DynamoLockAspectAutoConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;

/**
 * Three instances with the same scheduled job, whose clocks are seconds apart. The ticks are the test's, and so is the
 * time.
 */
class ScheduledWorkTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final OneClock clock = new OneClock();
    private final List<String> runs = new CopyOnWriteArrayList<>();
    private final List<Instance> instances =
            new ArrayList<>(List.of(new Instance("early"), new Instance("right"), new Instance("late")));

    @AfterEach
    void stop() {
        instances.forEach(Instance::stop);
    }

    @Test
    void aJobRunsOncePerTickThoughTheClocksOfItsInstancesAreSecondsApart() {
        for (int tick = 1; tick <= 10; tick++) {
            tickEverywhere();
            assertThat(runs).as("runs after tick %s", tick).hasSize(tick);
        }
        assertThat(runs).containsOnly("early");
    }

    @Test
    void aJobRunsOncePerTickEvenIfItsInstanceStopsRightAfterwards() {
        instances.get(0).tick();
        clock.advance(Duration.ofSeconds(1));

        instances.remove(0).stop();

        clock.advance(Duration.ofSeconds(3));
        instances.get(0).tick();
        clock.advance(Duration.ofSeconds(7));
        instances.get(1).tick();
        assertThat(runs).containsExactly("early");
        clock.advance(MINUTE.minusSeconds(11));
        tickEverywhere();
        assertThat(runs).containsExactly("early", "right");
    }

    @Test
    void aJobThatFailsIsNotRunAgainForTheSameTick() {
        instances.get(0).fails = true;

        assertThatThrownBy(instances.get(0)::tick).hasMessageContaining("on purpose");
        clock.advance(Duration.ofSeconds(6));
        instances.get(1).tick();

        assertThat(runs).containsExactly("early");
    }

    /** By the clocks of all instances, one after the other; then the rest of the minute passes. */
    private void tickEverywhere() {
        for (Instance instance : instances) {
            instance.tick();
            clock.advance(Duration.ofSeconds(6));
        }
        clock.advance(MINUTE.minusSeconds(6L * instances.size()));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    @Import({Job.class, AopAutoConfiguration.class, DynamoLockAspectAutoConfiguration.class})
    static class Application {}

    static class Job {

        private final Instance instance;

        Job(Instance instance) {
            this.instance = instance;
        }

        @Scheduled(initialDelay = 1, fixedRate = 1, timeUnit = TimeUnit.DAYS)
        @DynamoLocked(key = "'nightly-report'", waitTime = "0", onTimeout = OnTimeout.SKIP, holdAtLeast = "30s")
        public void run() {
            instance.runsTheJob();
        }
    }

    private final class Instance {

        private final String name;
        private boolean fails;
        private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

        Instance(String name) {
            this.name = name;
            context.registerBean(LockRegistry.class, () -> clock.registry(name));
            context.registerBean(Instance.class, () -> this);
            context.register(Application.class);
            context.refresh();
        }

        void runsTheJob() {
            runs.add(name);
            if (fails) {
                throw new IllegalStateException("on purpose");
            }
        }

        /** Does what the scheduler does when its time has come. */
        void tick() {
            context.getBean(ScheduledAnnotationBeanPostProcessor.class)
                    .getScheduledTasks()
                    .forEach(task -> task.getTask().getRunnable().run());
        }

        void stop() {
            context.close();
        }
    }
}
