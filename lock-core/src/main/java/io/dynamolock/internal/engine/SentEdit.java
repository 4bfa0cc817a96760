package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Edit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An edit that is under way, or was.
 *
 * @param appended the own entries that it appends
 * @param reissued the own entry that it reissues, if it does
 */
record SentEdit(
        Edit edit, List<OwnEntry> appended, @Nullable OwnEntry reissued, long nanos) {}
