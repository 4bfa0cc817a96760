package io.dynamolock.sample.rush;

/** Calls to DynamoDB, each as often as it was sent. A write that DynamoDB refuses is one too: it is billed. */
public record Calls(long writes, long reads) {

    Calls since(Calls before) {
        return new Calls(writes - before.writes, reads - before.reads);
    }
}
