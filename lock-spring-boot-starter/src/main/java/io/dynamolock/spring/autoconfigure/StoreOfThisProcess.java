package io.dynamolock.spring.autoconfigure;

import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says that locks exclude nobody else, unless the application is started for a test. */
final class StoreOfThisProcess {

    private static final Logger LOG = LoggerFactory.getLogger(StoreOfThisProcess.class);

    private static final Pattern TESTS =
            Pattern.compile("(org\\.junit|org\\.testng|org\\.springframework\\.(boot\\.)?test|io\\.cucumber)\\..*");

    private StoreOfThisProcess() {}

    /** @param unless goes on with the sentence */
    static void warn(String store, String unless) {
        boolean isTest = StackWalker.getInstance()
                .walk(frames -> frames.map(StackWalker.StackFrame::getClassName).anyMatch(TESTS.asMatchPredicate()));
        if (!isTest) {
            LOG.warn(
                    "dynamolock.store={}: locks are kept in this process, and no other process is excluded{}",
                    store,
                    unless);
        }
    }
}
