package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockTableException;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Texts for people whose table is missing or wrong: the problem, and what to do about it. */
final class TableAdvice {

    private static final String WITHOUT_CHECK =
            "dynamolock.table.check=never, or log what it finds with dynamolock.table.check=warn.";

    private TableAdvice() {}

    static String inWords(LockTableException problem) {
        return "DynamoLock cannot use the DynamoDB table '" + problem.tableName() + "'. "
                + StringUtils.trimTrailingCharacter(String.valueOf(problem.getMessage()), '.') + ".";
    }

    static String on(LockTableException problem, Environment environment) {
        return switch (problem.problem()) {
            case MISSING -> missing(problem.tableName(), environment);
            case WRONG_KEY_SCHEMA ->
                "Set dynamolock.table.partition-key-attribute and dynamolock.table.sort-key-attribute to the table's"
                        + " keys (both must be strings), or dynamolock.table.name to another table.";
            case TTL_OFF -> "Turn it on, or set dynamolock.table.ttl-attribute to the attribute for which it is on.";
            case SEVERAL_REGIONS ->
                "If all instances use this region's replica, say so with dynamolock.table.single-region=true. If not,"
                        + " let them: by dynamolock.aws.region. To lock in several regions, the table must be a global"
                        + " table with multi-Region strong consistency, which is chosen when its replicas are made.";
            case ACCESS_DENIED ->
                webIdentity(environment)
                        + "Allow this application dynamodb:DescribeTable and dynamodb:DescribeTimeToLive on the"
                        + " table (and dynamodb:CreateTable and dynamodb:UpdateTimeToLive if it is to create it), or"
                        + " switch off the check with " + WITHOUT_CHECK;
            case NO_CREDENTIALS ->
                webIdentity(environment)
                        + "Give the application credentials in one of the ways of the AWS SDK, or define an AwsCredentialsProvider"
                        + " bean. For development, dynamolock.store=embedded needs none, nor does"
                        + " dynamolock.aws.endpoint with a local address: " + LocalEndpoints.RULE + ".";
            case UNREACHABLE ->
                "Check dynamolock.aws.region, dynamolock.aws.endpoint and the network. For"
                        + " development without AWS, set dynamolock.store=embedded.";
            case UNAVAILABLE -> "If this lasts, look at the limits of the table and of the account.";
            case OTHER -> "Look at the cause in the log. The check can be switched off with " + WITHOUT_CHECK;
        };
    }

    private static String webIdentity(Environment environment) {
        return WebIdentity.problem(environment, TableAdvice.class.getClassLoader())
                .map(problem -> problem + " ")
                .orElse("");
    }

    private static String missing(String table, Environment environment) {
        return """
                Create it:

                    aws dynamodb create-table --table-name %1$s --billing-mode PAY_PER_REQUEST \\
                        --attribute-definitions AttributeName=%2$s,AttributeType=S AttributeName=%3$s,AttributeType=S \\
                        --key-schema AttributeName=%2$s,KeyType=HASH AttributeName=%3$s,KeyType=RANGE
                    aws dynamodb wait table-exists --table-name %1$s
                    aws dynamodb update-time-to-live --table-name %1$s \\
                        --time-to-live-specification Enabled=true,AttributeName=%4$s

                or let the application do it with dynamolock.table.create=if-missing. If there is such a table, check \
                dynamolock.table.name and dynamolock.aws.region. For development without AWS, set \
                dynamolock.store=embedded.""".formatted(
                        table,
                        environment.getProperty("dynamolock.table.partition-key-attribute", "pk"),
                        environment.getProperty("dynamolock.table.sort-key-attribute", "sk"),
                        environment.getProperty("dynamolock.table.ttl-attribute", "expiresAt"));
    }
}
