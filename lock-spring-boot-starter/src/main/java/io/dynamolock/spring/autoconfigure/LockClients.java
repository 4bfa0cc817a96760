package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.autoconfigure.DynamoLockProperties.Aws;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Finds the client of the locks among the beans, and refuses what would leave a doubt about it. */
final class LockClients {

    private static final String NAME_ONE = "Give the one for the locks the name or the qualifier " + LockClient.NAME
            + ", or set dynamo-lock.aws.region or dynamo-lock.aws.endpoint, so that the locks get a client of their own.";

    private final ConfigurableListableBeanFactory beans;
    private final Environment environment;
    private final Aws aws;
    private final @Nullable EmbeddedStore embedded;

    LockClients(
            ConfigurableListableBeanFactory beans, Environment environment, Aws aws, @Nullable EmbeddedStore embedded) {
        this.beans = beans;
        this.environment = environment;
        this.aws = aws;
        this.embedded = embedded;
    }

    /** @throws InvalidSetUpException if there is a doubt about which client it is, or where it must go */
    LockClient choose() {
        List<String> blocking = ClientBeans.forLocks(beans, DynamoDbClient.class);
        List<String> async = ClientBeans.forLocks(beans, DynamoDbAsyncClient.class);
        if (blocking.size() + async.size() > 1) {
            throw new InvalidSetUpException(
                    "Several DynamoDB clients have the name or the qualifier " + LockClient.NAME + ": "
                            + String.join(", ", both(blocking, async)) + ".",
                    "Give it to one of them.");
        }
        if (!blocking.isEmpty() || !async.isEmpty()) {
            String why = "the application's bean '" + both(blocking, async).get(0) + "', which is named for the locks";
            LockClient named = blocking.isEmpty() ? async(async.get(0), why) : blocking(blocking.get(0), why);
            refuseOtherSettings(both(blocking, async).get(0), named.place());
            return named;
        }
        return beans.containsBean(LockClient.OWN)
                ? blocking(
                        LockClient.OWN,
                        "a client of their own, by "
                                + LockClientSource.of(beans, environment).description())
                : ofApplication();
    }

    private LockClient ofApplication() {
        List<String> blocking = ClientBeans.ofApplication(beans, DynamoDbClient.class);
        List<String> async = ClientBeans.ofApplication(beans, DynamoDbAsyncClient.class);
        if (blocking.size() > 1 || blocking.isEmpty() && async.size() > 1) {
            throw new InvalidSetUpException(
                    "The application has several DynamoDB clients, and none of them is primary or for the locks: "
                            + String.join(", ", both(blocking, async)) + ".",
                    NAME_ONE);
        }
        if (blocking.isEmpty() && async.isEmpty()) {
            throw new InvalidSetUpException(
                    "There is no DynamoDB client for the locks.",
                    "Do not exclude DynamoLockClientAutoConfiguration, or define a client bean named " + LockClient.NAME
                            + ".");
        }
        if (blocking.isEmpty()) {
            return async(async.get(0), why(async.get(0)));
        }
        LockClient chosen = blocking(blocking.get(0), why(blocking.get(0)));
        for (String other : async) {
            ClientPlace elsewhere = async(other, "").place();
            if (elsewhere.isKnown() && chosen.place().isKnown() && !elsewhere.equals(chosen.place())) {
                throw new InvalidSetUpException(
                        "The application's DynamoDB clients go to different places: " + blocking.get(0) + " to "
                                + chosen.place() + "; " + other + " to " + elsewhere + ".",
                        NAME_ONE);
            }
        }
        return chosen;
    }

    /** A client of the application's is taken as it is: a setting beside it would be without effect. */
    private void refuseOtherSettings(String name, ClientPlace place) {
        if (embedded != null
                && (place.endpoint() == null
                        || place.endpoint().getPort() != embedded.endpoint().getPort())) {
            throw new InvalidSetUpException(
                    "dynamo-lock.store=embedded starts a DynamoDB Local in this process, but the bean '" + name
                            + "', which is named for the locks, goes to " + place + ".",
                    "Leave that bean out here; or point it to the endpoint of the EmbeddedDynamoDb bean; or set"
                            + " dynamo-lock.store=dynamodb.");
        }
        List<String> without = Stream.of(
                        differs("endpoint", aws.endpoint(), place.endpoint()),
                        differs("region", aws.region(), place.region()),
                        differs("profile", aws.profile(), null),
                        differs("access-key-id", aws.accessKeyId(), null))
                .filter(Objects::nonNull)
                .toList();
        if (!without.isEmpty()) {
            throw new InvalidSetUpException(
                    "The locks go through the bean '" + name + "', which is named for them, to " + place + ", so "
                            + String.join(" and ", without) + " would have no effect.",
                    "Remove the one or the other.");
        }
    }

    private static @Nullable String differs(String property, @Nullable Object set, @Nullable Object ofClient) {
        return set == null || set.equals(ofClient) ? null : "dynamo-lock.aws." + property;
    }

    private static String why(String name) {
        return "the application's bean '" + name + "', its only client or its primary one";
    }

    private LockClient blocking(String name, String why) {
        return new LockClient.Blocking(beans.getBean(name, DynamoDbClient.class), why);
    }

    private LockClient async(String name, String why) {
        return new LockClient.Async(beans.getBean(name, DynamoDbAsyncClient.class), why);
    }

    private static List<String> both(List<String> one, List<String> other) {
        return Stream.concat(one.stream(), other.stream()).toList();
    }
}
