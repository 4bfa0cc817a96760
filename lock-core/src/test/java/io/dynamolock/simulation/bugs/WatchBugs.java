package io.dynamolock.simulation.bugs;

import java.util.List;

/** Judging others: dead or alive, holding or not. */
final class WatchBugs {

    static final List<Bug> ALL = List.of(
            Bug.named("buried after half a lease")
                    .in("engine/PeerWatch")
                    .insteadOf("return lease().plus(settings.lockDelay());")
                    .write("return lease().dividedBy(2).plus(settings.lockDelay());")
                    .so("a session is buried while its locks are valid")
                    .foundBy(0),
            Bug.named("silence counts from the first want")
                    .in("engine/PeerWatch")
                    .insteadOf("seenSince = lastRead;")
                    .write("seenSince = lastWanted;")
                    .so("a session is buried before it was silent for a lease")
                    .foundBy(0),
            Bug.named("silence counts from the beat by wall clocks")
                    .in("engine/PeerWatch")
                    .insteadOf("seenSince = lastRead;")
                    .write("seenSince = lastRead - Duration.between(state.beatAt(), time.now()).toNanos();")
                    .so("a watcher whose clock is ahead buries the living")
                    .foundBy(1),
            Bug.named("a new beat does not end the silence")
                    .in("engine/PeerWatch")
                    .insteadOf("if (isNewBeat) {")
                    .write("if (seen == null) {")
                    .so("every session is buried that is watched for a lease")
                    .foundBy(0),
            Bug.named("a session that is gone counts as alive")
                    .in("engine/PeerWatch")
                    .insteadOf("if (answer.isEmpty()) { dead(); return; }")
                    .write("if (answer.isEmpty()) { goOn(); return; }")
                    .so("the locks of a stopped process are never free")
                    .foundBy(774),
            Bug.named("buried by wall clock without allowing for skew")
                    .in("engine/PeerWatch")
                    .insteadOf("state.beatAt().plus(patience()).plus(skew)")
                    .write("state.beatAt().plus(patience())")
                    .so("a watcher whose clock is a little ahead buries the living")
                    .foundBy(4),
            Bug.named("buried by wall clock without the lease")
                    .in("engine/PeerWatch")
                    .insteadOf("state.beatAt().plus(patience()).plus(skew)")
                    .write("state.beatAt().plus(skew)")
                    .so("a session is buried while its locks are valid")
                    .foundBy(31),
            Bug.named("the watcher trusts its own clock")
                    .in("engine/PeerWatch")
                    .insteadOf("return there.isBefore(here) ? there : here;")
                    .write("return here;")
                    .so("a watcher whose clock jumps ahead buries all the living")
                    .foundBy(1822),
            Bug.named("nobody is told of a death")
                    .in("engine/PeerWatch")
                    .insteadOf("died.accept(id);")
                    .write("")
                    .so("the locks of a dead process are taken over only at the next poll")
                    .foundBy(774),
            Bug.named("no dispute")
                    .in("engine/HeldLongWatch")
                    .insteadOf("dispute(new Dispute(key, holder.block()), holder.session());")
                    .write("")
                    .so("a write that landed late keeps the lock from everyone")
                    .foundBy(17),
            Bug.named("a dispute takes the lock from a live holder")
                    .in("engine/LockEngine")
                    .insteadOf("if (queue == null || !queue.knows(dispute.block())) {")
                    .write("if (true) {")
                    .so("whoever holds a lock for more than a lease loses it")
                    .foundBy(0));

    private WatchBugs() {}
}
