package io.dynamolock.sample.rush;

import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Counts the calls that the DynamoDB clients of this process send, those of the locks and those of the orders.
 *
 * <p>The SDK finds this class by the file {@code execution.interceptors} and makes an object of it for each client.
 * Therefore the counts belong to the class. Thread-safe.
 */
public final class DynamoDbCalls implements ExecutionInterceptor {

    private static final Set<Class<?>> WRITING =
            Set.of(UpdateItemRequest.class, PutItemRequest.class, DeleteItemRequest.class);
    private static final Set<Class<?>> READING = Set.of(GetItemRequest.class, QueryRequest.class);

    private static final LongAdder WRITES = new LongAdder();
    private static final LongAdder READS = new LongAdder();

    static Calls soFar() {
        return new Calls(WRITES.sum(), READS.sum());
    }

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        Class<? extends SdkRequest> request = context.request().getClass();
        if (WRITING.contains(request)) {
            WRITES.increment();
        } else if (READING.contains(request)) {
            READS.increment();
        }
    }
}
