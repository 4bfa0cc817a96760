package io.dynamolock.chaos;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whom faults happen to: a worker or, if there is none, the database.
 *
 * @param links those to the worker, or all that lead to the database
 */
record Victim(@Nullable Worker worker, DatabaseProcess database, List<Link> links) {

    /** The process that it is now. */
    String life() {
        return worker == null ? Schedule.DATABASE : worker.life();
    }

    void kill() throws InterruptedException {
        if (worker == null) {
            database.kill();
        } else {
            worker.kill();
        }
    }

    void start() {
        if (worker == null) {
            database.start();
        } else {
            worker.start();
        }
    }

    void freeze() {
        process().signal("STOP");
    }

    void resume() {
        process().signal("CONT");
    }

    private ChildProcess process() {
        return worker == null ? database.process : worker.process;
    }

    void cut(Link.Cut cut) {
        links.forEach(link -> link.cut(cut));
    }

    void slow(int millis) {
        links.forEach(link -> link.slow(millis));
    }

    void reset() {
        links.forEach(Link::reset);
    }

    void heal() {
        links.forEach(Link::heal);
    }
}
