package io.dynamolock.internal.builder;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.store.dynamodb.DynamoTableSettings;
import io.dynamolock.internal.text.LockNames;
import io.dynamolock.internal.text.SafeText;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The settings of a builder about its table, and what DynamoDB allows as names of tables and attributes. Not
 * thread-safe.
 */
final class TableOptions {

    private static final Pattern TABLE_NAME = Pattern.compile("[a-zA-Z0-9_.-]{3,255}");
    private static final Pattern TABLE_ARN = Pattern.compile("arn:[^\\s/]+:table/[a-zA-Z0-9_.-]{3,255}");
    private static final int MAX_ATTRIBUTE_BYTES = 255;
    private static final int MAX_PREFIX_BYTES = 1_024;

    String name = "dynamolock";
    String keyPrefix = "";
    String partitionKey = "pk";
    String sortKey = "sk";
    String ttl = "expiresAt";
    String data = "data";
    String format = "dynamolock:format";
    boolean singleRegion;

    int keyPrefixBytes() {
        return LockNames.utf8Length("The key prefix", keyPrefix);
    }

    /** @throws InvalidSettingException if a setting is refused; says what to change */
    DynamoTableSettings checked(EngineSettings settings) {
        SettingsRules.check("tableName", this::checkTableName);
        SettingsRules.check("keyPrefix", this::checkKeyPrefix);
        SettingsRules.check("partitionKeyAttribute", () -> checkAttributeName(partitionKey));
        SettingsRules.check("sortKeyAttribute", () -> checkAttributeName(sortKey));
        SettingsRules.check("ttlAttribute", () -> checkAttributeName(ttl));
        SettingsRules.check("dataAttribute", () -> checkAttributeName(data));
        SettingsRules.check("formatAttribute", () -> checkAttributeName(format));
        checkThatNamesDiffer();
        return new DynamoTableSettings(
                name,
                keyPrefix,
                partitionKey,
                sortKey,
                ttl,
                data,
                format,
                settings.retention(),
                settings.callTimeout());
    }

    private void checkThatNamesDiffer() {
        Set<String> taken = new HashSet<>(DynamoTableSettings.OWN_ATTRIBUTES);
        for (String attribute : List.of(partitionKey, sortKey, ttl, data, format)) {
            if (!taken.add(attribute)) {
                throw new InvalidSettingException(
                        "The attribute name \"" + attribute + "\" is taken: partition key, sort key,"
                                + " TTL, data and format must be five attributes, and the lock's items have "
                                + DynamoTableSettings.OWN_ATTRIBUTES + " already. Choose another one.",
                        "partitionKeyAttribute",
                        "sortKeyAttribute",
                        "ttlAttribute",
                        "dataAttribute",
                        "formatAttribute");
            }
        }
    }

    private void checkTableName() {
        if (!TABLE_NAME.matcher(name).matches() && !TABLE_ARN.matcher(name).matches()) {
            throw new IllegalArgumentException("The table name " + SafeText.quote(name)
                    + " is none that DynamoDB allows: give tableName 3 to 255 of the characters a-z, A-Z, 0-9, '_', '.'"
                    + " and '-', or a table's ARN.");
        }
    }

    private void checkKeyPrefix() {
        int bytes = keyPrefixBytes();
        if (bytes > MAX_PREFIX_BYTES) {
            throw new IllegalArgumentException("The key prefix " + SafeText.quote(keyPrefix) + " has " + bytes
                    + " bytes of UTF-8; use at most " + MAX_PREFIX_BYTES + ", to leave room for keys.");
        }
    }

    private static void checkAttributeName(String attribute) {
        LockNames.requireNotEmpty("An attribute name", attribute);
        if (LockNames.utf8Length("The attribute name", attribute) > MAX_ATTRIBUTE_BYTES) {
            throw new IllegalArgumentException("The attribute name " + SafeText.quote(attribute) + " is longer than "
                    + MAX_ATTRIBUTE_BYTES + " bytes of UTF-8: use a shorter one.");
        }
    }
}
