package io.dynamolock.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Passes TCP connections on to the database, and can hold back, slow down and reset what passes. A database that is not
 * there shows as a reset. Thread-safe.
 */
final class FaultyProxy implements AutoCloseable {

    private static final int CONNECT_MILLIS = 2_000;

    private final ServerSocket server;
    private final InetSocketAddress database;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean requestsShut = new AtomicBoolean();
    private final AtomicBoolean answersShut = new AtomicBoolean();
    private volatile int delayMillis;

    FaultyProxy(InetSocketAddress database) {
        this.database = database;
        try {
            this.server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start("proxy-" + server.getLocalPort(), this::accept);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    void hold(boolean holdRequests, boolean holdAnswers) {
        requestsShut.set(holdRequests);
        answersShut.set(holdAnswers);
    }

    void slow(int millis) {
        delayMillis = millis;
    }

    void reset() {
        sockets.forEach(FaultyProxy::reset);
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        hold(false, false);
        reset();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                sockets.add(client);
                start("proxy-connect", () -> connect(client));
            } catch (IOException e) {
                // Closed, or a connection that was gone before it was accepted.
            }
        }
    }

    private void connect(Socket client) {
        try {
            client.setTcpNoDelay(true);
            pass(requestsShut);
            Socket target = new Socket();
            sockets.add(target);
            target.setTcpNoDelay(true);
            target.connect(database, CONNECT_MILLIS);
            start("proxy-answers", () -> pump(target, client, answersShut));
            pump(client, target, requestsShut);
        } catch (IOException e) {
            reset(client);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One thread for each direction: a delay holds up what comes behind it, as a slow line does. */
    private void pump(Socket from, Socket to, AtomicBoolean isShut) {
        byte[] buffer = new byte[65_536];
        try {
            InputStream input = from.getInputStream();
            OutputStream output = to.getOutputStream();
            for (int length = input.read(buffer); length >= 0; length = input.read(buffer)) {
                int delay = delayMillis;
                if (delay > 0) {
                    Thread.sleep(delay);
                }
                pass(isShut);
                output.write(buffer, 0, length);
            }
            from.close();
            to.close();
        } catch (IOException e) {
            reset(from);
            reset(to);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.remove(from);
        }
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // It is closed already.
        }
    }

    private static void start(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void pass(AtomicBoolean isShut) throws InterruptedException {
        while (isShut.get()) {
            Thread.sleep(5);
        }
    }
}
