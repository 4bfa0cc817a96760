package io.dynamolock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.LockTable;
import io.dynamolock.LockTableException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** To which DynamoDB the locks go: in a fleet of which a half goes elsewhere, no lock excludes anybody. */
@ExtendWith(OutputCaptureExtension.class)
class WhoseClientTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DynamoLockAutoConfiguration.class))
            .withPropertyValues("dynamolock.table.check=never");

    private final ApplicationContextRunner atOne =
            runner.withPropertyValues("dynamolock.aws.endpoint=http://localhost:1");

    /** Nothing answers at any of these ports, and the locks' table says where it asked. */
    private static void theLocksGoTo(int port, ApplicationContext context) {
        assertThatExceptionOfType(LockTableException.class)
                .isThrownBy(() -> context.getBean(LockTable.class).check())
                .withMessageContaining("http://localhost:" + port + ":");
    }

    private static DynamoDbClient blocking(int port) {
        return TestClients.blocking(URI.create("http://localhost:" + port));
    }

    private static DynamoDbAsyncClient async(int port) {
        return TestClients.async(URI.create("http://localhost:" + port));
    }

    @Test
    void theLocksOwnClientIsNotInjectedElsewhere() {
        atOne.withUserConfiguration(Repository.class).run(context -> {
            assertThat(context.getBean(Injected.class).client()).isNull();
            theLocksGoTo(1, context);
        });
    }

    private record Injected(@Nullable DynamoDbClient client) {}

    @Configuration(proxyBeanMethods = false)
    static class Repository {

        @Bean
        Injected injected(ObjectProvider<DynamoDbClient> client) {
            return new Injected(client.getIfAvailable());
        }
    }

    @Test
    void anUnrelatedClientDoesNotTakeOverWhatThePropertiesSay() {
        atOne.withBean("mine", DynamoDbAsyncClient.class, () -> async(2)).run(context -> theLocksGoTo(1, context));
        atOne.withBean("mine", DynamoDbClient.class, () -> blocking(2)).run(context -> theLocksGoTo(1, context));
        atOne.withBean("a", DynamoDbClient.class, () -> blocking(2))
                .withBean("b", DynamoDbClient.class, () -> blocking(3))
                .run(context -> theLocksGoTo(1, context));
    }

    @Test
    void theApplicationsOnlyClientIsTakenEvenIfItIsAsynchronous() {
        runner.withBean("mine", DynamoDbClient.class, () -> blocking(2)).run(context -> {
            assertThat(context.getBean(DynamoDbClient.class)).isSameAs(context.getBean("mine"));
            theLocksGoTo(2, context);
        });
        runner.withBean("mine", DynamoDbAsyncClient.class, () -> async(2))
                .withUserConfiguration(Repository.class)
                .run(context -> {
                    assertThat(context.getBean(Injected.class).client()).isNull();
                    theLocksGoTo(2, context);
                });
    }

    @Test
    void aClientThatIsNamedOrQualifiedForLocksComesFirst() {
        runner.withBean("other", DynamoDbClient.class, () -> blocking(2))
                .withBean("dynamoLockClient", DynamoDbClient.class, () -> blocking(3))
                .run(context -> theLocksGoTo(3, context));
        runner.withBean("other", DynamoDbClient.class, () -> blocking(2), primary -> primary.setPrimary(true))
                .withBean("dynamoLockClient", DynamoDbAsyncClient.class, () -> async(3))
                .run(context -> theLocksGoTo(3, context));
        runner.withUserConfiguration(Qualified.class).run(context -> theLocksGoTo(3, context));
    }

    @Configuration(proxyBeanMethods = false)
    static class Qualified {

        @Bean
        DynamoDbClient other() {
            return blocking(2);
        }

        @Bean
        @Qualifier("dynamoLockClient")
        DynamoDbClient mine() {
            return blocking(3);
        }
    }

    @Test
    void ofSeveralClientsThePrimaryOneIsTaken() {
        runner.withBean("other", DynamoDbClient.class, () -> blocking(2))
                .withBean("mine", DynamoDbClient.class, () -> blocking(3), definition -> definition.setPrimary(true))
                .run(context -> theLocksGoTo(3, context));
    }

    @Test
    void clientsThatAreNoDefaultCandidatesAreNotTaken() {
        runner.withBean("mine", DynamoDbClient.class, () -> blocking(2))
                .withBean("hidden", DynamoDbClient.class, () -> blocking(3), WhoseClientTest::hide)
                .run(context -> theLocksGoTo(2, context));
    }

    private static void hide(BeanDefinition definition) {
        ((AbstractBeanDefinition) definition).setDefaultCandidate(false);
    }

    @Test
    void severalEqualClientsStopTheStart() {
        refused(
                runner.withBean("one", DynamoDbClient.class, () -> blocking(2))
                        .withBean("other", DynamoDbClient.class, () -> blocking(3)),
                "one, other",
                "dynamoLockClient");
        refused(
                runner.withBean("one", DynamoDbClient.class, () -> blocking(2))
                        .withBean("other", DynamoDbAsyncClient.class, () -> async(3)),
                "the blocking one to http://localhost:2, region us-east-1; the asynchronous one to http://localhost:3,"
                        + " region us-east-1");
        runner.withBean("one", DynamoDbClient.class, () -> blocking(2))
                .withBean("other", DynamoDbAsyncClient.class, () -> async(2))
                .run(context -> theLocksGoTo(2, context));
    }

    @Test
    void settingsThatWouldHaveNoEffectStopTheStart() {
        ApplicationContextRunner named = runner.withBean("dynamoLockClient", DynamoDbClient.class, () -> blocking(2));
        refused(
                named.withPropertyValues("dynamolock.aws.endpoint=http://localhost:1"),
                "'dynamoLockClient'",
                "dynamolock.aws.endpoint would have no effect");
        refused(
                named.withPropertyValues("dynamolock.aws.region=eu-west-1"),
                "dynamolock.aws.region would have no effect");
        refused(named.withUserConfiguration(Qualified.class), "Several DynamoDB clients");
        named.withPropertyValues("dynamolock.aws.endpoint=http://localhost:2", "dynamolock.aws.region=us-east-1")
                .run(context -> theLocksGoTo(2, context));
        refused(
                runner.withBean(EmbeddedStore.class, () -> () -> URI.create("http://localhost:2"))
                        .withPropertyValues("dynamolock.store=embedded", "dynamolock.aws.endpoint=http://localhost:1"),
                "dynamolock.aws.endpoint says http://localhost:1");
    }

    private static void refused(ApplicationContextRunner application, String... said) {
        application.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(InvalidSetUpException.class)
                .hasMessageContainingAll(said));
    }

    private record Details(@Nullable URI endpoint, @Nullable String region) implements DynamoLockConnectionDetails {}

    @Test
    void connectionDetailsWinOverPropertiesWhichFillInWhatTheyLeaveOut() {
        ApplicationContextRunner withDetails = runner.withBean(
                        DynamoLockConnectionDetails.class,
                        () -> new Details(URI.create("http://localhost:4"), "eu-west-3"))
                .withBean("unrelated", DynamoDbClient.class, () -> blocking(2));
        withDetails.run(context -> {
            theLocksGoTo(4, context);
            assertThat(ownRegion(context)).isEqualTo(Region.EU_WEST_3);
        });
        withDetails
                .withPropertyValues("dynamolock.aws.endpoint=http://localhost:1", "dynamolock.aws.region=eu-central-1")
                .run(context -> {
                    theLocksGoTo(4, context);
                    assertThat(ownRegion(context)).isEqualTo(Region.EU_WEST_3);
                });
        runner.withBean(DynamoLockConnectionDetails.class, () -> new Details(URI.create("http://localhost:4"), null))
                .withPropertyValues("dynamolock.aws.region=eu-central-1")
                .run(context -> assertThat(ownRegion(context)).isEqualTo(Region.EU_CENTRAL_1));
    }

    @Test
    void severalConnectionDetailsAreNamedUnlessOneIsPrimary() {
        ApplicationContextRunner two = runner.withBean(
                        "mine",
                        DynamoLockConnectionDetails.class,
                        () -> new Details(URI.create("http://localhost:4"), null))
                .withPropertyValues("dynamolock.aws.region=eu-central-1");
        refused(
                two.withBean(
                        "yours",
                        DynamoLockConnectionDetails.class,
                        () -> new Details(URI.create("http://localhost:5"), null)),
                "mine, yours",
                "@Primary",
                "@ServiceConnection(type = ");
        two.withBean(
                        "yours",
                        DynamoLockConnectionDetails.class,
                        () -> new Details(URI.create("http://localhost:5"), null),
                        definition -> definition.setPrimary(true))
                .run(context -> theLocksGoTo(5, context));
    }

    @Test
    void theEmbeddedStoreIsUsedAlsoBesideTheDetailsOfAContainer(CapturedOutput output) {
        runner.withBean(EmbeddedStore.class, () -> () -> URI.create("http://localhost:2"))
                .withBean(DynamoLockConnectionDetails.class, () -> new Details(URI.create("http://localhost:4"), null))
                .withPropertyValues("dynamolock.store=embedded", "dynamolock.table.create=never")
                .run(context -> theLocksGoTo(2, context));
        assertThat(output).contains("at http://localhost:2, region us-east-1, by dynamolock.store=embedded");
    }

    private static Region ownRegion(ApplicationContext context) {
        return context.getBean(SelectedClient.STARTER_BEAN, DynamoDbClient.class)
                .serviceClientConfiguration()
                .region();
    }

    @Test
    void theEndpointOfSpringCloudAwsIsFollowed() {
        ApplicationContextRunner configured = runner.withPropertyValues(
                "spring.cloud.aws.endpoint=http://localhost:6", "spring.cloud.aws.dynamodb.region=eu-north-1");
        configured.run(context -> {
            theLocksGoTo(6, context);
            assertThat(ownRegion(context)).isEqualTo(Region.EU_NORTH_1);
        });
        configured
                .withBean("unrelated", DynamoDbClient.class, () -> blocking(2))
                .run(context -> theLocksGoTo(6, context));
        configured
                .withPropertyValues("spring.cloud.aws.dynamodb.endpoint=http://localhost:7")
                .run(context -> theLocksGoTo(7, context));
    }

    /** The region of production stays in application.yaml when a test brings a container. */
    @Test
    void theEndpointOfSpringCloudAwsCountsEvenIfThePropertiesHaveARegion() {
        runner.withPropertyValues("spring.cloud.aws.endpoint=http://localhost:5", "dynamolock.aws.region=eu-west-1")
                .run(context -> {
                    theLocksGoTo(5, context);
                    assertThat(ownRegion(context)).isEqualTo(Region.EU_WEST_1);
                });
    }

    @Test
    void plainHttpIsRefusedFromWhicheverSourceItComes() {
        URI elsewhere = URI.create("http://dynamodb.example:8000");
        DynamoLockConnectionDetails details = new DynamoLockConnectionDetails() {
            @Override
            public URI endpoint() {
                return elsewhere;
            }
        };
        ApplicationContextRunner inRegion = runner.withBean(AwsRegionProvider.class, () -> () -> Region.SA_EAST_1)
                .withBean(AwsCredentialsProvider.class, AnonymousCredentialsProvider::create);
        for (ApplicationContextRunner source : List.of(
                inRegion.withPropertyValues("dynamolock.aws.endpoint=" + elsewhere),
                inRegion.withPropertyValues("spring.cloud.aws.endpoint=" + elsewhere),
                inRegion.withBean(DynamoLockConnectionDetails.class, () -> details))) {
            source.run(context -> assertThat(context)
                    .getFailure()
                    .rootCause()
                    .isInstanceOf(InvalidSetUpException.class)
                    .hasMessageContaining("plain HTTP"));
        }
    }

    @Test
    void withoutAnySourceTheSdkDecides() {
        runner.withBean(AwsRegionProvider.class, () -> () -> Region.SA_EAST_1)
                .withBean(AwsCredentialsProvider.class, AnonymousCredentialsProvider::create)
                .run(context -> assertThat(ownRegion(context)).isEqualTo(Region.SA_EAST_1));
    }

    @Test
    void aWebIdentityThatTheSdkCannotUseIsToldAtStart(CapturedOutput output) {
        ApplicationContextRunner onEks = runner.withPropertyValues(
                "AWS_WEB_IDENTITY_TOKEN_FILE=/var/run/secrets/token",
                "dynamolock.aws.region=eu-central-1",
                "dynamolock.table.check=never");
        onEks.withPropertyValues("AWS_ACCESS_KEY_ID=key")
                .run(context -> assertThat(output).doesNotContain("software.amazon.awssdk:sts"));
        onEks.withBean(AwsCredentialsProvider.class, AnonymousCredentialsProvider::create)
                .run(context -> assertThat(output).doesNotContain("software.amazon.awssdk:sts"));
        onEks.run(context -> assertThat(output).containsOnlyOnce("Add the dependency software.amazon.awssdk:sts."));
    }

    private static final String ADVICE = "Add the dependency software.amazon.awssdk:sts.";

    private final ApplicationContextRunner withWebIdentity =
            runner.withPropertyValues("AWS_WEB_IDENTITY_TOKEN_FILE=/var/run/secrets/token");

    /** @param credentials null to let the SDK search */
    private static DynamoDbClient onAws(@Nullable AwsCredentialsProvider credentials) {
        return DynamoDbClient.builder()
                .region(Region.EU_CENTRAL_1)
                .httpClient(new RestartableHttpClient())
                .credentialsProvider(credentials)
                .build();
    }

    @Test
    void aWebIdentityThatTheApplicationsClientCannotUseIsToldToo(CapturedOutput output) {
        withWebIdentity
                .withBean("mine", DynamoDbClient.class, () -> onAws(AnonymousCredentialsProvider.create()))
                .run(context -> assertThat(output).doesNotContain(ADVICE));
        withWebIdentity
                .withBean("mine", DynamoDbClient.class, () -> blocking(2))
                .run(context -> assertThat(output).doesNotContain(ADVICE));
        withWebIdentity
                .withBean("mine", DynamoDbClient.class, () -> onAws(null))
                .run(context -> assertThat(output).containsOnlyOnce(ADVICE));
    }

    @Test
    void aWebIdentityThatTheApplicationsProviderCannotUseIsToldToo(CapturedOutput output) {
        withWebIdentity
                .withPropertyValues("dynamolock.aws.region=eu-central-1")
                .withBean(
                        AwsCredentialsProvider.class,
                        () -> DefaultCredentialsProvider.builder().build())
                .run(context -> assertThat(output).containsOnlyOnce(ADVICE));
    }

    @Test
    void oneLineAtStartSaysWhatMustBeTheSameForProcessesThatExcludeEachOther(CapturedOutput output) {
        atOne.withPropertyValues("dynamolock.key-prefix=orders#", "dynamolock.lease=12s")
                .withBean(LockRegistryBuilderCustomizer.class, () -> builder -> builder.lease(Duration.ofSeconds(15)))
                .run(
                        context -> assertThat(output)
                                .contains(
                                        "key prefix \"orders#\", namespace \"default\" unless a lock says otherwise, lease PT15S"));
    }

    @Test
    void oneLineAtStartSaysWhereTheLocksAreAndWhy(CapturedOutput output) {
        atOne.run(context -> assertThat(output)
                .containsOnlyOnce("Locks are kept in table 'dynamolock' at http://localhost:1, region us-east-1,"
                        + " by dynamolock.aws.*"));
        runner.withBean("mine", DynamoDbClient.class, () -> blocking(2))
                .withPropertyValues("dynamolock.table.name=arn:aws:dynamodb:us-east-1:123456789012:table/locks")
                .run(context -> assertThat(output)
                        .containsOnlyOnce("at http://localhost:2, region us-east-1, by the application's"
                                + " only client or its primary one"));
    }
}
