package io.dynamolock.internal.store.dynamodb;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;

/**
 * Whether nothing listens at an address. The SDK tries again where a connection is refused, and on a slow machine its
 * time is over before it says why.
 */
final class RefusedPort {

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private RefusedPort() {}

    /** Blocks, for a second at most. */
    static boolean is(URI endpoint) {
        int usual = "https".equals(endpoint.getScheme()) ? 443 : 80;
        int port = endpoint.getPort() < 0 ? usual : endpoint.getPort();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(endpoint.getHost(), port), (int) PATIENCE.toMillis());
            return false;
        } catch (ConnectException refused) {
            return true;
        } catch (IOException somethingElse) {
            return false;
        }
    }
}
