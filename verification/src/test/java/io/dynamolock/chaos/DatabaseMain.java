package io.dynamolock.chaos;

import software.amazon.dynamodb.services.local.main.ServerRunner;

/** DynamoDB Local in a process of its own, with its data in files. Ends when the process that started it ends. */
final class DatabaseMain {

    private DatabaseMain() {}

    /** @param args the port and the folder of the data */
    public static void main(String[] args) throws Exception {
        ServerRunner.createServerFromCommandLineArgs(
                        new String[] {"-sharedDb", "-disableTelemetry", "-port", args[0], "-dbPath", args[1]})
                .start();
        while (System.in.read() >= 0) {
            // The parent writes nothing: the input ends when the parent does.
        }
        Runtime.getRuntime().halt(0);
    }
}
