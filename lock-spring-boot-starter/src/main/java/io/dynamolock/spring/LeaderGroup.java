package io.dynamolock.spring;

import io.dynamolock.LeaderElection.Leadership;
import io.dynamolock.LeaderListener;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All listeners of one name: they begin in their order, up to one that fails, and end in the opposite one, all of them. */
final class LeaderGroup implements LeaderListener {

    private final List<LeaderListener> members;
    private final List<LeaderListener> lastFirst;

    LeaderGroup(List<LeaderListener> members) {
        this.members = List.copyOf(members);
        List<LeaderListener> reversed = new ArrayList<>(members);
        Collections.reverse(reversed);
        this.lastFirst = List.copyOf(reversed);
    }

    @Override
    public void granted(Leadership leadership) {
        members.forEach(member -> member.granted(leadership));
    }

    @Override
    public void revoked(Leadership leadership) {
        tellAll(member -> member.revoked(leadership));
    }

    @Override
    public void resigned(Leadership leadership) {
        tellAll(member -> member.resigned(leadership));
    }

    /** Throws what the first that failed threw, with the others' failures. */
    private void tellAll(Consumer<LeaderListener> telling) {
        RuntimeException failure = null;
        for (LeaderListener member : lastFirst) {
            failure = tell(member, telling, failure);
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static @Nullable RuntimeException tell(
            LeaderListener member, Consumer<LeaderListener> telling, @Nullable RuntimeException before) {
        try {
            telling.accept(member);
        } catch (RuntimeException e) {
            if (before == null) {
                return e;
            }
            before.addSuppressed(e);
        }
        return before;
    }
}
