package io.dynamolock.internal;

import io.dynamolock.FencedWrites;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistryBuilder;
import io.dynamolock.LockRequest;
import io.dynamolock.LockedAction;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.fences.FencedCalls;
import io.dynamolock.internal.handles.DescribedHandle;
import io.dynamolock.internal.handles.LockedSection;
import io.dynamolock.internal.handles.RequestDefaults;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.text.LockNames;
import io.dynamolock.internal.text.PersonalText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The only internal class that the public package knows. It makes what stands behind the public interfaces, and gives
 * public classes the rules for names and the sections under a lock.
 */
public final class Internals {

    private Internals() {}

    public static LockRegistryBuilder registryBuilder(DynamoDbClient client) {
        return RegistryBuilder.of(client);
    }

    public static LockRegistryBuilder registryBuilder(DynamoDbAsyncClient client) {
        return RegistryBuilder.of(client);
    }

    public static FencedWrites fencedWrites(DynamoDbClient client) {
        return FencedCalls.with(client);
    }

    public static FencedWrites fencedWrites(DynamoDbAsyncClient client) {
        return FencedCalls.with(client);
    }

    /** Runs the action under this handle, releases the handle, and tells of a loss. */
    public static <T extends @Nullable Object, E extends Exception> T runUnder(
            LockHandle handle, LockedAction<T, E> action) throws E {
        return LockedSection.run(handle, action);
    }

    /** As {@link #runUnder(LockHandle, LockedAction)}, for an action without result. */
    public static void runUnder(LockHandle handle, Runnable action) {
        LockedSection.run(handle, action);
    }

    /** @throws IllegalArgumentException if this cannot be the key of a lock, whatever the registry's key prefix */
    public static String requireKey(String key) {
        return LockNames.requireKey(key, 0);
    }

    /** @throws IllegalArgumentException if this cannot be a namespace */
    public static String requireNamespace(String namespace) {
        return LockNames.requireNamespace(namespace);
    }

    /**
     * @param what the text's meaning, as the beginning of a sentence
     * @throws IllegalArgumentException if the text is empty
     */
    public static String requireNotEmpty(String what, String text) {
        return LockNames.requireNotEmpty(what, text);
    }

    /** Maximum value of {@link io.dynamolock.LockRequest#stay(Duration)}. */
    public static Duration longestStay() {
        return RequestDefaults.LONGEST_STAY;
    }

    /** See {@link io.dynamolock.LockMessages#showKeys}. */
    public static void showKeys(boolean show) {
        PersonalText.show(show);
    }

    /** See {@link io.dynamolock.LockMessages#hash}. */
    public static String hash(String key, String namespace) {
        return LockNames.hash(key, namespace);
    }

    /** A key for {@code toString()}: as it is, or its hash if keys are hidden. */
    public static String text(String key, String namespace) {
        return LockNames.text(key, namespace);
    }

    /** A key for messages: in quotes, or its hash if keys are hidden. */
    public static String shown(String key, String namespace) {
        return LockNames.key(key, namespace);
    }

    /** A text that may be personal data, for {@code toString()}: as it is, or its hash if keys are hidden. */
    public static String personal(String text) {
        return PersonalText.shown(text);
    }

    /**
     * A lock, or several if namespace or key are empty, for the middle of a sentence.
     *
     * @param name the name used for metrics, which stands beside a hidden key; null if it is not known
     */
    public static String describe(String key, String namespace, @Nullable String name) {
        return name == null
                ? LockNames.describe(key, namespace)
                : LockNames.describe(new LockKey(key, namespace), name);
    }

    /** The lock that the request is for, for the middle of a sentence. */
    public static String describe(LockRequest request) {
        return describe(request.key(), request.namespace(), request.name());
    }

    /** The lock of the handle, for the middle of a sentence. */
    public static String describe(LockHandle handle) {
        return handle instanceof DescribedHandle described
                ? described.describe()
                : describe(handle.key(), handle.namespace(), null);
    }
}
