package software.amazon.dax;

import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Stands for the asynchronous client of DAX, which no module depends on: only its package matters. */
public class StandInForDaxAsyncClient implements DynamoDbAsyncClient {

    @Override
    public String serviceName() {
        return "dynamodb";
    }

    @Override
    public void close() {}
}
