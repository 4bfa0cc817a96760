package io.dynamolock.spring.leaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.dynamolock.LeaderElection.Leadership;
import io.dynamolock.LeaderListener;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.annotation.DynamoLeader;
import io.dynamolock.spring.annotation.EnableDynamoLocks;
import io.dynamolock.spring.annotation.InvalidDynamoLeaderException;
import io.dynamolock.spring.annotation.LeaderEvent;
import io.dynamolock.spring.autoconfigure.DynamoLockAspectAutoConfiguration;
import io.dynamolock.spring.autoconfigure.DynamoLockAutoConfiguration;
import io.dynamolock.spring.autoconfigure.DynamoLockDisabledAutoConfiguration;
import io.dynamolock.spring.internal.registry.LockRegistryLifecycle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.core.env.MapPropertySource;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.test.util.ReflectionTestUtils;

/** Instances of one application, each with its own registry, on one table in memory. */
class DynamoLeaderTest {

    private final InMemoryLockStore table = new InMemoryLockStore();
    private final List<AnnotationConfigApplicationContext> instances = new ArrayList<>();

    /** What happened to the beans of all instances. */
    private static final class Heard extends CopyOnWriteArrayList<String> {
        private static final long serialVersionUID = 1L;
    }

    private final Heard heard = new Heard();

    @AfterEach
    void stop() {
        instances.forEach(AnnotationConfigApplicationContext::close);
    }

    @DynamoLeader("outbox")
    static class Poller implements Lifecycle {

        @Autowired
        private Heard heard;

        private volatile boolean running;

        @Override
        public void start() {
            running = true;
            heard.add("started");
        }

        @Override
        public void stop() {
            running = false;
            heard.add("stopped");
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }

    @Test
    void aLifecycleBeanRunsInTheInstanceThatLeadsAndInNoOther() {
        var one = start(Poller.class);
        await().until(one.getBean(Poller.class)::isRunning);
        var other = start(Poller.class);
        await().until(() -> other.getBean(LockRegistry.class).admin().waiting() == 1);
        assertThat(other.getBean(Poller.class).isRunning()).isFalse();
        assertThat(one.getBean(DynamoLeaders.class).isLeader("outbox")).isTrue();
        assertThat(other.getBean(DynamoLeaders.class).isLeader("outbox")).isFalse();

        one.close();

        await().until(other.getBean(Poller.class)::isRunning);
        assertThat(heard).containsExactly("started", "stopped", "started");
    }

    @Test
    void aContextThatIsStoppedAndStartedTakesPartAgain() {
        var context = start(Poller.class);
        await().until(context.getBean(Poller.class)::isRunning);

        context.stop();
        assertThat(context.getBean(Poller.class).isRunning()).isFalse();
        assertThat(context.getBean(LockRegistry.class).admin().held()).isEmpty();
        // As Spring starts again what ran before; all of a context would start this bean, too.
        context.getBean(LockRegistryLifecycle.class).start();
        context.getBean(DynamoLeaders.class).start();

        await().until(context.getBean(Poller.class)::isRunning);
        assertThat(heard).containsExactly("started", "stopped", "started");
    }

    @Test
    void theBeansOfAChildContextTakePart() {
        var child = new AnnotationConfigApplicationContext();
        child.setParent(start(Object.class));
        child.register(Poller.class, DynamoLockAutoConfiguration.class, DynamoLockAspectAutoConfiguration.class);
        instances.add(0, child);
        child.refresh();
        await().until(child.getBean(Poller.class)::isRunning);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableDynamoLocks
    static class DeclaredBehindTheElections {

        @Bean
        @DynamoLeader("outbox")
        Manual poller() {
            return new Manual();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Poller.class, Manual.class, DeclaredBehindTheElections.class})
    void aLeadersBeanStartedWithTheContextStopsWhereAnotherInstanceLeads(Class<?> beans) {
        var leader = start(beans);
        await().until(leader.getBean(Poller.class)::isRunning);
        var other = start(beans);

        other.stop();
        other.start();

        assertThat(other.getBean(Poller.class).isRunning()).isFalse();
        assertThat(leader.getBean(Poller.class).isRunning()).isTrue();
    }

    /** What Spring calls when the JDK has restored a checkpoint is not to be called from outside. */
    @Test
    void aRestoredCheckpointOfALeaderDoesNotLeadWhileAnotherInstanceDoes() throws Exception {
        var restored = start(Manual.class);
        await().until(restored.getBean(Poller.class)::isRunning);
        var leader = start(Manual.class);
        Object processor = restored.getBean(DefaultLifecycleProcessor.class);

        ReflectionTestUtils.invokeMethod(processor, "stopForRestart");
        await().until(leader.getBean(Poller.class)::isRunning);
        ReflectionTestUtils.invokeMethod(processor, "restartAfterStop");

        assertThat(restored.getBean(DynamoLeaders.class).isRunning()).isTrue();
        assertThat(restored.getBean(Poller.class).isRunning()).isFalse();
    }

    @Configuration(proxyBeanMethods = false)
    static class StartsWithWhatItNeeds {

        @Bean
        @SuppressWarnings("unused")
        ThreadPoolTaskExecutor executor(Poller needed) {
            return new ThreadPoolTaskExecutor();
        }
    }

    @Test
    void aLeadersBeanStartedAsADependencyStopsWhereAnotherInstanceLeads() {
        var leader = start(Poller.class);
        await().until(leader.getBean(Poller.class)::isRunning);

        var other = start(Poller.class, StartsWithWhatItNeeds.class);

        assertThat(heard).containsExactly("started", "started", "stopped");
        assertThat(other.getBean(Poller.class).isRunning()).isFalse();
    }

    static class Methods {

        private final Heard heard;

        Methods(Heard heard) {
            this.heard = heard;
        }

        @DynamoLeader("${election:mails}")
        void changed(LeaderEvent event) {
            heard.add(event.getClass().getSimpleName());
        }

        @DynamoLeader("mails")
        void begins(LeaderEvent.Granted event) {
            heard.add("token " + (event.leadership().fencingToken() > 0));
        }

        @DynamoLeader("mails")
        protected void ends(LeaderEvent.Resigned event) {
            heard.add("valid " + event.leadership().isValid());
        }
    }

    @Test
    void methodsHearTheEventsThatTheyTakeAndAreOneCandidate() {
        var context = start(Methods.class);
        await().until(() -> heard.size() == 2);
        assertThat(context.getBean(DynamoLeaders.class).names()).containsExactly("mails");
        assertThat(context.getBean(LockRegistry.class).admin().held()).hasSize(1);

        context.close();

        assertThat(heard).hasSize(4);
        assertThat(heard.subList(0, 2)).containsExactlyInAnyOrder("Granted", "token true");
        assertThat(heard.subList(2, 4)).containsExactlyInAnyOrder("valid false", "Resigned");
    }

    @Test
    void aNameMayBeAProperty() {
        var context = start(Map.of("election", "letters"), Methods.class);

        assertThat(context.getBean(DynamoLeaders.class).names()).containsExactlyInAnyOrder("letters", "mails");
    }

    @Configuration(proxyBeanMethods = false)
    static class Factory {

        @Bean
        @DynamoLeader("made")
        SmartLifecycle made() {
            return new Manual();
        }

        @Bean
        @DynamoLeader("told")
        LeaderListener told(Heard heard) {
            return leadership -> heard.add("told of " + leadership.name());
        }
    }

    static class Manual extends Poller implements SmartLifecycle {

        @Override
        public boolean isAutoStartup() {
            return false;
        }
    }

    /** As message listener containers, it stops when its work is done, and says so. */
    static class Container extends Manual {

        @Override
        public void stop(Runnable callback) {
            ((Poller) this).heard.add("told to stop");
            CompletableFuture.runAsync(this::stop).thenRun(callback);
        }
    }

    @Test
    void whoeverLeadsIsStoppedByItsElectionWhichWaitsForTheEndOfItsWork() {
        var leader = start(Container.class);
        await().until(leader.getBean(Poller.class)::isRunning);

        leader.close();

        assertThat(heard).containsExactly("started", "told to stop", "stopped");
    }

    static class ByInterface {

        @Bean
        static Lifecycle poller(Heard heard) {
            Poller poller = new Poller();
            poller.heard = heard;
            return (Lifecycle) new ProxyFactory(poller).getProxy();
        }
    }

    @Test
    void aBeanWhoseProxyHasItsInterfacesOnlyLeads() {
        start(ByInterface.class);

        await().until(() -> heard.contains("started"));
    }

    @Test
    void theAnnotationMayStandOnTheMethodThatMakesTheBean() {
        start(Factory.class);

        await().until(() -> heard.size() == 2);
        assertThat(heard).containsExactlyInAnyOrder("started", "told of told");
    }

    @DynamoLeader("outbox")
    static class Failing implements LeaderListener {

        private final Heard heard;
        private int attempts;

        Failing(Heard heard) {
            this.heard = heard;
        }

        @Override
        public void granted(Leadership leadership) {
            attempts++;
            heard.add("attempt " + attempts);
            if (attempts == 1) {
                throw new IllegalStateException("on purpose");
            }
        }
    }

    @Test
    void whatBeganBeforeAListenerThatFailsIsStoppedAndAllBeginAgain() {
        start(Poller.class, Failing.class);

        await().until(() -> heard.contains("attempt 2"));
        assertThat(heard).containsExactly("started", "attempt 1", "stopped", "started", "attempt 2");
    }

    static class Errs {

        @DynamoLeader("outbox")
        void ends(LeaderEvent.Resigned event) {
            throw new AssertionError("on purpose");
        }
    }

    @Test
    void anErrorOfOneBeanKeepsNoOtherRunning() {
        var context = start(Poller.class, Errs.class);
        await().until(context.getBean(Poller.class)::isRunning);

        context.getBean(LockRegistry.class).admin().pause();

        assertThat(context.getBean(Poller.class).isRunning()).isFalse();
    }

    @Test
    void everyInstanceLeadsWhereLocksAreSwitchedOff() {
        var context = start(Map.of("dynamolock.enabled", "false"), Poller.class);
        var other = start(Map.of("dynamolock.enabled", "false"), Poller.class);

        await().until(context.getBean(Poller.class)::isRunning);
        await().until(other.getBean(Poller.class)::isRunning);
    }

    // Mistakes

    @DynamoLeader("x")
    static class Neither {}

    @DynamoLeader(" ")
    static class Nameless extends Manual {}

    @DynamoLeader("${no.such.property}")
    static class UnknownProperty extends Manual {}

    @DynamoLeader("x")
    static class StartsItself extends Poller implements SmartLifecycle {}

    @DynamoLeader("x")
    @Scope("prototype")
    static class Prototype extends Manual {}

    static class NoParameter {
        @DynamoLeader("x")
        void changed() {}
    }

    static class WrongParameter {
        @DynamoLeader("x")
        void changed(String event) {}
    }

    static class TwoParameters {
        @DynamoLeader("x")
        void changed(LeaderEvent event, String more) {}
    }

    static class Static {
        @DynamoLeader("x")
        static void changed(LeaderEvent event) {}
    }

    @SuppressWarnings("unused")
    static class Private {
        @DynamoLeader("x")
        private void changed(LeaderEvent event) {}
    }

    static List<Arguments> mistakes() {
        return List.of(
                arguments(Neither.class, "neither a Lifecycle nor a LeaderListener"),
                arguments(Nameless.class, "the name \" \" gives nothing"),
                arguments(UnknownProperty.class, "no.such.property"),
                arguments(StartsItself.class, "isAutoStartup() returns true"),
                arguments(Prototype.class, "no singleton"),
                arguments(NoParameter.class, "does not take a LeaderEvent"),
                arguments(WrongParameter.class, "changed(LeaderEvent event)"),
                arguments(TwoParameters.class, "does not take a LeaderEvent"),
                arguments(Static.class, "it is static"),
                arguments(Private.class, "it is private"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeStopsTheStartAndNamesTheBean(Class<?> bean, String message) {
        Throwable failure = catchThrowable(() -> start(bean));

        assertThat(failure).isInstanceOfSatisfying(InvalidDynamoLeaderException.class, invalid -> {
            assertThat(invalid).hasMessageStartingWith("@DynamoLeader on ");
            assertThat(invalid).hasMessageContaining(bean.getSimpleName()).hasMessageContaining(message);
            assertThat(invalid).hasMessage(invalid.problem() + " " + invalid.remedy());
            assertThat(invalid.remedy()).isNotBlank();
        });
    }

    private AnnotationConfigApplicationContext start(Class<?>... beans) {
        return start(Map.of(), beans);
    }

    private AnnotationConfigApplicationContext start(Map<String, Object> properties, Class<?>... beans) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        context.getEnvironment()
                .getPropertySources()
                .addLast(new MapPropertySource("store", Map.of("dynamolock.store", "memory")));
        context.registerBean(InMemoryLockStore.class, () -> table);
        context.registerBean(Heard.class, () -> heard);
        context.register(beans);
        context.register(
                DynamoLockDisabledAutoConfiguration.class,
                DynamoLockAutoConfiguration.class,
                DynamoLockAspectAutoConfiguration.class);
        context.refresh();
        instances.add(context);
        return context;
    }
}
