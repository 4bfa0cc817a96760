package io.dynamolock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;

import io.dynamolock.spring.annotation.DynamoLocked;
import java.lang.reflect.Method;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.javapoet.ClassName;

/** What Spring writes ahead of time for an application with locks: that it runs so is tried with the sample. */
class AheadOfTimeTest {

    private static final InMemoryGeneratedFiles FILES = new InMemoryGeneratedFiles();
    private static final RuntimeHints HINTS = new RuntimeHints();

    @BeforeAll
    static void process() {
        SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
                .load(RuntimeHintsRegistrar.class)
                .forEach(registrar -> registrar.registerHints(HINTS, AheadOfTimeTest.class.getClassLoader()));
        var context = new AnnotationConfigApplicationContext();
        TestPropertyValues.of("dynamolock.store=memory").applyTo(context);
        context.register(Application.class);
        var generation =
                new DefaultGenerationContext(new ClassNameGenerator(ClassName.get(Application.class)), FILES, HINTS);
        new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        generation.writeGeneratedContent();
    }

    @Test
    void everyBeanOfTheStarterIsMadeByCode() {
        assertThat(FILES.getGeneratedFiles(Kind.SOURCE).keySet())
                .anyMatch(file -> file.contains("DynamoLockAutoConfiguration__BeanDefinitions"))
                .anyMatch(file -> file.contains("LockRegistryConfiguration__BeanDefinitions"));
    }

    @Test
    void aLockedMethodItsFallbackAndWhatItsKeyReadsCanBeReached() throws Exception {
        Method locked = Shop.class.getMethod("place", Order.class);

        assertThat(reflection().onMethodInvocation(locked)).accepts(HINTS);
        assertThat(reflection().onMethodInvocation(Shop.class.getDeclaredMethod("later", Order.class)))
                .accepts(HINTS);
        assertThat(reflection().onMethodInvocation(Order.class.getMethod("customer")))
                .accepts(HINTS);
    }

    @Test
    void aLockedClassIsProxiedAheadOfTime() {
        assertThat(FILES.getGeneratedFiles(Kind.CLASS).keySet()).anyMatch(file -> file.contains("Shop$$SpringCGLIB"));
    }

    @Test
    void thePropertiesCanBeBound() {
        assertThat(reflection().onType(DynamoLockProperties.class)).accepts(HINTS);
    }

    @Test
    void theAnnotationCanBeReached() {
        assertThat(reflection().onType(DynamoLocked.class)).accepts(HINTS);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DynamoLockAutoConfiguration.class, DynamoLockAspectAutoConfiguration.class})
    static class Application {

        @Bean
        Shop shop() {
            return new Shop();
        }
    }

    public record Order(String customer) {}

    public static class Shop {

        @DynamoLocked(key = "#order.customer()", fallbackMethod = "later")
        public String place(Order order) {
            return "placed for " + order.customer();
        }

        String later(Order order) {
            return "later for " + order.customer();
        }
    }
}
