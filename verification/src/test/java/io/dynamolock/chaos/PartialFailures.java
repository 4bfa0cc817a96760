package io.dynamolock.chaos;

import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Lets most calls of one kind fail while all other calls of the process work: a part is throttled, a part fails in
 * DynamoDB, and a part takes effect but loses its answer. Thread-safe.
 */
final class PartialFailures implements ExecutionInterceptor {

    /** The calls of locks that DynamoDB may treat differently. */
    enum Kind {
        EDITS,
        READS,
        HEARTBEATS,
        SESSION_READS
    }

    /** Calls of this kind fail; {@code null} if all work. */
    private volatile @Nullable Kind failing;

    /** @param kind {@code null} if all calls are to work again */
    void set(@Nullable Kind kind) {
        failing = kind;
    }

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        if (isHit(context.request())) {
            switch (ThreadLocalRandom.current().nextInt(10)) {
                case 0, 1, 2, 3 ->
                    throw ProvisionedThroughputExceededException.builder()
                            .message("throttled by the harness")
                            .statusCode(400)
                            .build();
                case 4, 5, 6 ->
                    throw InternalServerErrorException.builder()
                            .message("failed by the harness")
                            .statusCode(500)
                            .build();
                default -> {}
            }
        }
    }

    @Override
    public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
        if (isHit(context.request()) && ThreadLocalRandom.current().nextInt(3) > 0) {
            throw SdkClientException.create("the harness has lost the answer");
        }
    }

    private boolean isHit(SdkRequest request) {
        Kind kind = failing;
        return kind != null && kind == kindOf(request);
    }

    /** {@code null} for calls that never fail alone. */
    static @Nullable Kind kindOf(SdkRequest request) {
        if (request instanceof UpdateItemRequest update) {
            return isOfSession(update.key()) ? Kind.HEARTBEATS : Kind.EDITS;
        } else if (request instanceof GetItemRequest get) {
            return isOfSession(get.key()) ? Kind.SESSION_READS : Kind.READS;
        }
        return request instanceof BatchGetItemRequest ? Kind.SESSION_READS : null;
    }

    private static boolean isOfSession(Map<String, AttributeValue> key) {
        return key.values().stream().anyMatch(value -> "session".equals(value.s()));
    }
}
