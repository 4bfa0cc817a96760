package io.dynamolock.internal.process;

import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.LockPage;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A page of locks as the table has them.
 *
 * @param locks in the order of the table
 * @param last where the page ended; {@code null} if it is the last page
 */
public record InspectionPage(Map<LockKey, Inspection> locks, LockPage.@Nullable Mark last) {

    public InspectionPage {
        locks = Collections.unmodifiableMap(new LinkedHashMap<>(locks));
    }
}
