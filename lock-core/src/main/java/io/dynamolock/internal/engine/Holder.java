package io.dynamolock.internal.engine;

import java.io.Serializable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who held a lock when it was last seen.
 *
 * @param owner the name of the holder's process; {@code null} if this process does not know it
 * @param since since when this process has seen the same entry first, by the store's clock; {@code null} if that is not
 *     known
 */
public record Holder(@Nullable String owner, @Nullable Instant since) implements Serializable {}
