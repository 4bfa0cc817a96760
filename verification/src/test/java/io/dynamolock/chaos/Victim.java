package io.dynamolock.chaos;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The target of faults: a worker or, if there is none, the database.
 *
 * @param links the links of the worker, or all links if the target is the database
 */
record Victim(@Nullable Worker worker, DatabaseProcess database, List<Link> links) {

    /** The present process. */
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

    void fail(PartialFailures.Kind kind) {
        tell(kind.name());
    }

    void failNoMore() {
        tell(WorkerMain.ALL_CALLS_WORK);
    }

    private void tell(String line) {
        if (worker != null) {
            worker.process.tellIfAlive(line);
        }
    }

    void reset() {
        links.forEach(Link::reset);
    }

    void heal() {
        links.forEach(Link::heal);
    }
}
