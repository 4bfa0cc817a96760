package io.dynamolock;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What DynamoDB allows as names of tables and attributes, and what leaves room for keys. Which attributes the lock's
 * own items use, the store knows.
 */
final class TableRules {

    private static final Pattern TABLE_NAME = Pattern.compile("[a-zA-Z0-9_.-]{3,255}");
    private static final Pattern TABLE_ARN = Pattern.compile("arn:[^\\s/]+:table/[a-zA-Z0-9_.-]{3,255}");
    private static final int MAX_ATTRIBUTE_BYTES = 255;
    private static final int MAX_PREFIX_BYTES = 1_024;

    private TableRules() {}

    static void check(String tableName, String keyPrefix, String partitionKey, String sortKey, String ttl) {
        if (!TABLE_NAME.matcher(tableName).matches()
                && !TABLE_ARN.matcher(tableName).matches()) {
            throw new IllegalArgumentException("The table name " + LockNames.quote(tableName)
                    + " is none that DynamoDB allows: give tableName 3 to 255 of the characters a-z, A-Z, 0-9, '_', '.'"
                    + " and '-', or a table's ARN.");
        }
        int prefixBytes = LockNames.utf8Length("The key prefix", keyPrefix);
        if (prefixBytes > MAX_PREFIX_BYTES) {
            throw new IllegalArgumentException("The key prefix " + LockNames.quote(keyPrefix) + " has " + prefixBytes
                    + " bytes of UTF-8; use at most " + MAX_PREFIX_BYTES + ", to leave room for keys.");
        }
        for (String name : List.of(partitionKey, sortKey, ttl)) {
            LockNames.requireNotEmpty("An attribute name", name);
            if (LockNames.utf8Length("The attribute name", name) > MAX_ATTRIBUTE_BYTES) {
                throw new IllegalArgumentException("The attribute name " + LockNames.quote(name) + " is longer than "
                        + MAX_ATTRIBUTE_BYTES + " bytes of UTF-8: use a shorter one.");
            }
        }
    }
}
