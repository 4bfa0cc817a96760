package io.dynamolock.benchmarks.database;

import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * Counts the calls of the clients it is built into, and adds up the capacity that DynamoDB reports for them. Calls
 * that make or describe tables do not count. Thread-safe.
 */
public final class CallMeter implements ExecutionInterceptor {

    private final LongAdder writes = new LongAdder();
    private final LongAdder reads = new LongAdder();
    private final DoubleAdder writeUnits = new DoubleAdder();
    private final DoubleAdder readUnits = new DoubleAdder();

    /** What was used so far. */
    public Usage usage() {
        return new Usage(writes.sum(), reads.sum(), writeUnits.sum(), readUnits.sum());
    }

    @Override
    public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
        SdkRequest request = context.request();
        ReturnConsumedCapacity total = ReturnConsumedCapacity.TOTAL;
        if (request instanceof UpdateItemRequest update) {
            return update.toBuilder().returnConsumedCapacity(total).build();
        } else if (request instanceof PutItemRequest put) {
            return put.toBuilder().returnConsumedCapacity(total).build();
        } else if (request instanceof DeleteItemRequest delete) {
            return delete.toBuilder().returnConsumedCapacity(total).build();
        } else if (request instanceof GetItemRequest get) {
            return get.toBuilder().returnConsumedCapacity(total).build();
        } else if (request instanceof BatchGetItemRequest get) {
            return get.toBuilder().returnConsumedCapacity(total).build();
        } else if (request instanceof QueryRequest query) {
            return query.toBuilder().returnConsumedCapacity(total).build();
        }
        return request;
    }

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        SdkRequest request = context.request();
        if (isWrite(request)) {
            writes.increment();
        } else if (request instanceof GetItemRequest
                || request instanceof BatchGetItemRequest
                || request instanceof QueryRequest) {
            reads.increment();
        }
    }

    @Override
    public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
        Object response = context.response();
        if (response instanceof UpdateItemResponse update) {
            add(writeUnits, update.consumedCapacity());
        } else if (response instanceof PutItemResponse put) {
            add(writeUnits, put.consumedCapacity());
        } else if (response instanceof DeleteItemResponse delete) {
            add(writeUnits, delete.consumedCapacity());
        } else if (response instanceof GetItemResponse get) {
            add(readUnits, get.consumedCapacity());
        } else if (response instanceof BatchGetItemResponse get) {
            get.consumedCapacity().forEach(consumed -> add(readUnits, consumed));
        } else if (response instanceof QueryResponse query) {
            add(readUnits, query.consumedCapacity());
        }
    }

    @Override
    public void onExecutionFailure(Context.FailedExecution context, ExecutionAttributes attributes) {
        ConditionalCheckFailedException refusal = refusal(context.exception());
        if (isWrite(context.request()) && refusal != null) {
            // DynamoDB bills refused writes, too, but does not report them: a unit for each begun KB of the item. Locks
            // whose items may be larger than 1 KB have the item returned with the refusal.
            writeUnits.add(refusal.hasItem() ? ItemSize.writeUnits(refusal.item()) : 1);
        }
    }

    private static boolean isWrite(SdkRequest request) {
        return request instanceof UpdateItemRequest
                || request instanceof PutItemRequest
                || request instanceof DeleteItemRequest;
    }

    private static @Nullable ConditionalCheckFailedException refusal(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConditionalCheckFailedException refusal) {
                return refusal;
            }
        }
        return null;
    }

    private static void add(DoubleAdder sum, @Nullable ConsumedCapacity consumed) {
        if (consumed != null && consumed.capacityUnits() != null) {
            sum.add(consumed.capacityUnits());
        }
    }
}
