package io.dynamolock.chaos;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;

/** A link for machines without network namespaces: the proxy does it all. */
final class ProxyLink implements Link {

    private static final int SLOW_MILLIS = 300;

    private final FaultyProxy proxy;

    ProxyLink(InetSocketAddress database) {
        this.proxy = new FaultyProxy(InetAddress.getLoopbackAddress(), database);
    }

    @Override
    public List<String> prefix() {
        return List.of();
    }

    @Override
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + proxy.address().getPort());
    }

    @Override
    public void cut(Cut cut) {
        switch (cut) {
            case BOTH_WAYS -> proxy.hold(true, true);
            case REQUESTS -> proxy.hold(true, false);
            case ANSWERS -> proxy.hold(false, true);
            // What lost packets come to for those who wait for them.
            case SOME -> proxy.slow(SLOW_MILLIS);
        }
    }

    @Override
    public void slow(int millis) {
        proxy.slow(millis);
    }

    @Override
    public void reset() {
        proxy.reset();
    }

    @Override
    public void heal() {
        proxy.slow(0);
        proxy.hold(false, false);
    }

    @Override
    public void close() {
        proxy.close();
    }
}
