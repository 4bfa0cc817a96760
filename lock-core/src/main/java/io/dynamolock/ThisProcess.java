package io.dynamolock;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** What to call this process when nobody gave it a name. */
final class ThisProcess {

    private ThisProcess() {}

    /** Host and process id. */
    static String name() {
        return host() + ":" + ProcessHandle.current().pid();
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
