package io.dynamolock.internal.store.dynamodb;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** Tables for tests of the store. They stay. */
final class Tables {

    static final Duration RETENTION = Duration.ofDays(7);

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(20);
    private static final Set<String> CREATED = ConcurrentHashMap.newKeySet();

    private Tables() {}

    static DynamoTableSettings settings(String keyPrefix) {
        return new DynamoTableSettings("locks", keyPrefix, "pk", "sk", "expiresAt", "data", RETENTION, CALL_TIMEOUT);
    }

    static DynamoTableSettings withOtherNames() {
        return new DynamoTableSettings(
                "locks-other-names", "", "PK", "sort-key", "ttl", "note", RETENTION, CALL_TIMEOUT);
    }

    /** @param database tells the databases of this test run apart */
    static synchronized void createOnce(String database, DynamoDbAsyncClient client, DynamoTableSettings settings) {
        if (!CREATED.add(database + settings.tableName())) {
            return;
        }
        client.createTable(create -> create.tableName(settings.tableName())
                        .billingMode(BillingMode.PAY_PER_REQUEST)
                        .keySchema(
                                key(settings.partitionKeyAttribute(), KeyType.HASH),
                                key(settings.sortKeyAttribute(), KeyType.RANGE))
                        .attributeDefinitions(
                                string(settings.partitionKeyAttribute()), string(settings.sortKeyAttribute())))
                .handle((created, failure) -> {
                    if (failure != null && !(failure.getCause() instanceof ResourceInUseException)) {
                        throw new AssertionError(failure);
                    }
                    return created;
                })
                .join();
    }

    private static KeySchemaElement key(String attribute, KeyType type) {
        return KeySchemaElement.builder().attributeName(attribute).keyType(type).build();
    }

    private static AttributeDefinition string(String attribute) {
        return AttributeDefinition.builder()
                .attributeName(attribute)
                .attributeType(ScalarAttributeType.S)
                .build();
    }
}
