package io.dynamolock.benchmarks.database;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;

/** Makes a blocking client's every call last a round trip longer. */
final class DelayedHttpClient implements SdkHttpClient {

    private final SdkHttpClient client;
    private final Duration roundTrip;

    DelayedHttpClient(SdkHttpClient client, Duration roundTrip) {
        this.client = client;
        this.roundTrip = roundTrip;
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        ExecutableHttpRequest prepared = client.prepareRequest(request);
        return new ExecutableHttpRequest() {
            @Override
            public HttpExecuteResponse call() throws IOException {
                delay();
                return prepared.call();
            }

            @Override
            public void abort() {
                prepared.abort();
            }
        };
    }

    private void delay() throws IOException {
        try {
            TimeUnit.NANOSECONDS.sleep(roundTrip.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted on the way to DynamoDB").initCause(e);
        }
    }

    @Override
    public String clientName() {
        return client.clientName();
    }

    @Override
    public void close() {
        client.close();
    }
}
