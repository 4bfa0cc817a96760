package io.dynamolock.sample.conversations;

import static java.util.Objects.requireNonNull;

import io.dynamolock.sample.conversations.Transcript.Turn;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbWaiter;

/**
 * The transcripts in DynamoDB: an item for each conversation, with its turns and the greatest fencing token that was
 * seen. A real service has an item for each turn, since an item has at most 400 KB. Each write sets the whole list, so
 * a call that the SDK repeats after a lost answer changes nothing. Thread-safe.
 */
@Repository
class Transcripts implements InitializingBean {

    static final String TABLE = "sample-transcripts";

    private static final String KEY = "conversation";

    private final DynamoDbClient client;

    /** @param client of the locks, so that the transcripts are in the same DynamoDB */
    Transcripts(@Qualifier("dynamoLockDynamoDbClient") DynamoDbClient client) {
        this.client = client;
    }

    @Override
    public void afterPropertiesSet() {
        try {
            client.createTable(create -> create.tableName(TABLE)
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .attributeDefinitions(AttributeDefinition.builder()
                            .attributeName(KEY)
                            .attributeType(ScalarAttributeType.S)
                            .build())
                    .keySchema(KeySchemaElement.builder()
                            .attributeName(KEY)
                            .keyType(KeyType.HASH)
                            .build()));
        } catch (ResourceInUseException itExists) {
            // An earlier start has made the table, or another instance is making it now. Either way, wait for it.
        }
        try (DynamoDbWaiter waiter = client.waiter()) {
            waiter.waitUntilTableExists(request -> request.tableName(TABLE));
        }
    }

    /**
     * Reads the transcript and leaves the token in it: from then on, no earlier turn can write.
     *
     * @return fails with {@link LateTurnException} if a later turn has begun
     */
    Mono<Transcript> read(String conversation, long token) {
        return update(conversation, token, "SET fencingToken = :token", Map.of());
    }

    /** Writes the transcript; fails with {@link LateTurnException} if a later turn has begun. */
    Mono<Transcript> write(Transcript transcript, long token) {
        AttributeValue turns = AttributeValue.fromL(
                transcript.turns().stream().map(Transcripts::toAttribute).toList());
        return update(
                transcript.conversation(), token, "SET fencingToken = :token, turns = :turns", Map.of(":turns", turns));
    }

    /** The transcript as of now, for those who only show it: it needs no lock. */
    Transcript look(String conversation) {
        return toTranscript(
                conversation,
                client.getItem(get ->
                                get.tableName(TABLE).key(key(conversation)).consistentRead(true))
                        .item());
    }

    private Mono<Transcript> update(
            String conversation, long token, String update, Map<String, AttributeValue> values) {
        Map<String, AttributeValue> all = new HashMap<>(values);
        all.put(":token", AttributeValue.fromN(Long.toString(token)));
        return elsewhere(() -> {
            try {
                return toTranscript(
                        conversation,
                        client.updateItem(request -> request.tableName(TABLE)
                                        .key(key(conversation))
                                        .updateExpression(update)
                                        .conditionExpression(
                                                "attribute_not_exists(fencingToken) OR fencingToken <= :token")
                                        .expressionAttributeValues(all)
                                        .returnValues(ReturnValue.ALL_NEW))
                                .attributes());
            } catch (ConditionalCheckFailedException laterTurn) {
                throw new LateTurnException(token, laterTurn);
            }
        });
    }

    /** This client blocks, and a stream under a lock must not: it runs on a thread of the registry. */
    private static <T> Mono<T> elsewhere(Callable<T> call) {
        return Mono.fromCallable(call).subscribeOn(Schedulers.boundedElastic());
    }

    private static Map<String, AttributeValue> key(String conversation) {
        return Map.of(KEY, AttributeValue.fromS(conversation));
    }

    private static AttributeValue toAttribute(Turn turn) {
        return AttributeValue.fromM(
                Map.of("message", AttributeValue.fromS(turn.message()), "answer", AttributeValue.fromS(turn.answer())));
    }

    private static Transcript toTranscript(String conversation, Map<String, AttributeValue> item) {
        AttributeValue turns = item.getOrDefault("turns", AttributeValue.fromL(List.of()));
        return new Transcript(
                conversation,
                turns.l().stream()
                        .map(AttributeValue::m)
                        .map(turn -> new Turn(text(turn, "message"), text(turn, "answer")))
                        .toList());
    }

    private static String text(Map<String, AttributeValue> turn, String attribute) {
        return requireNonNull(turn.get(attribute), attribute).s();
    }
}
