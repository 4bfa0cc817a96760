package io.dynamolock.internal.protocol;

import io.dynamolock.data.LockData;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Edits of which each does one thing, at a moment of 2026. */
public final class Edits {

    public static final long BASE = 1_772_600_767_123_456L;

    private Edits() {}

    public static Edit append(int bound, Entry... entries) {
        return edit(Map.of(), null, bound, 0, false, null, 0, entries);
    }

    public static Edit remove(Map<Integer, Entry> entries) {
        return edit(entries, null, 0, 0, true, null, 0);
    }

    public static Edit reissue(int index, Entry from, Entry to, @Nullable LockData data) {
        return edit(Map.of(), new Edit.Reissue(index, from, to), 0, 0, true, data, 0);
    }

    public static Edit permits(int newPermits) {
        return edit(Map.of(), null, 0, 0, false, null, newPermits);
    }

    /** The edit, which also sets when the store may remove the item. */
    public static Edit expiring(Instant expiresAt, Edit edit) {
        return new Edit(
                edit.removed(),
                edit.reissue(),
                edit.appended(),
                edit.bound(),
                edit.permits(),
                edit.mustExist(),
                edit.data(),
                edit.newPermits(),
                edit.base(),
                expiresAt);
    }

    public static Edit edit(
            Map<Integer, Entry> removed,
            Edit.@Nullable Reissue reissue,
            int bound,
            int permits,
            boolean mustExist,
            @Nullable LockData data,
            int newPermits,
            Entry... appended) {
        return new Edit(
                new TreeMap<>(removed), reissue, List.of(appended), bound, permits, mustExist, data, newPermits, BASE);
    }
}
