package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.time.Moment;
import java.util.List;

/** An edit of a lock's item, and the own entries that it appends. */
final class SentEdit extends SentCall {

    private final Edit edit;
    private final List<OwnEntry> appended;

    SentEdit(Edit edit, List<OwnEntry> appended, Moment sentAt) {
        super(sentAt);
        this.edit = edit;
        this.appended = List.copyOf(appended);
    }

    Edit edit() {
        return edit;
    }

    List<OwnEntry> appended() {
        return appended;
    }
}
