package io.dynamolock.sample.rush;

/**
 * How many calls were sent to DynamoDB; repetitions count. So does a write that DynamoDB refuses, because it is billed.
 */
public record Calls(long writes, long reads) {

    Calls since(Calls before) {
        return new Calls(writes - before.writes, reads - before.reads);
    }
}
