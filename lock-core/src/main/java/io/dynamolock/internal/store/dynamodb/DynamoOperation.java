package io.dynamolock.internal.store.dynamodb;

/** The operations of DynamoDB that DynamoLock uses, with the names that DynamoDB has for them. */
public enum DynamoOperation {
    GET_ITEM("GetItem"),
    BATCH_GET_ITEM("BatchGetItem"),
    QUERY("Query"),
    SCAN("Scan"),
    UPDATE_ITEM("UpdateItem"),
    DELETE_ITEM("DeleteItem"),
    CREATE_TABLE("CreateTable"),
    DESCRIBE_TABLE("DescribeTable"),
    DELETE_TABLE("DeleteTable"),
    DESCRIBE_TIME_TO_LIVE("DescribeTimeToLive"),
    UPDATE_TIME_TO_LIVE("UpdateTimeToLive");

    private final String awsName;

    DynamoOperation(String awsName) {
        this.awsName = awsName;
    }

    /** The action to allow in an IAM policy. */
    String iamAction() {
        return "dynamodb:" + awsName;
    }

    @Override
    public String toString() {
        return awsName;
    }
}
