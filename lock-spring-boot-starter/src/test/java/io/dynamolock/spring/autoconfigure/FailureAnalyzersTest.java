package io.dynamolock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynamolock.LockTable;
import io.dynamolock.LockTableException;
import io.dynamolock.LockTableException.Problem;
import io.dynamolock.spring.annotation.DynamoLeader;
import io.dynamolock.spring.annotation.DynamoLocked;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.mock.env.MockEnvironment;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.dax.StandInForDaxClient;

/** What a user sees when the application does not start. */
@ExtendWith(OutputCaptureExtension.class)
class FailureAnalyzersTest {

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        AopAutoConfiguration.class,
        DynamoLockAutoConfiguration.class,
        DynamoLockAspectAutoConfiguration.class
    })
    static class Application {}

    private static Throwable startAndFail(Class<?> configuration, String... arguments) {
        SpringApplication application = new SpringApplication(Application.class, configuration);
        application.setWebApplicationType(WebApplicationType.NONE);
        Throwable failure = catchThrowable(() -> application.run(arguments));
        assertThat(failure).isNotNull();
        return failure;
    }

    @Configuration(proxyBeanMethods = false)
    static class MissingTable {

        @Bean
        LockTable table() {
            return new TestTable(Problem.MISSING, null);
        }
    }

    @Test
    void aMissingTableIsExplainedWithTheCommandThatMakesIt(CapturedOutput output) {
        startAndFail(
                MissingTable.class,
                "--dynamolock.aws.endpoint=http://localhost:1",
                "--dynamolock.table.sort-key-attribute=range");
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("It is MISSING.")
                .contains("aws dynamodb create-table --table-name locks --billing-mode PAY_PER_REQUEST")
                .contains("AttributeName=range,KeyType=RANGE")
                .contains("update-time-to-live")
                .contains("dynamolock.table.create=if-missing");
    }

    @Test
    void theTableIsCheckedEvenIfBeansAreLazy(CapturedOutput output) {
        startAndFail(
                MissingTable.class,
                "--dynamolock.aws.endpoint=http://localhost:1",
                "--spring.main.lazy-initialization=true");
        assertThat(output).contains("It is MISSING.");
    }

    @ParameterizedTest
    @EnumSource(Problem.class)
    void everyProblemOfATableHasItsAction(Problem problem) {
        FailureAnalysis analysis = new DynamoLockFailureAnalyzer(new MockEnvironment())
                .analyze(new IllegalStateException(
                        "outer", new LockTableException("locks", problem, "It is " + problem + ".", null)));
        assertThat(analysis).isNotNull();
        assertThat(analysis.getDescription()).contains("'locks'").contains("It is " + problem + ".");
        assertThat(analysis.getAction()).isNotBlank();
    }

    @Configuration(proxyBeanMethods = false)
    static class NoRegion {

        @Bean
        AwsRegionProvider regions() {
            return () -> {
                throw SdkClientException.create("Looked everywhere.");
            };
        }
    }

    @Test
    void aMissingRegionIsExplained(CapturedOutput output) {
        startAndFail(NoRegion.class);
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("does not know in which AWS region its table is")
                .contains("Looked everywhere.")
                .contains("Set dynamolock.aws.region");
    }

    @Configuration(proxyBeanMethods = false)
    static class OnlyDax {

        @Bean
        DynamoDbClient dax() {
            return new StandInForDaxClient();
        }
    }

    @Test
    void aClientOfDaxIsExplained(CapturedOutput output) {
        startAndFail(OnlyDax.class);
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("locks cannot use DAX")
                .contains("Declare a client of DynamoDB with the name or the qualifier dynamoLockClient");
    }

    @Test
    void missingCredentialsAreExplained(CapturedOutput output) {
        startAndFail(NoCredentials.class, "--dynamolock.aws.region=eu-west-1");
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("Give the application credentials")
                .contains("dynamolock.store=embedded");
    }

    @Configuration(proxyBeanMethods = false)
    static class NoCredentials {

        @Bean
        AwsCredentialsProvider credentials() {
            return () -> {
                throw SdkClientException.create("Unable to load credentials from any of the providers in the chain.");
            };
        }
    }

    @DynamoLeader("outbox")
    static class NoLifecycle {}

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aMistakeInTheAnnotationOfALeaderIsExplainedAlsoIfBeansAreLazy(boolean lazy, CapturedOutput output) {
        startAndFail(NoLifecycle.class, "--dynamolock.store=memory", "--spring.main.lazy-initialization=" + lazy);
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("@DynamoLeader on bean ")
                .contains("it is neither a Lifecycle nor a LeaderListener.")
                .contains("Implement one of them");
    }

    static class Mistaken {

        @DynamoLocked(key = "#nobody")
        public void run() {}
    }

    @Test
    void aMistakeInAnAnnotationIsExplained(CapturedOutput output) {
        startAndFail(Mistaken.class, "--dynamolock.store=memory");
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("@DynamoLocked on Mistaken.run(): the key \"#nobody\" uses #nobody")
                .contains("give it one, or write a text in quotes.")
                .doesNotContain("It has none");
    }

    static class Nothing {}

    @Test
    void settingsThatDoNotGoTogetherAreExplainedByTheirProperties(CapturedOutput output) {
        startAndFail(Nothing.class, "--dynamolock.store=memory", "--dynamolock.call-timeout=15s");
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("must be at most a third of the lease")
                .contains("Change dynamolock.call-timeout or dynamolock.lease.");
    }

    /** From what the exception carries: whatever its words are. */
    @Test
    void everySettingThatABuilderRefusesIsTracedToItsProperty() {
        Map<String, String> cases = Map.ofEntries(
                Map.entry("dynamolock.lease", "1ms"),
                Map.entry("dynamolock.call-timeout", "19s"),
                Map.entry("dynamolock.max-queue", "1"),
                Map.entry("dynamolock.retention", "1s"),
                Map.entry("dynamolock.poll.min", "0s"),
                Map.entry("dynamolock.owner", "x".repeat(300)),
                Map.entry("dynamolock.key-prefix", "x".repeat(2_000)),
                Map.entry("dynamolock.table.name", "a b"),
                Map.entry("dynamolock.table.sort-key-attribute", "pk"),
                Map.entry("dynamolock.table.partition-key-attribute", "tail"),
                Map.entry("dynamolock.table.format-attribute", "queue"),
                Map.entry("dynamolock.table.ttl-attribute", "x".repeat(300)));
        cases.forEach((property, value) -> {
            Throwable failure = startAndFail(
                    Nothing.class,
                    "--dynamolock.aws.endpoint=http://localhost:1",
                    "--dynamolock.table.check=never",
                    "--" + property + "=" + value);
            FailureAnalysis analysis = new DynamoLockFailureAnalyzer(new MockEnvironment()).analyze(failure);
            assertThat(analysis).as(property).isNotNull();
            assertThat(analysis.getAction()).contains(property);
        });
    }

    @Test
    void aMissingEmbeddedStoreIsExplainedWithTheDependencyThatBringsIt(CapturedOutput output) {
        startAndFail(Nothing.class, "--dynamolock.store=embedded");
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("io.dynamolock:lock-spring-boot-test, which does that, is not on the class path")
                .contains("Add the dependency io.dynamolock:lock-spring-boot-test");
    }

    @Test
    void anAsynchronousClientWithoutAnHttpClientIsExplainedWithTheDependency() {
        // In the SDK's words: the class path of these tests has an HTTP client.
        Throwable failure = SdkClientException.create("Unable to load an HTTP implementation from any provider in the"
                + " chain. You must declare a dependency on an appropriate HTTP implementation.");
        DynamoLockFailureAnalyzer analyzer = new DynamoLockFailureAnalyzer(new MockEnvironment());
        FailureAnalysis analysis = analyzer.analyze(new IllegalStateException(failure));
        assertThat(analysis).isNotNull();
        assertThat(analysis.getAction()).contains("software.amazon.awssdk:netty-nio-client");
        assertThat(analyzer.analyze(SdkClientException.create("Another failure")))
                .isNull();
    }

    @Configuration(proxyBeanMethods = false)
    static class Embedded {

        @Bean
        EmbeddedStore embedded() {
            return () -> URI.create("http://localhost:1");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Embedded.class)
    static class OwnClient {

        @Bean
        DynamoDbClient dynamoLockClient() {
            return TestClients.blocking(URI.create("http://localhost:2"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Embedded.class)
    static class OwnAsyncClient {

        @Bean
        @Qualifier("dynamoLockClient")
        DynamoDbAsyncClient mine() {
            return TestClients.async(URI.create("http://localhost:2"));
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OwnClient.class, OwnAsyncClient.class})
    void aClientForTheLocksThatGoesElsewhereIsRefusedWithTheEmbeddedStore(Class<?> own, CapturedOutput output) {
        startAndFail(own, "--dynamolock.store=embedded");
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("that is named 'dynamoLockClient' for them, to http://localhost:2");
    }
}
