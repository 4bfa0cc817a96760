package io.dynamolock.internal.text;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** What to call this process when nobody gave it a name. */
public final class ThisProcess {

    private ThisProcess() {}

    /** Application if given, host and process id. */
    public static String name(@Nullable String application) {
        String process = host() + ":" + ProcessHandle.current().pid();
        return application == null ? process : application + "@" + process;
    }

    private static String host() {
        // Set in containers and most shells, and asks no name server.
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
