package io.dynamolock.fences;

import io.dynamolock.StandIn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * A DynamoDB whose transactions take time and conflict with other writes, as on AWS: a write of an item that is in a
 * transaction is rejected, and so is a transaction with an item that is just being written. DynamoDB Local carries out
 * one call after the other, and has no conflicts. Counts the conflicts. Thread-safe.
 */
final class ConflictingDynamoDb {

    private final DynamoDbClient client;
    private final Duration transactionTime;
    private final Set<Map<String, AttributeValue>> inTransactions = new HashSet<>();
    private final Map<Map<String, AttributeValue>, Integer> inWrites = new HashMap<>();

    final AtomicInteger transactions = new AtomicInteger();
    final AtomicInteger writesInConflict = new AtomicInteger();

    /**
     * @param transactionTime how long a transaction blocks other writes of its items, in addition to the call itself
     */
    ConflictingDynamoDb(DynamoDbClient client, Duration transactionTime) {
        this.client = client;
        this.transactionTime = transactionTime;
    }

    /**
     * Only items of locks and protected items are in transactions. All other calls go to the other client unchanged.
     */
    DynamoDbClient client() {
        return StandIn.of(DynamoDbClient.class, client, (method, arguments) -> {
            Object request = arguments == null ? null : arguments[0];
            if (request instanceof TransactWriteItemsRequest transaction) {
                return transactWriteItems(transaction);
            }
            return request instanceof UpdateItemRequest write ? updateItem(write) : null;
        });
    }

    private TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
        transactions.incrementAndGet();
        List<Map<String, AttributeValue>> items =
                request.transactItems().stream().map(ConflictingDynamoDb::key).toList();
        begin(items);
        try {
            Thread.sleep(transactionTime.toMillis());
            return client.transactWriteItems(request);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts this test", e);
        } finally {
            end(items);
        }
    }

    private static Map<String, AttributeValue> key(TransactWriteItem item) {
        return item.conditionCheck() != null
                ? item.conditionCheck().key()
                : item.update().key();
    }

    private synchronized void begin(List<Map<String, AttributeValue>> items) {
        List<CancellationReason> reasons = new ArrayList<>();
        boolean isInConflict = false;
        for (Map<String, AttributeValue> item : items) {
            boolean isTaken = inTransactions.contains(item) || inWrites.containsKey(item);
            isInConflict |= isTaken;
            reasons.add(CancellationReason.builder()
                    .code(isTaken ? "TransactionConflict" : "None")
                    .build());
        }
        if (isInConflict) {
            throw TransactionCanceledException.builder()
                    .cancellationReasons(reasons)
                    .statusCode(400)
                    .awsErrorDetails(AwsErrorDetails.builder()
                            .errorCode("TransactionCanceledException")
                            .build())
                    .build();
        }
        inTransactions.addAll(items);
    }

    private synchronized void end(List<Map<String, AttributeValue>> items) {
        items.forEach(inTransactions::remove);
    }

    private UpdateItemResponse updateItem(UpdateItemRequest request) {
        begin(request.key());
        try {
            return client.updateItem(request);
        } finally {
            end(request.key());
        }
    }

    private synchronized void begin(Map<String, AttributeValue> item) {
        if (inTransactions.contains(item)) {
            writesInConflict.incrementAndGet();
            throw TransactionConflictException.builder()
                    .statusCode(400)
                    .awsErrorDetails(AwsErrorDetails.builder()
                            .errorCode("TransactionConflictException")
                            .errorMessage("Transaction is ongoing for the item")
                            .build())
                    .build();
        }
        inWrites.merge(item, 1, Integer::sum);
    }

    private synchronized void end(Map<String, AttributeValue> item) {
        inWrites.computeIfPresent(item, (absent, count) -> count == 1 ? null : count - 1);
    }
}
