package io.dynamolock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.aspect.DynamoLockedAdvisor;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an IDE shows of the properties. */
class ConfigurationMetadataTest {

    /** The first two have all endpoints. */
    private static final List<String> OF_ACTUATOR = List.of(
            "management.endpoint.dynamolock.access",
            "management.endpoint.dynamolock.cache.time-to-live",
            "management.endpoint.dynamolock.evict",
            "management.endpoint.dynamolock.roles",
            "management.endpoint.dynamolock.show-keys",
            "management.health.dynamolock.enabled",
            "management.info.dynamolock.enabled");

    private static JsonNode metadata() throws IOException {
        try (InputStream json =
                DynamoLockProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            return JsonMapper.shared().readTree(json);
        }
    }

    private static List<JsonNode> properties() throws IOException {
        return StreamSupport.stream(metadata().get("properties").spliterator(), false)
                .toList();
    }

    private static void collect(Class<?> type, String prefix, List<String> names) {
        for (var component : type.getRecordComponents()) {
            String name = component.getName().equals("usualWait") ? "wait" : kebab(component.getName());
            if (component.getType().isRecord()) {
                collect(component.getType(), prefix + name + ".", names);
            } else {
                names.add(prefix + name);
            }
        }
    }

    private static String kebab(String camel) {
        return camel.replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT);
    }

    @Test
    void knowsEveryProperty() throws IOException {
        List<String> expected = new ArrayList<>();
        collect(DynamoLockProperties.class, "dynamolock.", expected);
        assertThat(expected).hasSize(25);
        expected.addAll(OF_ACTUATOR);
        assertThat(properties())
                .extracting(property -> property.get("name").asString())
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void describesEveryProperty() throws IOException {
        assertThat(properties())
                .allSatisfy(property -> assertThat(property.path("description").asString(""))
                        .as(property.get("name").asString())
                        .isNotBlank());
    }

    @Test
    void namesTheOrderThatTheAspectHas() throws IOException {
        assertThat(properties())
                .filteredOn(property -> property.get("name").asString().equals("dynamolock.aspect.order"))
                .singleElement()
                .satisfies(property ->
                        assertThat(property.get("defaultValue").asInt()).isEqualTo(DynamoLockedAdvisor.DEFAULT_ORDER));
    }

    @Test
    void namesDefaults() throws IOException {
        assertThat(properties())
                .filteredOn(property -> property.get("name").asString().equals("dynamolock.wait"))
                .singleElement()
                .satisfies(property ->
                        assertThat(property.get("defaultValue").asString()).isEqualTo("60s"));
    }

    @Test
    void suggestsValuesForTheWait() throws IOException {
        assertThat(metadata().get("hints").toString())
                .contains("dynamolock.wait")
                .contains("forever");
    }
}
