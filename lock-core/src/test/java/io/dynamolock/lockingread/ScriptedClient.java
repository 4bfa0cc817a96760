package io.dynamolock.lockingread;

import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** A client whose updates go as a test wants. */
final class ScriptedClient implements DynamoDbClient {

    private final DynamoDbClient real;
    private final Script script;

    /** Gets the real update to make, or not to make, or to make something else of its answer. */
    interface Script {

        UpdateItemResponse run(Supplier<UpdateItemResponse> real);
    }

    ScriptedClient(DynamoDbClient real, Script script) {
        this.real = real;
        this.script = script;
    }

    @Override
    public UpdateItemResponse updateItem(UpdateItemRequest request) {
        return script.run(() -> real.updateItem(request));
    }

    @Override
    public String serviceName() {
        return real.serviceName();
    }

    @Override
    public void close() {}
}
