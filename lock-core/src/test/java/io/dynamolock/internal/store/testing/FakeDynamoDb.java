package io.dynamolock.internal.store.testing;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** A DynamoDB that gives every request one and the same answer, and remembers the requests. */
public final class FakeDynamoDb implements AutoCloseable {

    private static final DateTimeFormatter SIGNATURE_TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final ServerSocket server;
    private final List<Socket> connections = new CopyOnWriteArrayList<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private volatile Answer answer = new Answer(200, "{}");
    private final Queue<Answer> first = new ConcurrentLinkedQueue<>();
    private volatile boolean silent;
    private volatile boolean hangsUp;
    private volatile Duration clockAhead = Duration.ZERO;

    /** @param operation as DynamoDB names it, as in {@code UpdateItem} */
    public record Request(String operation, String body) {}

    private record Answer(int status, String body) {}

    public FakeDynamoDb() {
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        daemon(this::acceptAll);
    }

    public URI endpoint() {
        return URI.create("http://localhost:" + server.getLocalPort());
    }

    public List<Request> requests() {
        return List.copyOf(requests);
    }

    public void answers(int status, String body) {
        answer = new Answer(status, body);
    }

    /** So it answers one request before that; several in this order. */
    public void answersFirst(int status, String body) {
        first.add(new Answer(status, body));
    }

    /** Answers one request with an error before that. */
    public void failsFirst(int status, String code) {
        first.add(error(status, code, "said so"));
    }

    /** Answers with an error in DynamoDB's form. */
    public void fails(int status, String code, String message) {
        answer = error(status, code, message);
    }

    /** Has no throughput left, and says of what. */
    public void throttles(String code, String reason) {
        // The one exception spells it in its own way.
        String reasons = code.equals("ThrottlingException") ? "throttlingReasons" : "ThrottlingReasons";
        String error = error(400, code, "Too much.").body();
        answers(400, error.replaceFirst("}$", ",\"" + reasons + "\":[{\"reason\":\"" + reason + "\"}]}"));
    }

    /** Takes requests and never answers. */
    public void fallsSilent() {
        silent = true;
    }

    /** Takes requests and closes the connection. */
    public void hangsUp() {
        hangsUp = true;
    }

    /** Has a clock of its own, and rejects every signature that is not of about its time, as AWS does. */
    public void clockIsAhead(Duration ahead) {
        clockAhead = ahead;
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket connection : connections) {
                connection.close();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket connection = server.accept();
                connection.setTcpNoDelay(true);
                connections.add(connection);
                daemon(() -> serve(connection));
            }
        } catch (IOException closed) {
            // The end of it.
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            OutputStream out = connection.getOutputStream();
            while (!readLine(in).isEmpty()) {
                Map<String, String> headers = readHeaders(in);
                byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
                String target = Objects.requireNonNull(headers.get("x-amz-target"));
                requests.add(new Request(
                        target.substring(target.indexOf('.') + 1), new String(body, StandardCharsets.UTF_8)));
                if (hangsUp) {
                    return;
                }
                if (!silent) {
                    send(out, answerTo(headers));
                }
            }
        } catch (IOException closed) {
            // The end of this connection.
        }
    }

    private Answer answerTo(Map<String, String> headers) {
        Instant signedAt = SIGNATURE_TIME.parse(headers.get("x-amz-date"), Instant::from);
        Duration skew = Duration.between(signedAt, now()).abs();
        return skew.compareTo(Duration.ofMinutes(5)) > 0
                ? error(400, "InvalidSignatureException", "Signature expired")
                : Objects.requireNonNullElse(first.poll(), answer);
    }

    private void send(OutputStream out, Answer sent) throws IOException {
        byte[] body = sent.body().getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + sent.status() + " Status\r\n"
                + "Date: " + DateTimeFormatter.RFC_1123_DATE_TIME.format(now().atOffset(ZoneOffset.UTC)) + "\r\n"
                + "Content-Type: application/x-amz-json-1.0\r\n"
                + "Content-Length: " + body.length + "\r\n\r\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.write(body);
        out.flush();
    }

    private Instant now() {
        return Instant.now().plus(clockAhead);
    }

    private static Answer error(int status, String code, String message) {
        return new Answer(
                status,
                "{\"__type\":\"com.amazonaws.dynamodb.v20120810#" + code + "\",\"message\":\"" + message + "\"}");
    }

    private static Map<String, String> readHeaders(InputStream in) throws IOException {
        Map<String, String> headers = new HashMap<>();
        for (String line = readLine(in); !line.isEmpty(); line = readLine(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return headers;
    }

    private static String readLine(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString().strip();
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "fake-dynamodb");
        thread.setDaemon(true);
        thread.start();
    }
}
