package io.dynamolock.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.dynamolock.spring.actuate.DynamoLockActuatorAutoConfiguration;
import io.dynamolock.spring.actuate.DynamoLocksEndpoint;
import io.dynamolock.spring.annotation.CurrentLock;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.InvalidDynamoLockedException;
import io.dynamolock.spring.autoconfigure.DynamoLockAdaptersAutoConfiguration;
import io.dynamolock.spring.autoconfigure.DynamoLockAspectAutoConfiguration;
import io.dynamolock.spring.autoconfigure.DynamoLockAutoConfiguration;
import io.dynamolock.spring.autoconfigure.DynamoLockMicrometerAutoConfiguration;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The starter on a class path without what an application may leave out. */
@SuppressWarnings("SameNameButDifferent") // Each application has its own.
class WithoutOptionalLibrariesTest {

    /** Run with classes of its own, in the place of the test's. */
    public static final class Application implements Supplier<String> {

        public static class Work {

            @DynamoLocked(key = "'k'")
            public String blocking() {
                return "blocking ";
            }

            @DynamoLocked(key = "'k'")
            public CompletableFuture<String> future() {
                return CompletableFuture.completedFuture("future");
            }
        }

        @Override
        public String get() {
            try (AspectContext context = new AspectContext(Work.class)) {
                Work work = context.bean(Work.class);
                return work.blocking() + work.future().join();
            }
        }
    }

    /** As {@link Application}. */
    public static final class Suspending implements Supplier<String> {

        public static class Work {

            @DynamoLocked(key = "'k'")
            public Object run(kotlin.coroutines.Continuation<? super String> continuation) {
                return "";
            }
        }

        @Override
        public String get() {
            return refusal(Work.class);
        }
    }

    /** As {@link Application}. */
    public static final class OfRxJava implements Supplier<String> {

        public static class Work {

            @DynamoLocked(key = "'k'")
            public io.reactivex.rxjava3.core.Single<String> run() {
                return io.reactivex.rxjava3.core.Single.just("");
            }
        }

        @Override
        public String get() {
            return refusal(Work.class);
        }
    }

    /** As {@link Application}, with the starter. */
    public static final class Booted implements Supplier<String> {

        @Configuration(proxyBeanMethods = false)
        @ImportAutoConfiguration({
            AopAutoConfiguration.class,
            DynamoLockAutoConfiguration.class,
            DynamoLockAspectAutoConfiguration.class,
            DynamoLockAdaptersAutoConfiguration.class,
            DynamoLockMicrometerAutoConfiguration.class,
            DynamoLockActuatorAutoConfiguration.class
        })
        public static class Application {

            @Bean
            Work work() {
                return new Work();
            }
        }

        public static class Work {

            @DynamoLocked(key = "'k'")
            public String run() {
                return CurrentLock.get().handle().key();
            }
        }

        @Override
        public String get() {
            try (var context = new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .properties("dynamolock.store=memory")
                    .run()) {
                return context.getBean(Work.class).run();
            }
        }
    }

    /** As {@link Booted}, with the endpoint, asked by somebody whom the server knows. */
    public static final class WithTheEndpoint implements Supplier<String> {

        @Override
        public String get() {
            SecurityContext caller = mock(SecurityContext.class);
            when(caller.getPrincipal()).thenReturn(() -> "clerk");
            try (var context = new SpringApplicationBuilder(Booted.Application.class)
                    .web(WebApplicationType.NONE)
                    .properties(
                            "dynamolock.store=memory",
                            "management.endpoints.web.exposure.include=*",
                            "management.endpoint.dynamolock.show-keys=when-authorized")
                    .run()) {
                return "status "
                        + context.getBean(DynamoLocksEndpoint.class)
                                .lock(caller, new String[] {"k"}, null)
                                .getStatus();
            }
        }
    }

    private static String refusal(Class<?> bean) {
        try {
            new AspectContext(bean).close();
            return "not refused";
        } catch (RuntimeException e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof InvalidDynamoLockedException invalid) {
                    return invalid.problem();
                }
            }
            throw e;
        }
    }

    @Test
    void lockedMethodsWorkWithoutReactorKotlinAndContextPropagation() throws Exception {
        assertThat(runWithout(Application.class, "reactor-", "kotlin", "context-propagation", "rxjava"))
                .isEqualTo("blocking future");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "aspectj spring-aspects",
                "micrometer",
                "hibernate",
                "spring-orm spring-data-jpa",
                "hibernate spring-orm spring-tx jakarta.persistence",
                "spring-integration shedlock",
                "actuator spring-boot-health",
                "spring-boot-actuator spring-boot-micrometer"
            })
    void theStarterWorksWithoutWhatAnApplicationMayLeaveOut(String libraries) throws Exception {
        assertThat(runWithout(Booted.class, libraries.split(" "))).isEqualTo("k");
    }

    @Test
    void theEndpointKnowsItsCallersWithoutSpringSecurity() throws Exception {
        assertThat(runWithout(WithTheEndpoint.class, "spring-security")).isEqualTo("status 404");
    }

    @Test
    void aSuspendingFunctionIsRefusedWithoutTheCoroutinesOfReactor() throws Exception {
        assertThat(runWithout(Suspending.class, "kotlinx-coroutines-reactor"))
                .contains("it is a suspending function, and kotlinx-coroutines-reactor is not on the class path.");
    }

    @Test
    void anotherStreamIsRefusedWithoutReactor() throws Exception {
        assertThat(runWithout(OfRxJava.class, "reactor-")).contains("it returns a Single, and reactor-core is not on");
    }

    private static String runWithout(Class<? extends Supplier<String>> application, String... libraries)
            throws Exception {
        List<URL> classPath = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> Arrays.stream(libraries).noneMatch(new File(entry).getName()::contains))
                .map(WithoutOptionalLibrariesTest::url)
                .toList();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader);
            Object instance = loader.loadClass(application.getName())
                    .getDeclaredConstructor()
                    .newInstance();
            return (String) ((Supplier<?>) instance).get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static URL url(String entry) {
        try {
            return new File(entry).toURI().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }
}
