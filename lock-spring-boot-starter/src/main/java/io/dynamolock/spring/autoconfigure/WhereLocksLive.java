package io.dynamolock.spring.autoconfigure;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The line that an application logs when it starts: a fleet of which a half uses another table shares no lock. */
final class WhereLocksLive {

    private static final Pattern ARN = Pattern.compile("arn:[^:]+:dynamodb:([^:]+):([^:]+):table/.+");

    private WhereLocksLive() {}

    static String of(String table, LockClient client) {
        // Only the table's ARN tells the account without a call.
        Matcher arn = ARN.matcher(table);
        String account = arn.matches() ? ", account " + arn.group(2) : "";
        return "table '" + table + "' at " + client.place() + account + ", by " + client.why();
    }
}
