package io.dynamolock.chaos;

import software.amazon.dynamodb.services.local.main.ServerRunner;

/** DynamoDB Local as a process of its own, with its data in files. It ends with the process that started it. */
final class DatabaseMain {

    private DatabaseMain() {}

    /** @param args the port and the folder of the data */
    public static void main(String[] args) throws Exception {
        ServerRunner.createServerFromCommandLineArgs(
                        new String[] {"-sharedDb", "-disableTelemetry", "-port", args[0], "-dbPath", args[1]})
                .start();
        while (System.in.read() >= 0) {
            // Nobody says anything; the end of the input is the end of the parent.
        }
        Runtime.getRuntime().halt(0);
    }
}
