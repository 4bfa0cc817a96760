package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Edit;
import java.util.List;

/**
 * An edit that is under way, or was.
 *
 * @param appended the own entries that it appends
 */
record SentEdit(Edit edit, List<OwnEntry> appended, long nanos) {}
