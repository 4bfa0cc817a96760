package software.amazon.dax;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Stands for the blocking client of DAX, which no module depends on: only its package matters. */
public class StandInForDaxClient implements DynamoDbClient {

    @Override
    public String serviceName() {
        return "dynamodb";
    }

    @Override
    public void close() {}
}
