package io.dynamolock.test.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.internal.store.testing.ItemTables;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

class EmbeddedDynamoDbTest {

    private static DynamoDbAsyncClient client(EmbeddedDynamoDb dynamoDb, Region region, String accessKey) {
        return DynamoDbAsyncClient.builder()
                .endpointOverride(dynamoDb.endpoint())
                .region(region)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, "s")))
                .build();
    }

    @Test
    void everyClientOfThisMachineSeesTheSameTables() {
        try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start(0);
                DynamoDbAsyncClient one = client(dynamoDb, Region.EU_CENTRAL_1, "one");
                DynamoDbAsyncClient other = client(dynamoDb, Region.US_WEST_2, "other")) {
            one.createTable(ItemTables.byId("things")).join();
            assertThat(other.listTables().join().tableNames()).containsExactly("things");
        }
    }

    @Test
    void doesNotListenToOtherMachines() throws IOException {
        try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start(0)) {
            new Socket(InetAddress.getLoopbackAddress(), dynamoDb.port()).close();
            for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                for (InetAddress address : Collections.list(network.getInetAddresses())) {
                    if (!address.isLoopbackAddress()) {
                        assertThatExceptionOfType(IOException.class)
                                .as("%s", address)
                                .isThrownBy(() -> new Socket(address, dynamoDb.port()));
                    }
                }
            }
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() {
        try (EmbeddedDynamoDb first = EmbeddedDynamoDb.start(0)) {
            assertThatExceptionOfType(EmbeddedDynamoDbException.class)
                    .isThrownBy(() -> EmbeddedDynamoDb.start(first.port()))
                    .withMessageContaining("port " + first.port())
                    .satisfies(failure -> assertThat(failure.remedy()).contains("dynamolock.embedded.port"));
        }
    }

    @Test
    void stopsForGoodAndCanBeClosedTwice() {
        EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start(0);
        int port = dynamoDb.port();
        dynamoDb.close();
        dynamoDb.close();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port));
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().startsWith("dynamodb-local"))
                .isEmpty();
    }

    @Test
    void theLicenceOfDynamoDbLocalIsNamed() throws IOException {
        assertThat(Files.readString(Path.of("pom.xml"))).containsPattern("<description>.*DynamoDB Local License");
        assertThat(Files.readString(Path.of("../docs/testing.md"))).contains("DynamoDB Local License Agreement");
    }
}
