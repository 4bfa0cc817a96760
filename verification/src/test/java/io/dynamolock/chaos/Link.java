package io.dynamolock.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A proxy between one worker and the database. It forwards TCP connections, and can hold back, delay and reset them. If
 * the database is down, connections are reset. Thread-safe.
 */
final class Link implements AutoCloseable {

    /** The directions that are cut. */
    enum Cut {
        BOTH_WAYS,
        /** Requests of the worker do not arrive. */
        REQUESTS,
        /** Requests of the worker are carried out, but the answers do not arrive. */
        ANSWERS
    }

    private static final int CONNECT_MILLIS = 2_000;

    private final ServerSocket server;
    private final InetSocketAddress database;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean requestsShut = new AtomicBoolean();
    private final AtomicBoolean answersShut = new AtomicBoolean();
    private volatile int delayMillis;

    Link(InetSocketAddress database) throws IOException {
        this.database = database;
        this.server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        start("proxy-" + server.getLocalPort(), this::accept);
    }

    /** The address that the worker uses for the database. */
    URI endpoint() {
        return URI.create("http://" + server.getInetAddress().getHostAddress() + ":" + server.getLocalPort());
    }

    /** Nothing gets lost: data that was under way arrives when the cut is healed, however late. */
    void cut(Cut cut) {
        requestsShut.set(cut != Cut.ANSWERS);
        answersShut.set(cut != Cut.REQUESTS);
    }

    /** Delays all data by this much, in each direction. */
    void slow(int millis) {
        delayMillis = millis;
    }

    /** Resets every connection. */
    void reset() {
        sockets.forEach(Link::reset);
    }

    /** Ends cut and slowness. */
    void heal() {
        slow(0);
        requestsShut.set(false);
        answersShut.set(false);
    }

    @Override
    public void close() throws IOException {
        server.close();
        heal();
        reset();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                sockets.add(client);
                start("proxy-connect", () -> connect(client));
            } catch (IOException e) {
                // The link is closed, or the connection was gone before it was accepted.
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

    /** One thread for each direction. A delay holds up all later data, too, as on a slow line. */
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
