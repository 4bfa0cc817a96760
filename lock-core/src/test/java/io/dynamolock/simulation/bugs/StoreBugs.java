package io.dynamolock.simulation.bugs;

import java.util.List;

/** Conditions that a write of the store no longer has. */
final class StoreBugs {

    static final List<Bug> ALL = List.of(
            Bug.named("try without looking for a holder")
                    .in("store/memory/InMemoryLockStore")
                    .insteadOf("lock.holder() == null && lock.tail() == lock.serving()")
                    .write("lock.tail() == lock.serving()")
                    .so("two holders as soon as nobody waits"),
            Bug.named("release what another block holds")
                    .in("store/memory/InMemoryLockStore")
                    .insteadOf("if (!lock.isHeldBy(block)) {")
                    .write("if (lock.holder() == null) {")
                    .so("a late or repeated release frees the lock of the next holder"));

    private StoreBugs() {}
}
