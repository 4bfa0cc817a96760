package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.autoconfigure.DynamoLockProperties.Aws;
import io.dynamolock.spring.autoconfigure.DynamoLockProperties.StoreType;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.AwsClient;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Selects the client of the locks: the application's, or a new one from {@link DynamoDbClientFactory}. The first source
 * in {@code docs/configuration.md} that names a client or has settings for a client decides. If several clients are
 * possible, the start stops with an {@link InvalidSetUpException}.
 *
 * @param blocking the blocking clients that an injection point without a qualifier may get
 * @param async the asynchronous clients that an injection point without a qualifier may get
 */
record ClientSelector(
        ListableBeanFactory beans,
        ObjectProvider<DynamoDbClient> blocking,
        ObjectProvider<DynamoDbAsyncClient> async,
        DynamoLockProperties properties,
        Environment environment) {

    private static final Logger LOG = LoggerFactory.getLogger(ClientSelector.class);
    private static final String MODULE = "io.dynamolock:lock-spring-boot-test";
    private static final String NAME_ONE =
            "Give the one for the locks the name or the qualifier " + SelectedClient.USER_BEAN
                    + ", or set dynamolock.aws.region or dynamolock.aws.endpoint, so that the locks get a client of their own.";

    SelectedClient choose() {
        SelectedClient choice = chosen();
        if (choice.letsTheSdkSearchForCredentials()) {
            WebIdentity.problem(environment, ClientSelector.class.getClassLoader())
                    .ifPresent(problem -> LOG.warn("{}", problem));
        }
        return choice;
    }

    private SelectedClient chosen() {
        Collection<AwsClient> named = BeanFactoryAnnotationUtils.qualifiedBeansOfType(
                        beans, AwsClient.class, SelectedClient.USER_BEAN)
                .values();
        if (!named.isEmpty()) {
            return named(named);
        }
        String source = source();
        AwsClient ofApplication = source == null ? ofApplication() : null;
        if (ofApplication != null) {
            return new SelectedClient(ofApplication, "the application's only client or its primary one");
        }
        return new SelectedClient(
                beans.getBean(SelectedClient.STARTER_BEAN, DynamoDbClient.class),
                source == null ? "what the AWS SDK finds by itself, because nothing else says where" : source);
    }

    /** A client bean that is named for the locks is used without changes. */
    private SelectedClient named(Collection<AwsClient> named) {
        if (named.size() > 1) {
            throw new InvalidSetUpException(
                    "Several DynamoDB clients have the name or the qualifier " + SelectedClient.USER_BEAN + ".",
                    "Give it to one of them.");
        }
        SelectedClient client = new SelectedClient(
                named.iterator().next(), "a client bean of the application that is named for the locks");
        Aws aws = properties.aws();
        refuseWithoutEffect(client, isEmbedded() && !isAt(client.endpoint(), embedded()), "dynamolock.store=embedded");
        refuseWithoutEffect(client, differ(aws.endpoint(), client.endpoint()), "dynamolock.aws.endpoint");
        refuseWithoutEffect(client, differ(aws.region(), client.region()), "dynamolock.aws.region");
        return client;
    }

    private static boolean differ(@Nullable Object set, @Nullable Object ofClient) {
        return set != null && !set.equals(ofClient);
    }

    private static void refuseWithoutEffect(SelectedClient client, boolean differs, String setting) {
        if (differs) {
            throw new InvalidSetUpException(
                    "The locks go through the client bean that is named '" + SelectedClient.USER_BEAN
                            + "' for them, to " + client.place() + ", so " + setting + " would have no effect.",
                    "Remove the one or the other.");
        }
    }

    /**
     * In words, the source of the settings with which to build a client for the locks; null if no source says where
     * DynamoDB is, so that the application's client or the AWS SDK decides.
     */
    private @Nullable String source() {
        if (isEmbedded()) {
            return "dynamolock.store=embedded";
        } else if (details() != null) {
            return "a DynamoLockConnectionDetails bean";
        } else if (properties.aws().region() != null || properties.aws().endpoint() != null) {
            return "dynamolock.aws.*";
        }
        return springCloudAws().endpoint() == null ? null : "the endpoint of Spring Cloud AWS";
    }

    private @Nullable AwsClient ofApplication() {
        DynamoDbClient chosen = only(blocking);
        if (chosen == null) {
            return only(async);
        }
        SelectedClient blockingClient = new SelectedClient(chosen, "");
        async.stream()
                .map(client -> new SelectedClient(client, ""))
                .filter(asyncClient -> blockingClient.region() != null && asyncClient.region() != null)
                .filter(asyncClient -> !blockingClient.place().equals(asyncClient.place()))
                .forEach(asyncClient -> {
                    throw new InvalidSetUpException(
                            "The application's DynamoDB clients go to different places: the blocking one to "
                                    + blockingClient.place() + "; the asynchronous one to " + asyncClient.place() + ".",
                            NAME_ONE);
                });
        return chosen;
    }

    private static <T extends AwsClient> @Nullable T only(ObjectProvider<T> clients) {
        return only(
                clients,
                "The application has several DynamoDB clients, and none of them is primary or for the locks",
                NAME_ONE);
    }

    private @Nullable DynamoLockConnectionDetails details() {
        return only(
                beans.getBeanProvider(DynamoLockConnectionDetails.class),
                "Several beans say where the DynamoDB of the locks is, and none is primary",
                "Mark one of them with @Primary. Or tell a container that is not for the locks what it is for, as in"
                        + " @ServiceConnection(type = AwsConnectionDetails.class), or, with Docker Compose, by the label"
                        + " org.springframework.boot.ignore: true.");
    }

    /** The only or the primary bean; null if there is none. */
    private static <T> @Nullable T only(ObjectProvider<T> candidates, String problem, String remedy) {
        try {
            return candidates.getIfAvailable();
        } catch (NoUniqueBeanDefinitionException several) {
            throw new InvalidSetUpException(
                    problem + ": " + StringUtils.collectionToDelimitedString(several.getBeanNamesFound(), ", ") + ".",
                    remedy);
        }
    }

    private Aws springCloudAws() {
        Binder properties = Binder.get(environment);
        URI ofAllServices =
                properties.bind("spring.cloud.aws.endpoint", URI.class).orElse(null);
        return new Aws(
                properties
                        .bind("spring.cloud.aws.dynamodb.region", String.class)
                        .orElse(null),
                properties.bind("spring.cloud.aws.dynamodb.endpoint", URI.class).orElse(ofAllServices));
    }

    /** Builds a client that only the locks use. */
    DynamoDbClient build(RestartableHttpClient connections) {
        if (isEmbedded()) {
            return DynamoDbClientFactory.create(List.of(ofThisProcess()), connections, null, null);
        }
        List<DynamoLockConnectionDetails> details = Stream.of(details(), properties.aws(), springCloudAws())
                .filter(Objects::nonNull)
                .toList();
        return DynamoDbClientFactory.create(
                details,
                connections,
                beans.getBeanProvider(AwsCredentialsProvider.class).getIfUnique(),
                beans.getBeanProvider(AwsRegionProvider.class).getIfUnique());
    }

    private Aws ofThisProcess() {
        URI endpoint = properties.aws().endpoint();
        if (endpoint != null && !isAt(endpoint, embedded())) {
            throw new InvalidSetUpException(
                    "dynamolock.store=embedded starts a DynamoDB Local in this process at " + embedded()
                            + ", but dynamolock.aws.endpoint says " + endpoint + ".",
                    "Set dynamolock.store=dynamodb to use that endpoint, or leave it out.");
        }
        return new Aws(null, embedded());
    }

    private boolean isEmbedded() {
        return properties.store() == StoreType.EMBEDDED;
    }

    /** The endpoint of the embedded store. The module with this store is usually absent in production. */
    private URI embedded() {
        EmbeddedStore store = beans.getBeanProvider(EmbeddedStore.class).getIfAvailable();
        if (store == null) {
            throw new InvalidSetUpException(
                    "dynamolock.store=embedded starts a DynamoDB Local in this process, but the module " + MODULE
                            + ", which does that, is not on the class path, or its auto-configuration is excluded.",
                    "Add the dependency " + MODULE + " in the version of lock-spring-boot-starter, with the scope test,"
                            + " or with the scope runtime to run the application itself that way. Or set"
                            + " dynamolock.store to dynamodb or memory.");
        }
        return store.endpoint();
    }

    private static boolean isAt(@Nullable URI endpoint, URI embedded) {
        return endpoint != null && endpoint.getPort() == embedded.getPort();
    }
}
