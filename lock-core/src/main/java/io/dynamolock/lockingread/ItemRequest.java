package io.dynamolock.lockingread;

import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** A request that a driver sends as it is. */
sealed interface ItemRequest {

    record Update(UpdateItemRequest request) implements ItemRequest {}

    record Delete(DeleteItemRequest request) implements ItemRequest {}
}
