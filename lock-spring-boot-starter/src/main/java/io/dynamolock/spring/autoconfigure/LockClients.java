package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.autoconfigure.DynamoLockProperties.Aws;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import software.amazon.awssdk.awscore.AwsClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Finds the client of the locks among the beans, and refuses what would leave a doubt about it.
 *
 * @param blocking those that an injection point without a qualifier may get
 * @param async as {@code blocking}
 * @param embedded null with another store than {@code embedded}
 */
record LockClients(
        ConfigurableListableBeanFactory beans,
        ObjectProvider<DynamoDbClient> blocking,
        ObjectProvider<DynamoDbAsyncClient> async,
        Aws aws,
        @Nullable EmbeddedStore embedded) {

    private static final String MODULE = "io.dynamolock:lock-spring-boot-test";

    private static final String SEVERAL =
            "The application has several DynamoDB clients, and none of them is primary or for the locks";

    private static final String NAME_ONE = "Give the one for the locks the name or the qualifier " + LockClient.NAME
            + ", or set dynamo-lock.aws.region or dynamo-lock.aws.endpoint, so that the locks get a client of their own.";

    /** @throws InvalidSetUpException if there is a doubt about which client it is, or where it must go */
    LockClient choose(LockClientSource source) {
        return switch (source) {
            case BEAN_FOR_LOCKS -> named(LockClientSource.namedForLocks(beans));
            case BEAN_OF_APPLICATION -> ofApplication();
            default -> own(source);
        };
    }

    private LockClient own(LockClientSource source) {
        if (!beans.containsBean(LockClient.OWN)) {
            throw new InvalidSetUpException(
                    "There is no DynamoDB client for the locks.",
                    "Do not exclude DynamoLockClientAutoConfiguration, or define a client bean named " + LockClient.NAME
                            + ".");
        }
        return new LockClient(
                beans.getBean(LockClient.OWN, DynamoDbClient.class),
                "a client of their own, by " + source.description());
    }

    /** A client of the application's is taken as it is: a setting beside it would be without effect. */
    private LockClient named(List<String> names) {
        String name = names.get(0);
        if (names.size() > 1) {
            throw new InvalidSetUpException(
                    "Several DynamoDB clients have the name or the qualifier " + LockClient.NAME + ": "
                            + String.join(", ", names) + ".",
                    "Give it to one of them.");
        }
        LockClient client = new LockClient(
                beans.getBean(name, AwsClient.class),
                "the application's bean '" + name + "', which is named for the locks");
        if (embedded != null && !isAt(embedded, client.endpoint())) {
            throw new InvalidSetUpException(
                    "dynamo-lock.store=embedded starts a DynamoDB Local in this process, but the bean '" + name
                            + "', which is named for the locks, goes to " + client.place() + ".",
                    "Leave that bean out here; or point it to the endpoint of the EmbeddedDynamoDb bean; or set"
                            + " dynamo-lock.store=dynamodb.");
        }
        refuseWithoutEffect(name, client, "endpoint", aws.endpoint(), client.endpoint());
        refuseWithoutEffect(name, client, "region", aws.region(), client.region());
        return client;
    }

    private static void refuseWithoutEffect(
            String name, LockClient client, String property, @Nullable Object set, @Nullable Object ofClient) {
        if (set != null && !set.equals(ofClient)) {
            throw new InvalidSetUpException(
                    "The locks go through the bean '" + name + "', which is named for them, to " + client.place()
                            + ", so dynamo-lock.aws." + property + " would have no effect.",
                    "Remove the one or the other.");
        }
    }

    /** @throws InvalidSetUpException if there is none, because its module is not part of production */
    static EmbeddedStore find(ObjectProvider<EmbeddedStore> embedded) {
        EmbeddedStore found = embedded.getIfAvailable();
        if (found == null) {
            throw new InvalidSetUpException(
                    "dynamo-lock.store=embedded starts a DynamoDB Local in this process, but the module " + MODULE
                            + ", which does that, is not on the class path, or its auto-configuration is excluded.",
                    "Add the dependency " + MODULE + " in the version of lock-spring-boot-starter, with the scope test,"
                            + " or with the scope runtime to run the application itself that way. Or set"
                            + " dynamo-lock.store to dynamodb or memory.");
        }
        return found;
    }

    static boolean isAt(EmbeddedStore embedded, @Nullable URI endpoint) {
        return endpoint != null && endpoint.getPort() == embedded.endpoint().getPort();
    }

    private LockClient ofApplication() {
        DynamoDbClient onlyBlocking = InvalidSetUpException.onlyOf(blocking, SEVERAL, NAME_ONE);
        if (onlyBlocking == null) {
            return ofApplication(Objects.requireNonNull(InvalidSetUpException.onlyOf(async, SEVERAL, NAME_ONE)));
        }
        LockClient chosen = ofApplication(onlyBlocking);
        async.stream().map(LockClients::ofApplication).forEach(other -> {
            boolean areKnown = chosen.region() != null && other.region() != null;
            if (areKnown && !chosen.place().equals(other.place())) {
                throw new InvalidSetUpException(
                        "The application's DynamoDB clients go to different places: the blocking one to "
                                + chosen.place() + "; the asynchronous one to " + other.place() + ".",
                        NAME_ONE);
            }
        });
        return chosen;
    }

    private static LockClient ofApplication(AwsClient client) {
        return new LockClient(client, "the application's only client or its primary one");
    }
}
