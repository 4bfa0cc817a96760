package io.dynamolock.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockRegistry;
import io.dynamolock.spring.autoconfigure.DynamoLockAspectAutoConfiguration;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.MapPropertySource;

/** A small application context with the aspect on a fake registry. */
public final class AspectContext implements AutoCloseable {

    public final FakeLockRegistry locks = new FakeLockRegistry();

    /**
     * Runs the work of a future or a stream whose lock the fake registry grants while it is asked: as a rule, at once.
     */
    public volatile Executor immediateGrantExecutor = Runnable::run;

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    public AspectContext(Class<?>... beans) {
        this(Map.of(), beans);
    }

    public AspectContext(Map<String, Object> properties, Class<?>... beans) {
        this(properties, null, Stream.concat(Stream.of(Aspects.class), Stream.of(beans)));
    }

    /** @param registry instead of the fake one; it is closed with the context */
    public AspectContext(LockRegistry registry, Class<?>... beans) {
        this(Map.of(), registry, Stream.concat(Stream.of(Aspects.class), Stream.of(beans)));
    }

    private AspectContext(
            Map<String, Object> properties, @Nullable LockRegistry registry, Stream<Class<?>> configurations) {
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        context.registerBean(LockRegistry.class, () -> registry == null ? locks : registry);
        context.registerBean(
                ImmediateGrantExecutor.class,
                () -> new ImmediateGrantExecutor(task -> immediateGrantExecutor.execute(task)));
        context.register(configurations.toArray(Class[]::new));
        context.refresh();
    }

    /** With the aspect as Spring Boot makes it. */
    public static AspectContext booted(Class<?>... beans) {
        return new AspectContext(
                Map.of(),
                null,
                Stream.concat(
                        Stream.of(beans),
                        Stream.of(AopAutoConfiguration.class, DynamoLockAspectAutoConfiguration.class)));
    }

    /** As Spring Boot makes it, but that work whose lock is granted at once runs by {@link #immediateGrantExecutor}. */
    public static AspectContext bootedGrantingAtOnce(Class<?>... beans) {
        return booted(Stream.concat(Stream.of(beans), Stream.of(Advisor.class)).toArray(Class[]::new));
    }

    /** As Spring Boot makes it, with transactions on a database of its own. */
    public static AspectContext withTransactions(Map<String, Object> properties, Class<?>... beans) {
        Map<String, Object> all = new HashMap<>(properties);
        all.put("spring.datasource.generate-unique-name", "true");
        return new AspectContext(
                all,
                null,
                Stream.concat(
                        Stream.of(beans),
                        Stream.of(
                                AopAutoConfiguration.class,
                                DataSourceAutoConfiguration.class,
                                DataSourceTransactionManagerAutoConfiguration.class,
                                TransactionAutoConfiguration.class,
                                DynamoLockAspectAutoConfiguration.class)));
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** The call asks for this lock, and for no other. */
    public void asksFor(String key, Runnable call) {
        call.run();
        assertThat(locks.onlyRequest().key()).isEqualTo(key);
        locks.requests.clear();
    }

    @Override
    public void close() {
        context.close();
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Advisor.class)
    static class Aspects {

        /** Under the name that Spring gives its own. */
        @Bean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)
        static DefaultAdvisorAutoProxyCreator autoProxyCreator() {
            DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
            creator.setProxyTargetClass(true);
            return creator;
        }
    }

    private record ImmediateGrantExecutor(Executor executor) {}

    @Configuration(proxyBeanMethods = false)
    static class Advisor {

        @Bean
        static DynamoLockedAdvisor advisor(
                ConfigurableBeanFactory beans, ImmediateGrantExecutor immediateGrantExecutor) {
            return new DynamoLockedAdvisor(
                    beans,
                    () -> beans.getBean(LockRegistry.class),
                    () -> Duration.ofSeconds(60),
                    immediateGrantExecutor.executor());
        }
    }
}
