package io.dynamolock.spring.autoconfigure.container;

import java.net.URI;

/** Where a port of a container is reached from here. */
final class Endpoint {

    private Endpoint() {}

    static URI of(String host, int port) {
        return URI.create("http://" + host + ":" + port);
    }
}
