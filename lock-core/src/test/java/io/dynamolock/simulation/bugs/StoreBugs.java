package io.dynamolock.simulation.bugs;

import java.util.List;

/** Conditions that a write of the store no longer has. */
final class StoreBugs {

    static final List<Bug> ALL = List.of(
            Bug.named("claim without comparing serving")
                    .in("store/memory/InMemoryLockStore")
                    .insteadOf("&& lock.serving() < last && (lock.holder() == null")
                    .write("&& (lock.holder() == null")
                    .so("a block that was passed claims all the same, and numbers go back")
                    .foundBy(1),
            Bug.named("extend while others have tickets")
                    .in("store/memory/InMemoryLockStore")
                    .insteadOf("if (!lock.isHeldBy(block) || lock.tail() != lock.serving()) {")
                    .write("if (!lock.isHeldBy(block)) {")
                    .so("a busy process never lets others have the lock")
                    .foundBy(26),
            Bug.named("claim whoever holds the lock")
                    .in("store/memory/InMemoryLockStore")
                    .insteadOf(
                            "&& lock.serving() < last && (lock.holder() == null || lock.holder().block().equals(dead));")
                    .write("&& lock.serving() < last;")
                    .so("a claim takes the lock from a live holder")
                    .foundBy(105),
            Bug.named("try without tail = serving")
                    .in("store/memory/InMemoryLockStore")
                    .insteadOf("lock.holder() == null && lock.tail() == lock.serving()")
                    .write("lock.holder() == null")
                    .so("a newcomer passes everyone in the queue")
                    .foundBy(0),
            Bug.named("try without looking for a holder")
                    .in("store/memory/InMemoryLockStore")
                    .insteadOf("lock.holder() == null && lock.tail() == lock.serving()")
                    .write("lock.tail() == lock.serving()")
                    .so("two holders as soon as nobody waits")
                    .foundBy(0),
            Bug.named("release what another block holds")
                    .in("store/memory/InMemoryLockStore")
                    .insteadOf("if (!lock.isHeldBy(block)) {")
                    .write("if (lock.holder() == null) {")
                    .so("a late or repeated release frees the lock of the next holder")
                    .foundBy(1),
            Bug.named("rename what another block holds")
                    .in("store/memory/InMemoryLockStore")
                    .insteadOf("if (holder == null || !lock.isHeldBy(from)) {")
                    .write("if (holder == null) {")
                    .so("a late rename takes the lock from the next holder")
                    .foundBy(974),
            Bug.named("beat a dead session alive")
                    .in("store/memory/InMemoryLockStore")
                    .insteadOf("if (session == null) { return answer(new BeatResult.Gone());")
                    .write(
                            "if (session == null) { createSession(id, Duration.ofSeconds(20), \"revived\", now); return answer(new BeatResult.Alive(Set.of()));")
                    .so("a process that was buried goes on believing in its locks")
                    .foundBy(5),
            Bug.named("numbers of a new lock start at one")
                    .in("store/memory/InMemoryLockStore")
                    .insteadOf("return ChronoUnit.MICROS.between(Instant.EPOCH, now);")
                    .write("return 0;")
                    .so(
                            "after the table's TTL has removed an unused lock, its numbers start again below those given before")
                    .foundBy(565));

    private StoreBugs() {}
}
