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

/**
 * Passes TCP connections on to the database, and can hold back, slow down and reset what passes. A database that is not
 * there shows as a reset. Thread-safe.
 */
final class FaultyProxy implements AutoCloseable {

    private static final int CONNECT_MILLIS = 2_000;

    private final ServerSocket server;
    private final InetSocketAddress database;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Gate requests = new Gate();
    private final Gate answers = new Gate();
    private volatile int delayMillis;

    FaultyProxy(InetAddress listenAt, InetSocketAddress database) {
        this.database = database;
        try {
            this.server = new ServerSocket(0, 100, listenAt);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start("proxy-" + server.getLocalPort(), this::accept);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    void hold(boolean holdRequests, boolean holdAnswers) {
        requests.set(holdRequests);
        answers.set(holdAnswers);
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
            requests.pass();
            Socket target = new Socket();
            sockets.add(target);
            target.setTcpNoDelay(true);
            target.connect(database, CONNECT_MILLIS);
            start("proxy-answers", () -> pump(target, client, answers));
            pump(client, target, requests);
        } catch (IOException e) {
            reset(client);
        }
    }

    /** One thread for each direction: a delay holds up what comes behind it, as a slow line does. */
    private void pump(Socket from, Socket to, Gate gate) {
        byte[] buffer = new byte[65_536];
        try {
            InputStream input = from.getInputStream();
            OutputStream output = to.getOutputStream();
            for (int length = input.read(buffer); length >= 0; length = input.read(buffer)) {
                int delay = delayMillis;
                if (delay > 0) {
                    Thread.sleep(delay);
                }
                gate.pass();
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

    /** Lets everything pass, or holds it back until it is opened again. */
    private static final class Gate {

        private boolean shut;

        synchronized void set(boolean toShut) {
            shut = toShut;
            notifyAll();
        }

        synchronized void pass() throws IOException {
            while (shut) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException(e);
                }
            }
        }
    }
}
