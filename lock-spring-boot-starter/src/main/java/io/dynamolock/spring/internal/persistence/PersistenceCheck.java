package io.dynamolock.spring.internal.persistence;

import io.dynamolock.spring.annotation.PersistenceContextCheck;
import io.dynamolock.spring.annotation.PersistenceContextException;
import io.dynamolock.spring.internal.Libraries;
import io.dynamolock.spring.internal.declarations.LockedMethod;
import io.dynamolock.spring.internal.declarations.WantedLock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInvocation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of calls that take a lock on a thread that may have read before, or refuses them. The persistence context is
 * only looked at: clearing it, or giving the method another, would detach entities that were handed in, and lose their
 * changes in silence. Thread-safe.
 */
public final class PersistenceCheck {

    private static final Logger LOG = LoggerFactory.getLogger(PersistenceCheck.class);

    private static final String PAGE = " See 'Read after the lock, not before' in docs/annotation.md.";

    /** The methods of which the log has told, by their descriptions: at most as many as there are locked methods. */
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    /** What to do. As a rule, set once, before the first call. */
    private volatile PersistenceContextCheck reaction = PersistenceContextCheck.WARN;

    /** Hears the name of each lock of such a call. As a rule, set once, before the first call. */
    private volatile EarlierReadsListener listener = name -> {};

    /** What to do from now on; {@link PersistenceContextCheck#WARN} if this is never called. */
    public void setReaction(PersistenceContextCheck reaction) {
        this.reaction = reaction;
    }

    /** Replaces the listener that hears of the locks of each such call. */
    public void setListener(EarlierReadsListener listener) {
        this.listener = listener;
    }

    /**
     * Refuses the call, if such calls are refused: it then neither waits nor holds up others. To be called on the
     * thread that will wait and run the method.
     *
     * @param missing the locks that will be waited for, without those that the caller holds already
     * @throws PersistenceContextException if the thread may have read before, and such calls are refused
     */
    public void beforeWait(LockedMethod method, MethodInvocation call, List<WantedLock> missing) {
        EarlierReads earlier =
                reaction == PersistenceContextCheck.FAIL ? earlierReads(call, missing) : EarlierReads.NONE;
        if (!earlier.areNone()) {
            count(missing);
            throw new PersistenceContextException(method.description() + " " + earlier.problem()
                    + " So it was not entered, and no lock was taken. " + earlier.remedy() + PAGE);
        }
    }

    /**
     * Logs the call, if such calls are to be logged. To be called on the thread that has waited and will run the
     * method.
     *
     * @param granted the locks that were waited for
     */
    public void afterGrant(LockedMethod method, MethodInvocation call, List<WantedLock> granted) {
        EarlierReads earlier =
                reaction == PersistenceContextCheck.WARN ? earlierReads(call, granted) : EarlierReads.NONE;
        if (earlier.areNone()) {
            return;
        }
        count(granted);
        if (logged.add(method.description())) {
            LOG.warn(
                    "{} {} {}{} Logged once for each method; dynamolock.persistence-context=fail, or"
                            + " @EnableDynamoLocks(persistenceContext = FAIL), refuses such calls.",
                    method.description(),
                    earlier.problem(),
                    earlier.remedy(),
                    PAGE);
        }
    }

    private void count(List<WantedLock> locks) {
        locks.stream().map(lock -> lock.request().name()).distinct().forEach(listener::mayHaveRead);
    }

    private static EarlierReads earlierReads(MethodInvocation call, List<WantedLock> locks) {
        if (!Libraries.TRANSACTIONS || locks.isEmpty()) {
            return EarlierReads.NONE;
        }
        String isolation = CallersTransaction.isolationOfSnapshot();
        int entities = entities(false);
        if (isolation == null && entities == 0) {
            return EarlierReads.NONE;
        }
        return CallersTransaction.isSuspendedBy(call)
                ? new EarlierReads(entities(true), false, null)
                : new EarlierReads(entities, CallersTransaction.isActive(), isolation);
    }

    private static int entities(boolean butOfTransaction) {
        return Libraries.HIBERNATE ? HibernateContexts.entities(butOfTransaction) : 0;
    }
}
