package io.dynamolock.internal.engine;

import java.io.Serializable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who held a lock when it was last seen.
 *
 * @param owner the name of its process, if this process has read it
 * @param since since when this process has seen it hold the lock, if it has seen it more than once
 */
public record Holder(@Nullable String owner, @Nullable Instant since) implements Serializable {}
