package io.dynamolock.spring.leaders;

import io.dynamolock.LeaderElection.Leadership;
import io.dynamolock.LeaderListener;
import io.dynamolock.internal.text.SafeFailure;
import io.dynamolock.internal.text.SafeText;
import io.dynamolock.spring.annotation.LeaderEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The beans and methods of one election. They begin in the order of their definitions, until one fails. All of them
 * end, in the opposite order, even if some fail.
 */
final class LeaderGroup implements LeaderListener {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderGroup.class);

    /** What each bean or method does at an event, in the order of the definitions. */
    private final List<Consumer<LeaderEvent>> members = new ArrayList<>();

    void add(Consumer<LeaderEvent> member) {
        members.add(member);
    }

    @Override
    public void granted(Leadership leadership) {
        members.forEach(member -> member.accept(new LeaderEvent.Granted(leadership)));
    }

    @Override
    public void revoked(Leadership leadership) {
        end(new LeaderEvent.Revoked(leadership));
    }

    @Override
    public void resigned(Leadership leadership) {
        end(new LeaderEvent.Resigned(leadership));
    }

    private void end(LeaderEvent event) {
        for (int i = members.size() - 1; i >= 0; i--) {
            try {
                members.get(i).accept(event);
            } catch (Throwable e) {
                LOG.error(
                        "A bean did not end its work as the leader {}",
                        SafeText.quote(event.leadership().name()),
                        SafeFailure.of(e));
            }
        }
    }
}
