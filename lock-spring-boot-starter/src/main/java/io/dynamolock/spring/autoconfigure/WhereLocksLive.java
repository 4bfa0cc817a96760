package io.dynamolock.spring.autoconfigure;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The line that an application logs when it starts: a fleet of which a half uses another table shares no lock. */
final class WhereLocksLive {

    private static final Pattern ARN = Pattern.compile("arn:[^:]+:dynamodb:([^:]+):([^:]+):table/.+");

    private static final Pattern TESTS =
            Pattern.compile("(org\\.junit|org\\.testng|org\\.springframework\\.(boot\\.)?test|io\\.cucumber)\\..*");

    private WhereLocksLive() {}

    /** Whether this thread, which starts the application, does so for a test. */
    static boolean isTest() {
        return StackWalker.getInstance()
                .walk(frames -> frames.map(StackWalker.StackFrame::getClassName).anyMatch(TESTS.asMatchPredicate()));
    }

    static String of(String table, LockClient client) {
        // Only the table's ARN tells the account without a call.
        Matcher arn = ARN.matcher(table);
        String account = arn.matches() ? ", account " + arn.group(2) : "";
        return "table '" + table + "' at " + client.place() + account + ", by " + client.why();
    }
}
