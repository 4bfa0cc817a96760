package io.dynamolock.spring.autoconfigure.container;

/** The images that are known, by the names under which they are published, and the ports of DynamoDB in them. */
final class Image {

    /** Of Docker Hub and of Amazon's own registry. */
    private static final String[] DYNAMO_DB_LOCAL = {"amazon/dynamodb-local", "aws-dynamodb-local/aws-dynamodb-local"};

    private static final String[] LOCAL_STACK = {"localstack/localstack", "localstack/localstack-pro"};

    static final int DYNAMO_DB_LOCAL_PORT = 8000;
    static final int LOCAL_STACK_PORT = 4566;

    private Image() {}

    static String[] dynamoDbLocal() {
        return DYNAMO_DB_LOCAL.clone();
    }

    static String[] localStack() {
        return LOCAL_STACK.clone();
    }
}
