package io.dynamolock.lockingread;

import io.dynamolock.internal.time.HttpDate;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What DynamoDB answered to a call that took effect.
 *
 * @param attributes those of the item that the call asked for
 * @param storeTime DynamoDB's wall clock, to the second; {@code null} if the answer does not tell it
 */
record Answer(
        Map<String, AttributeValue> attributes, @Nullable Instant storeTime) {

    /** DynamoDB's wall clock as the answer tells it; {@code null} if it does not tell. */
    static @Nullable Instant storeTime(SdkResponse answer) {
        return storeTime(answer.sdkHttpResponse());
    }

    /** DynamoDB's wall clock as its refusal tells it; {@code null} if it does not tell. */
    static @Nullable Instant storeTime(AwsServiceException refusal) {
        AwsErrorDetails details = refusal.awsErrorDetails();
        return storeTime(details == null ? null : details.sdkHttpResponse());
    }

    private static @Nullable Instant storeTime(@Nullable SdkHttpResponse response) {
        return response == null
                ? null
                : HttpDate.read(response.firstMatchingHeader("Date").orElse(null));
    }
}
