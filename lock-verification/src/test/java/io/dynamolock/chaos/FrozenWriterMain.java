package io.dynamolock.chaos;

import io.dynamolock.FencedWrites;
import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * A process that takes locks, prepares a write under each, and says so; when it hears a line, it sends what it has
 * prepared, without asking whether it still has the locks. It says what became of each write.
 */
final class FrozenWriterMain {

    private FrozenWriterMain() {}

    /** @param args the endpoint, the table of the locks, the table of the records, how many */
    public static void main(String[] args) throws Exception {
        DynamoDbClient client =
                EmbeddedDynamoDb.blockingClientAt(URI.create(args[0])).build();
        LockRegistry locks = FrozenWriterTest.builder(client, args[1]).build();
        Records records = new Records(client, args[2]);
        int count = Integer.parseInt(args[3]);
        List<LockHandle> handles = hold(locks, count);
        List<TransactWriteItemsRequest> prepared = prepare(handles, records);
        while (prepared.isEmpty()) {
            handles.forEach(LockHandle::close);
            handles = hold(locks, count);
            prepared = prepare(handles, records);
        }
        System.out.println(" holding ");
        System.in.read();

        FencedWrites writes = FencedWrites.with(client);
        for (int i = 0; i < handles.size(); i++) {
            LockHandle handle = handles.get(i);
            System.out.println("raw: " + outcome(client, prepared.get(i)));
            System.out.println("helper: " + outcome(writes, handle, records));
            client.transactWriteItems(transaction(records.put(Records.PLAIN + handle.key(), "frozen")));
        }
        System.out.println(" done ");
        Runtime.getRuntime().halt(0);
    }

    private static List<LockHandle> hold(LockRegistry locks, int count) {
        List<CompletableFuture<LockHandle>> asked = new ArrayList<>();
        for (String key : Records.keys(count)) {
            asked.add(locks.acquireAsync(LockRequest.of(key).waitForever()));
        }
        return asked.stream().map(CompletableFuture::join).toList();
    }

    /** Nothing if a busy machine has lost the lease meanwhile. */
    private static List<TransactWriteItemsRequest> prepare(List<LockHandle> handles, Records records) {
        List<TransactWriteItemsRequest> prepared = new ArrayList<>();
        try {
            for (LockHandle handle : handles) {
                TransactWriteItem check = TransactWriteItem.builder()
                        .conditionCheck(handle.fence())
                        .build();
                prepared.add(TransactWriteItemsRequest.builder()
                        .transactItems(records.put(Records.FENCED + handle.key(), "frozen"), check)
                        .build());
            }
            return prepared;
        } catch (LockLostException lost) {
            return List.of();
        }
    }

    private static TransactWriteItemsRequest transaction(TransactWriteItem item) {
        return TransactWriteItemsRequest.builder().transactItems(item).build();
    }

    private static String outcome(DynamoDbClient client, TransactWriteItemsRequest request) {
        try {
            client.transactWriteItems(request);
            return "landed";
        } catch (TransactionCanceledException refusal) {
            List<String> reasons = refusal.cancellationReasons().stream()
                    .map(CancellationReason::code)
                    .toList();
            return "refused " + reasons;
        }
    }

    private static String outcome(FencedWrites writes, LockHandle handle, Records records) {
        try {
            writes.transact(handle, records.put(Records.FENCED + handle.key(), "frozen"));
            return "landed";
        } catch (LockLostException lost) {
            return "refused";
        }
    }
}
