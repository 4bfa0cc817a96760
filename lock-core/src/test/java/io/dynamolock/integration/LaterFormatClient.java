package io.dynamolock.integration;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * Makes a registry one of a later version, as far as the table can tell: between the registry and the table, this
 * client writes and understands a made-up format 1. It follows the rules that {@code docs/how-it-works.md} sets for
 * every later format. An append that finds the queue absent or empty brings format 1 if that is switched on, and clears
 * it otherwise; any other append is made in the format that the queue has; and a removal that leaves the queue empty
 * takes the number away. A session never says a format, because it may enter locks of both.
 */
final class LaterFormatClient implements DynamoDbClient {

    static final String FORMAT = "dynamolock:format";

    /** The condition of writes that enter, as the present version sends it. */
    private static final String GATE = "attribute_not_exists(#format)";

    private static final String EMPTY = "attribute_not_exists(queue[0])";
    private static final AttributeValue LATER = AttributeValue.fromN("1");
    private static final Pattern ENTRY = Pattern.compile("queue\\[");

    private final DynamoDbClient client;
    private volatile boolean isSwitchedOn;

    LaterFormatClient(DynamoDbClient client) {
        this.client = client;
    }

    void switchFormat(boolean on) {
        isSwitchedOn = on;
    }

    @Override
    public UpdateItemResponse updateItem(UpdateItemRequest request) {
        boolean isLock = !request.key().get("sk").s().equals("session");
        String condition = request.conditionExpression() == null ? "" : request.conditionExpression();
        if (isLock && condition.contains(GATE)) {
            return isSwitchedOn ? enterSwitchedOn(request) : enterSwitchedOff(request);
        }
        return isLock && removed(request) > 0 ? leave(request) : send(request);
    }

    private UpdateItemResponse enterSwitchedOn(UpdateItemRequest request) {
        return sendOr(
                with(gate(request, "(#format = :later OR " + GATE + " AND " + EMPTY + ")"), ", #format = :later", ""),
                refused -> formatOf(refused) == null && !isEmpty(refused) ? send(request) : null);
    }

    private UpdateItemResponse enterSwitchedOff(UpdateItemRequest request) {
        return sendOr(request, refused -> {
            if (formatOf(refused) == null) {
                return null;
            }
            return isEmpty(refused)
                    ? send(with(gate(request, "(#format = :later AND " + EMPTY + ")"), "", "#format"))
                    : send(with(gate(request, "#format = :later"), "", ""));
        });
    }

    /** Takes the number away if nobody else stands in the queue; otherwise just leaves. */
    private UpdateItemResponse leave(UpdateItemRequest request) {
        UpdateItemRequest asLast = request.toBuilder()
                .conditionExpression(
                        request.conditionExpression() + " AND attribute_not_exists(queue[" + removed(request) + "])")
                .build();
        return sendOr(with(asLast, "", "#format"), refused -> send(request));
    }

    /** How many entries the request takes out. */
    private static long removed(UpdateItemRequest request) {
        int removals = request.updateExpression().indexOf(" REMOVE ");
        return removals < 0
                ? 0
                : ENTRY.matcher(request.updateExpression().substring(removals))
                        .results()
                        .count();
    }

    private static UpdateItemRequest gate(UpdateItemRequest request, String other) {
        return request.toBuilder()
                .conditionExpression(request.conditionExpression().replace(GATE, other))
                .build();
    }

    private static UpdateItemRequest with(UpdateItemRequest request, String furtherSet, String furtherRemoval) {
        Map<String, String> names = new HashMap<>(request.expressionAttributeNames());
        Map<String, AttributeValue> values = new HashMap<>(request.expressionAttributeValues());
        names.put("#format", FORMAT);
        if (request.conditionExpression().contains(":later") || furtherSet.contains(":later")) {
            values.put(":later", LATER);
        }
        String[] parts = request.updateExpression().split(" REMOVE ", 2);
        String removals = parts.length == 2 ? parts[1] : "";
        if (!furtherRemoval.isEmpty()) {
            removals = removals.isEmpty() ? furtherRemoval : removals + ", " + furtherRemoval;
        }
        return request.toBuilder()
                .updateExpression(parts[0] + furtherSet + (removals.isEmpty() ? "" : " REMOVE " + removals))
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .build();
    }

    /** What to do about a refusal. */
    private interface Retry {

        /** @return {@code null} if the refusal stands */
        UpdateItemResponse after(Map<String, AttributeValue> item);
    }

    private UpdateItemResponse sendOr(UpdateItemRequest request, Retry retry) {
        try {
            UpdateItemResponse response = client.updateItem(request);
            return response.toBuilder().attributes(read(response.attributes())).build();
        } catch (ConditionalCheckFailedException refusal) {
            UpdateItemResponse response = retry.after(refusal.item());
            if (response != null) {
                return response;
            }
            throw refusal.toBuilder().item(read(refusal.item())).build();
        }
    }

    private UpdateItemResponse send(UpdateItemRequest request) {
        return sendOr(request, refused -> null);
    }

    private static AttributeValue formatOf(Map<String, AttributeValue> item) {
        return item.get(FORMAT);
    }

    private static boolean isEmpty(Map<String, AttributeValue> item) {
        return !item.containsKey("queue") || item.get("queue").l().isEmpty();
    }

    /** The item as the codec of the later version reads it. */
    private static Map<String, AttributeValue> read(Map<String, AttributeValue> item) {
        Map<String, AttributeValue> read = new HashMap<>(item);
        read.remove(FORMAT, LATER);
        return read;
    }

    @Override
    public GetItemResponse getItem(GetItemRequest request) {
        GetItemResponse response = client.getItem(request);
        return response.hasItem()
                ? response.toBuilder().item(read(response.item())).build()
                : response;
    }

    @Override
    public BatchGetItemResponse batchGetItem(BatchGetItemRequest request) {
        return client.batchGetItem(request);
    }

    @Override
    public DeleteItemResponse deleteItem(DeleteItemRequest request) {
        return client.deleteItem(request);
    }

    @Override
    public String serviceName() {
        return client.serviceName();
    }

    @Override
    public void close() {
        // The client that does the work is closed by whoever has made it.
    }
}
