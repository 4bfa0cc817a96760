package io.dynamolock.internal.store.dynamodb;

import io.dynamolock.internal.store.StoreFailure.Throttling;
import java.util.List;
import java.util.Objects;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.RequestLimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingReason;

/**
 * The reasons that DynamoDB tells for throttling. Each is one word, which names what is throttled, for which operation
 * and by which limit.
 */
final class ThrottlingReasons {

    private ThrottlingReasons() {}

    /**
     * The reasons in DynamoDB's words, for example {@code TableWriteKeyRangeThroughputExceeded}. Usually one; none if
     * DynamoDB does not tell.
     */
    static List<String> of(SdkServiceException answer) {
        List<ThrottlingReason> reasons = List.of();
        if (answer instanceof ProvisionedThroughputExceededException exceeded) {
            reasons = exceeded.throttlingReasons();
        } else if (answer instanceof RequestLimitExceededException exceeded) {
            reasons = exceeded.throttlingReasons();
        } else if (answer instanceof ThrottlingException throttled) {
            reasons = throttled.throttlingReasons();
        }
        return reasons.stream()
                .map(ThrottlingReason::reason)
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * The first throughput, in the order of {@link Throttling}, that one of the reasons names.
     *
     * @param code the error code of the answer; {@code RequestLimitExceeded} is itself a reason
     */
    static Throttling meaning(List<String> reasons, String code) {
        return reasons.stream()
                .map(ThrottlingReasons::meaning)
                .min(Throttling::compareTo)
                .orElse(code.equals("RequestLimitExceeded") ? Throttling.ACCOUNT : Throttling.UNKNOWN);
    }

    private static Throttling meaning(String reason) {
        if (reason.endsWith("AccountLimitExceeded")) {
            return Throttling.ACCOUNT;
        } else if (reason.startsWith("Index")) {
            return Throttling.INDEX;
        } else if (reason.endsWith("KeyRangeThroughputExceeded")) {
            return Throttling.KEY_RANGE;
        } else if (reason.endsWith("ProvisionedThroughputExceeded")) {
            return Throttling.TABLE_CAPACITY;
        } else if (reason.endsWith("MaxOnDemandThroughputExceeded")) {
            return Throttling.TABLE_MAXIMUM;
        }
        return Throttling.UNKNOWN;
    }

    /** What a user can do about it. */
    static String advice(Throttling why) {
        return switch (why) {
            case KEY_RANGE ->
                "one partition is too hot, not the table, and no setting of the table helps, because a partition takes"
                        + " about 1,000 write units a second; if this lasts, lock smaller things, or do more under"
                        + " each lock";
            case TABLE_CAPACITY ->
                "the table's provisioned capacity is used up; if this lasts, raise it or use on-demand billing";
            case TABLE_MAXIMUM ->
                "the maximum throughput that was set for this on-demand table is reached; if this lasts, raise or"
                        + " remove it";
            case INDEX ->
                "an index of the table cannot follow, and the locks need none; remove it, or give it more throughput";
            case ACCOUNT ->
                "the account's quota of throughput in this region is reached; if this lasts, have it raised in Service"
                        + " Quotas";
            case UNKNOWN -> "if this lasts, use on-demand billing or raise the table's and the account's limits";
        };
    }
}
