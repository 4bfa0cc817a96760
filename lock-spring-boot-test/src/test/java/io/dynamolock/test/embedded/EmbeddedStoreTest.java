package io.dynamolock.test.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockTable;
import io.dynamolock.LockTableException;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.OnTimeout;
import io.dynamolock.spring.autoconfigure.DynamoLockAspectAutoConfiguration;
import io.dynamolock.spring.autoconfigure.DynamoLockAutoConfiguration;
import io.dynamolock.spring.autoconfigure.DynamoLockDisabledAutoConfiguration;
import io.dynamolock.spring.autoconfigure.EmbeddedStore;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The whole starter on DynamoDB Local. */
@ExtendWith(OutputCaptureExtension.class)
class EmbeddedStoreTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    DynamoLockEmbeddedAutoConfiguration.class,
                    DynamoLockAutoConfiguration.class,
                    DynamoLockAspectAutoConfiguration.class))
            .withBean(Orders.class);

    private final ApplicationContextRunner embedded = runner.withPropertyValues("dynamolock.store=embedded");

    static class Orders {

        @DynamoLocked(key = "#customer", waitTime = "30s")
        public long token(String customer, LockRegistry locks) {
            return locks.admin().held().get(0).fencingToken();
        }

        @DynamoLocked(key = "#customer", waitTime = "0")
        public String atOnce(String customer) {
            return "done";
        }

        @DynamoLocked(key = "#customer", waitTime = "200ms", onTimeout = OnTimeout.SKIP)
        public Optional<String> orNothing(String customer) {
            return Optional.of("done");
        }
    }

    @Test
    void locksAnnotatedMethodsWithRisingTokens() {
        embedded.withPropertyValues("dynamolock.await-release=true").run(context -> {
            Orders orders = context.getBean(Orders.class);
            LockRegistry locks = context.getBean(LockRegistry.class);
            long first = orders.token("42", locks);
            assertThat(orders.token("42", locks)).isGreaterThan(first);
            assertThat(locks.admin().held()).isEmpty();
            assertThat(locks.admin().inspect("42").holder()).isEmpty();
        });
    }

    @Test
    void theApplicationMayUseTheSameDynamoDbByTheNameOfItsClient() {
        embedded.withPropertyValues("dynamolock.table.name=my-locks").run(context -> {
            DynamoDbClient client = context.getBean("dynamoLockDynamoDbClient", DynamoDbClient.class);
            assertThat(client.listTables().tableNames()).containsExactly("my-locks");
            context.getBean(LockTable.class).check();
        });
    }

    @Test
    void itIsThereForTheApplicationsOwnDataAlsoWhereLocksAreOff() {
        embedded.withConfiguration(AutoConfigurations.of(DynamoLockDisabledAutoConfiguration.class))
                .withPropertyValues("dynamolock.enabled=false")
                .run(context -> {
                    DynamoDbClient client = context.getBean("dynamoLockDynamoDbClient", DynamoDbClient.class);
                    assertThat(client.listTables().tableNames()).isEmpty();
                    assertThat(context.getBean(Orders.class).atOnce("42")).isEqualTo("done");
                });
    }

    @Test
    void aSecondInstanceSharesItByItsEndpointAlone() {
        embedded.run(first -> {
            String endpoint = first.getBean(EmbeddedDynamoDb.class).endpoint().toString();
            runner.withPropertyValues("dynamolock.store=dynamodb", "dynamolock.aws.endpoint=" + endpoint)
                    .run(second -> {
                        assertThat(second).hasNotFailed();
                        Orders orders = second.getBean(Orders.class);
                        try (LockHandle handle =
                                first.getBean(LockRegistry.class).acquire("42", Duration.ofSeconds(10))) {
                            assertThat(handle.isValid()).isTrue();
                            assertThatExceptionOfType(LockTimeoutException.class)
                                    .isThrownBy(() -> orders.atOnce("42"));
                            assertThat(orders.orNothing("42")).isEmpty();
                        }
                        assertThat(orders.atOnce("42")).isEqualTo("done");
                        assertThat(orders.orNothing("42")).contains("done");
                    });
        });
    }

    @Test
    void aMissingTableStopsTheStart() {
        embedded.withPropertyValues("dynamolock.table.create=never")
                .run(context -> assertThat(
                                Stream.iterate(context.getStartupFailure(), Objects::nonNull, Throwable::getCause))
                        .filteredOn(LockTableException.class::isInstance)
                        .extracting(cause -> ((LockTableException) cause).problem())
                        .containsExactly(LockTableException.Problem.MISSING));
        embedded.withPropertyValues("dynamolock.table.create=never", "dynamolock.table.check=never")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"EMBEDDED", "Embedded", "em-bedded", " embedded "})
    void isStartedInEveryNotationOfTheStore(String store) {
        runner.withPropertyValues("dynamolock.store=" + store)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(EmbeddedDynamoDb.class));
    }

    @Test
    void isNotStartedForAnotherStore() {
        runner.withPropertyValues("dynamolock.store=memory")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(EmbeddedDynamoDb.class));
    }

    @Test
    @SuppressWarnings("UnnecessaryMethodReference") // The bean must not be of the class itself.
    void backsOffForAStoreOfTheApplication() {
        try (EmbeddedDynamoDb mine = EmbeddedDynamoDb.start(0)) {
            embedded.withBean("mine", EmbeddedStore.class, () -> mine::endpoint).run(context -> {
                assertThat(context).hasNotFailed().doesNotHaveBean(EmbeddedDynamoDb.class);
                assertThat(context.getBean(Orders.class).atOnce("42")).isEqualTo("done");
            });
        }
    }

    @Test
    void aPortThatIsTakenIsExplained(CapturedOutput output) {
        try (EmbeddedDynamoDb other = EmbeddedDynamoDb.start(0)) {
            SpringApplication application = new SpringApplication(Whole.class);
            application.setWebApplicationType(WebApplicationType.NONE);
            assertThat(catchThrowable(() -> application.run(
                            "--dynamolock.store=embedded", "--dynamolock.embedded.port=" + other.port())))
                    .isNotNull();
            assertThat(output)
                    .contains("APPLICATION FAILED TO START")
                    .contains("cannot listen on port " + other.port())
                    .contains("dynamolock.aws.endpoint=http://localhost:" + other.port());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Whole {}

    @Test
    void stopsWithTheContext() {
        int[] port = new int[1];
        embedded.run(
                context -> port[0] = context.getBean(EmbeddedDynamoDb.class).port());
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> new Socket("localhost", port[0]));
    }
}
