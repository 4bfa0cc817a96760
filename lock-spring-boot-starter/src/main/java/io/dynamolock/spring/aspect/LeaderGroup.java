package io.dynamolock.spring.aspect;

import io.dynamolock.LeaderElection.Leadership;
import io.dynamolock.LeaderListener;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

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
            try {
                telling.accept(member);
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
