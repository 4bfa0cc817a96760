package io.dynamolock.internal.store.dynamodb;

import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.store.StoreFailure.Throttling;
import io.dynamolock.internal.text.SafeText;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbServiceClientConfiguration;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * Tells what a failed call means, in a message for the person who has to act. The message never contains a key or a
 * credential.
 */
public record DynamoFailures(String tableName, DynamoDbAsyncClient client) {

    /** Not caused by load, but just as worth repeating. */
    private static final String CONTENTION = "ReplicatedWriteConflictException";

    /** Maximum number of characters of a message from DynamoDB or the SDK. */
    private static final int MOST_SAID = 1_000;

    private static final String CONFLICT = "TransactionConflictException";

    /** How the JDK's executors and Netty's event loops say that they take no more tasks for good. */
    private static final Set<String> SHUT_DOWN = Set.of("[Terminated", "[Shutting down", "event executor terminated");

    private static final Set<String> NO_TABLE = Set.of("ResourceNotFoundException", "TableNotFoundException");

    private static final Set<String> ACCESS_DENIED =
            Set.of("AccessDeniedException", "AccessDenied", "UnauthorizedOperation", "OptInRequired");

    private static final Set<String> BAD_CREDENTIALS = Set.of(
            "UnrecognizedClientException",
            "ExpiredTokenException",
            "ExpiredToken",
            "InvalidSignatureException",
            "IncompleteSignatureException",
            "InvalidClientTokenId",
            "MissingAuthenticationTokenException",
            "MissingAuthenticationToken");

    /**
     * Why a call failed.
     *
     * @param throttling which throughput was used up; {@code null} if the call was not throttled
     * @param message for the person who has to act
     */
    public record Failure(FailureReason reason, @Nullable Throttling throttling, String message) {

        Failure(FailureReason reason, String message) {
            this(reason, null, message);
        }
    }

    /**
     * The failure, if it means that the call's condition did not hold.
     *
     * @throws CompletionException with any other failure
     */
    static ConditionalCheckFailedException refusal(Throwable failure) {
        Throwable cause = unwrap(failure);
        if (cause instanceof ConditionalCheckFailedException refusal) {
            return refusal;
        }
        throw new CompletionException(cause);
    }

    /**
     * The exception for a call that failed.
     *
     * @param key the lock that the call was for; {@code null} if it was for a session or for several locks
     */
    StoreFailure storeFailure(DynamoOperation operation, @Nullable LockKey key, Throwable thrown) {
        Throwable cause = unwrap(thrown);
        if (cause instanceof StoreFailure known) {
            return known;
        }
        Failure failure = failure(operation, cause);
        if (failure.throttling() != null) {
            return StoreFailure.throttled(failure.throttling(), key, failure.message(), cause);
        }
        // Only calls about locks and sessions have a timeout that can be set. Those on the table itself use failure().
        String advice = failure.reason() == FailureReason.NO_ANSWER ? ", or raise the call timeout" : "";
        return new StoreFailure(failure.reason().kind(), failure.message() + advice, cause);
    }

    /**
     * Builds the request of a call.
     *
     * @throws StoreFailure if that fails; it says that the call was not sent
     */
    <Q> Q built(DynamoOperation operation, Supplier<Q> request) {
        try {
            return request.get();
        } catch (RuntimeException wrong) {
            throw new StoreFailure(
                    StoreFailure.Kind.REFUSED,
                    call(operation) + " could not be made: " + said(wrong.getMessage()),
                    wrong);
        }
    }

    /**
     * The exception for a call whose answer cannot be read.
     *
     * @param key the lock that the call was for; {@code null} if it was for a session or for several locks
     * @param isCarriedOut whether the call was carried out; otherwise its condition did not hold
     */
    StoreFailure unreadable(DynamoOperation operation, @Nullable LockKey key, boolean isCarriedOut, Throwable why) {
        if (why instanceof StoreFailure known) {
            return known;
        }
        if (why instanceof UnreadableItemException item) {
            return StoreFailure.unreadable(
                    item.what(), key, isCarriedOut, call(operation) + ": " + item.getMessage(), item);
        }
        return new StoreFailure(StoreFailure.Kind.UNREADABLE, call(operation) + ": " + said(why.toString()), why);
    }

    /** The exception for a batch of which DynamoDB read nothing. */
    StoreFailure leftUnread() {
        return StoreFailure.throttled(
                Throttling.UNKNOWN,
                null,
                call(DynamoOperation.BATCH_GET_ITEM) + " was throttled: some of the items were not read; "
                        + ThrottlingReasons.advice(Throttling.UNKNOWN),
                null);
    }

    /** Why a call failed. */
    public Failure failure(DynamoOperation operation, Throwable thrown) {
        Failure failure = meaning(operation, unwrap(thrown));
        return new Failure(failure.reason(), failure.throttling(), call(operation) + failure.message());
    }

    /** Why a call failed, with a message that continues a sentence which begins with the name of the call. */
    private static Failure meaning(DynamoOperation operation, Throwable cause) {
        // First, because a provider may have met anything: an answer of another service, a closed client, a time-out.
        Throwable ofProvider = causes(cause)
                .filter(CredentialsFailure.class::isInstance)
                .findFirst()
                .orElse(null);
        if (ofProvider != null) {
            return ofCredentials(Objects.requireNonNullElse(ofProvider.getCause(), ofProvider));
        }
        if (cause instanceof SdkServiceException answer) {
            return ofAnswer(operation, answer);
        }
        if (cause instanceof ApiCallTimeoutException
                || cause instanceof ApiCallAttemptTimeoutException
                || cause instanceof TimeoutException) {
            return new Failure(
                    FailureReason.NO_ANSWER,
                    ": no answer in time; check the network and the source of the credentials");
        }
        if (cause instanceof SdkClientException
                || cause instanceof IOException
                || cause instanceof RejectedExecutionException
                || isClosed(cause)) {
            return ofClient(cause);
        }
        return new Failure(
                FailureReason.UNEXPECTED,
                " failed unexpectedly, and may have been carried out all the same: " + said(cause.toString()));
    }

    private static Failure ofAnswer(DynamoOperation operation, SdkServiceException answer) {
        AwsErrorDetails details = answer instanceof AwsServiceException aws ? aws.awsErrorDetails() : null;
        String code = details == null || details.errorCode() == null ? "" : details.errorCode();
        String said =
                details == null || details.errorMessage() == null ? "" : " (" + said(details.errorMessage()) + ")";
        if (answer.isClockSkewException() || isSignedAtWrongTime(code, said)) {
            return new Failure(
                    FailureReason.CLOCK_SKEW,
                    " was rejected because this machine's clock is wrong; set it by NTP" + said);
        }
        if (code.equals(CONFLICT)) {
            return new Failure(
                    FailureReason.CONFLICT,
                    " met a transaction on the same item, and is repeated; if this lasts, make the transactions that"
                            + " check the lock fewer" + said);
        }
        if (code.equals(CONTENTION)) {
            return new Failure(
                    FailureReason.THROTTLED, " met another write of the same item, and is repeated: " + code + said);
        }
        if (answer.isThrottlingException()) {
            List<String> reasons = ThrottlingReasons.of(answer);
            Throttling why = ThrottlingReasons.meaning(reasons, code);
            return new Failure(
                    FailureReason.THROTTLED,
                    why,
                    " was throttled; " + ThrottlingReasons.advice(why) + ": "
                            + String.join(", ", reasons.isEmpty() ? List.of(code) : reasons) + said);
        }
        if (NO_TABLE.contains(code)) {
            return new Failure(
                    FailureReason.NO_TABLE,
                    ": there is no such table; create it, or correct its name, the region or the endpoint" + said);
        }
        if (ACCESS_DENIED.contains(code)) {
            return new Failure(
                    FailureReason.ACCESS_DENIED,
                    " is not allowed; allow the action " + operation.iamAction() + " on the table in IAM" + said);
        }
        if (BAD_CREDENTIALS.contains(code)) {
            return new Failure(
                    FailureReason.NO_CREDENTIALS,
                    ": the AWS credentials are wrong or have expired; renew them: " + code);
        }
        if (answer.statusCode() >= 500) {
            return new Failure(
                    FailureReason.SERVER_ERROR,
                    ": DynamoDB had an error of its own, status " + answer.statusCode() + " " + code + said);
        }
        return new Failure(FailureReason.INVALID, " was rejected, status " + answer.statusCode() + " " + code + said);
    }

    private static Failure ofCredentials(Throwable cause) {
        String said = " (" + said(cause.getMessage() == null ? cause.toString() : cause.getMessage()) + ")";
        if (isCausedBy(cause, DynamoFailures::isMissingSts)) {
            // Said by itself, because it stands too far back in what the SDK says of all the sources that it has tried.
            return new Failure(
                    FailureReason.NO_CREDENTIALS,
                    ": no AWS credentials found; the SDK needs its module software.amazon.awssdk:sts on the class path for"
                            + " the web identity that AWS_WEB_IDENTITY_TOKEN_FILE names" + said);
        }
        return new Failure(
                FailureReason.NO_CREDENTIALS,
                isCausedBy(cause, DynamoFailures::isMissingCredentials)
                        ? ": no AWS credentials found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile or a"
                                + " role, or give the client a credentials provider" + said
                        : ": no AWS credentials, because the client's credentials provider failed; check where it gets"
                                + " them from" + said);
    }

    private static Failure ofClient(Throwable cause) {
        if (isCausedBy(cause, DynamoFailures::isMissingCredentials)) {
            return ofCredentials(cause);
        }
        if (isCausedBy(cause, DynamoFailures::isClosed)) {
            return new Failure(
                    FailureReason.INVALID,
                    ": the DynamoDB client is closed; close it after the lock registry: " + said(cause.getMessage()));
        }
        if (isCausedBy(cause, UnknownHostException.class::isInstance)) {
            return new Failure(
                    FailureReason.UNREACHABLE,
                    ": the endpoint's host name is unknown; check the region, the endpoint, DNS and the network");
        }
        if (isCausedBy(cause, ConnectException.class::isInstance)) {
            return new Failure(
                    FailureReason.UNREACHABLE,
                    ": nothing accepts connections at the endpoint; check the endpoint, the region and the network");
        }
        return new Failure(
                FailureReason.UNREACHABLE,
                cause instanceof AbortedException
                        ? " was aborted"
                        : ": no connection, or a broken one: " + said(cause.getMessage()));
    }

    /** A message of DynamoDB or the SDK, made safe. Explanations may be longer than a text from the table. */
    private static String said(@Nullable String message) {
        return SafeText.clean(String.valueOf(message), MOST_SAID);
    }

    /**
     * Whether the clock was wrong in a case that {@code isClockSkewException} misses, although the SDK corrects its
     * clock.
     */
    private static boolean isSignedAtWrongTime(String code, String said) {
        return code.equals("InvalidSignatureException")
                && (said.contains("Signature expired") || said.contains("Signature not yet current"));
    }

    private static boolean isMissingSts(Throwable cause) {
        return cause.getMessage() != null
                && cause.getMessage().contains("the 'sts' service module must be on the class path");
    }

    /** The SDK has no common type for these failures, and its modules for single sign-on may be missing. */
    private static boolean isMissingCredentials(Throwable cause) {
        String message = cause.getMessage() == null ? "" : cause.getMessage();
        return message.startsWith("Unable to load credentials")
                || message.startsWith("Profile file contained no credentials")
                || cause.getClass().getSimpleName().equals("ExpiredTokenException");
    }

    /**
     * Whether the client is closed, as the SDK's executors or the Apache client tell. There is no type for it: an
     * executor that is only busy rejects tasks as well, and only its message tells that it is shut down.
     */
    private static boolean isClosed(Throwable cause) {
        String message = cause.getMessage() == null ? "" : cause.getMessage();
        return cause instanceof RejectedExecutionException
                ? SHUT_DOWN.stream().anyMatch(message::contains)
                : cause instanceof IllegalStateException && message.equals("Connection pool shut down");
    }

    private static boolean isCausedBy(Throwable failure, Predicate<Throwable> wanted) {
        return causes(failure).anyMatch(wanted);
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
    }

    /** The failure without the wrappers of futures around it. */
    public static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private String call(DynamoOperation operation) {
        return "DynamoDB " + operation + " on table \"" + tableName + "\" at " + endpoint();
    }

    /** Where the client sends its calls, if it tells. */
    public String endpoint() {
        try {
            DynamoDbServiceClientConfiguration configuration = client.serviceClientConfiguration();
            return configuration
                    .endpointOverride()
                    .map(Object::toString)
                    .orElseGet(() -> "the AWS endpoint of region " + configuration.region());
        } catch (RuntimeException aClientThatDoesNotTell) {
            return "an unknown endpoint";
        }
    }
}
