package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.autoconfigure.DynamoLockProperties.Aws;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import software.amazon.awssdk.awscore.AwsClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Finds the client of the locks among the beans, and refuses what would leave a doubt about it.
 *
 * @param own the one that the starter builds
 * @param named those whose name or qualifier says that they are for the locks
 * @param blocking those that an injection point without a qualifier may get
 * @param async as {@code blocking}
 * @param embedded null with another store than {@code embedded}
 */
record LockClients(
        ObjectProvider<DynamoDbClient> own,
        ObjectProvider<AwsClient> named,
        ObjectProvider<DynamoDbClient> blocking,
        ObjectProvider<DynamoDbAsyncClient> async,
        Aws aws,
        @Nullable EmbeddedStore embedded) {

    private static final String MODULE = "io.dynamolock:lock-spring-boot-test";

    private static final String SEVERAL =
            "The application has several DynamoDB clients, and none of them is primary or for the locks";

    private static final String NAME_ONE = "Give the one for the locks the name or the qualifier " + LockClient.NAME
            + ", or set dynamolock.aws.region or dynamolock.aws.endpoint, so that the locks get a client of their own.";

    /** @throws InvalidSetUpException if there is a doubt about which client it is, or where it must go */
    LockClient choose(LockClientSource source) {
        AwsClient client = switch (source) {
            case BEAN_FOR_LOCKS -> onlyNamed();
            case BEAN_OF_APPLICATION -> ofApplication();
            default -> own.getObject();
        };
        LockClient chosen = new LockClient(Objects.requireNonNull(client), source.description());
        if (source == LockClientSource.BEAN_FOR_LOCKS) {
            refuseWithoutEffect(
                    chosen, embedded != null && !isAt(embedded, chosen.endpoint()), "dynamolock.store=embedded");
            refuseWithoutEffect(chosen, differ(aws.endpoint(), chosen.endpoint()), "dynamolock.aws.endpoint");
            refuseWithoutEffect(chosen, differ(aws.region(), chosen.region()), "dynamolock.aws.region");
        }
        return chosen;
    }

    /** Looks at all of them, because injection would take that of the name before that of the qualifier. */
    private AwsClient onlyNamed() {
        List<AwsClient> clients = named.stream().toList();
        if (clients.size() > 1) {
            throw new InvalidSetUpException(
                    "Several DynamoDB clients have the name or the qualifier " + LockClient.NAME + ".",
                    "Give it to one of them.");
        }
        return clients.get(0);
    }

    private static boolean differ(@Nullable Object set, @Nullable Object ofClient) {
        return set != null && !set.equals(ofClient);
    }

    /** A client that is named for the locks is taken as it is. */
    private static void refuseWithoutEffect(LockClient client, boolean differs, String setting) {
        if (differs) {
            throw new InvalidSetUpException(
                    "The locks go through the client bean that is named '" + LockClient.NAME + "' for them, to "
                            + client.place() + ", so " + setting + " would have no effect.",
                    "Remove the one or the other.");
        }
    }

    /** @throws InvalidSetUpException if there is none, because its module is not part of production */
    static EmbeddedStore find(ObjectProvider<EmbeddedStore> embedded) {
        EmbeddedStore found = embedded.getIfAvailable();
        if (found == null) {
            throw new InvalidSetUpException(
                    "dynamolock.store=embedded starts a DynamoDB Local in this process, but the module " + MODULE
                            + ", which does that, is not on the class path, or its auto-configuration is excluded.",
                    "Add the dependency " + MODULE + " in the version of lock-spring-boot-starter, with the scope test,"
                            + " or with the scope runtime to run the application itself that way. Or set"
                            + " dynamolock.store to dynamodb or memory.");
        }
        return found;
    }

    static boolean isAt(EmbeddedStore embedded, @Nullable URI endpoint) {
        return endpoint != null && endpoint.getPort() == embedded.endpoint().getPort();
    }

    private @Nullable AwsClient ofApplication() {
        DynamoDbClient chosen = InvalidSetUpException.onlyOf(blocking, SEVERAL, NAME_ONE);
        if (chosen == null) {
            return InvalidSetUpException.onlyOf(async, SEVERAL, NAME_ONE);
        }
        LockClient here = new LockClient(chosen, "");
        async.stream().map(client -> new LockClient(client, "")).forEach(there -> {
            boolean areKnown = here.region() != null && there.region() != null;
            if (areKnown && !here.place().equals(there.place())) {
                throw new InvalidSetUpException(
                        "The application's DynamoDB clients go to different places: the blocking one to " + here.place()
                                + "; the asynchronous one to " + there.place() + ".",
                        NAME_ONE);
            }
        });
        return chosen;
    }
}
