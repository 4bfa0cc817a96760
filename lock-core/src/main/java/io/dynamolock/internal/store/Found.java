package io.dynamolock.internal.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The store's answer to a read.
 *
 * @param <T> the type of what was read
 * @param content what was read
 * @param storeTime what the store's wall clock said when it answered; {@code null} if the answer does not tell
 */
public record Found<T>(T content, @Nullable Instant storeTime) {}
