package io.dynamolock.internal.text;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The name of this process if nobody gave it one. */
public final class ThisProcess {

    private ThisProcess() {}

    /** Host and process id, with the application before them if it is given. */
    public static String name(@Nullable String application) {
        String process = host() + ":" + ProcessHandle.current().pid();
        return application == null ? process : application + "@" + process;
    }

    /**
     * Whether a process with these environment variables runs in AWS Lambda, which freezes a process when its handler
     * has returned.
     */
    public static boolean isInLambda(Map<String, String> environment) {
        return environment.containsKey("AWS_LAMBDA_FUNCTION_NAME");
    }

    private static String host() {
        // Set in containers and most shells, and read without a name server.
        String host = System.getenv("HOSTNAME");
        if (host != null && !host.isBlank()) {
            return host;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
