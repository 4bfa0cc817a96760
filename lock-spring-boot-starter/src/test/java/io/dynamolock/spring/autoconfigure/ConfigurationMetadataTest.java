package io.dynamolock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.annotation.EnableDynamoLocks;
import io.dynamolock.spring.annotation.PersistenceContextCheck;
import io.dynamolock.spring.annotation.ReleaseTime;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.context.annotation.AdviceMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an IDE shows of the properties. */
class ConfigurationMetadataTest {

    /** All endpoints have the first. */
    private static final List<String> OF_ACTUATOR = List.of(
            "management.endpoint.dynamolock.access",
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
        return camel.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    @Test
    void knowsEveryProperty() throws IOException {
        List<String> expected = new ArrayList<>();
        collect(DynamoLockProperties.class, "dynamolock.", expected);
        assertThat(expected).hasSize(29);
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

    private static JsonNode defaultOf(String name) throws IOException {
        return assertThat(properties())
                .filteredOn(property -> property.get("name").asString().equals(name))
                .singleElement()
                .actual()
                .get("defaultValue");
    }

    @Test
    void namesTheOrderThatTheAspectHasAndOtherDefaults() throws IOException {
        assertThat(defaultOf("dynamolock.aspect.order").asInt()).isEqualTo(EnableDynamoLocks.DEFAULT_ORDER);
        assertThat(defaultOf("dynamolock.wait").asString()).isEqualTo("60s");
    }

    /** By the name of the property, what is suggested for it. */
    private static Map<String, List<String>> suggestions() throws IOException {
        Map<String, List<String>> suggestions = new HashMap<>();
        for (JsonNode hint : metadata().get("hints")) {
            List<String> values = new ArrayList<>();
            hint.get("values").forEach(each -> {
                values.add(each.get("value").asString());
                assertThat(each.get("description").asString()).isNotBlank();
            });
            suggestions.put(hint.get("name").asString(), values);
        }
        return suggestions;
    }

    @Test
    void suggestsEveryValueOfAPropertyThatHasAClosedSetOfThem() throws IOException {
        Map<String, Class<? extends Enum<?>>> closed = Map.of(
                "dynamolock.store", DynamoLockProperties.StoreType.class,
                "dynamolock.table.check", DynamoLockProperties.TableCheck.class,
                "dynamolock.table.create", DynamoLockProperties.TableCreation.class,
                "dynamolock.persistence-context", PersistenceContextCheck.class,
                "dynamolock.aspect.release", ReleaseTime.class,
                "dynamolock.aspect.mode", AdviceMode.class,
                "management.endpoint.dynamolock.show-keys", Show.class);
        Map<String, List<String>> suggestions = suggestions();
        closed.forEach((name, type) -> assertThat(suggestions.get(name))
                .as(name)
                .containsExactlyInAnyOrderElementsOf(Stream.of(type.getEnumConstants())
                        .map(value -> value.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                        .toList()));
    }

    @ParameterizedTest
    @CsvSource({
        "dynamolock.wait, forever",
        "dynamolock.stay, 0",
        "dynamolock.lease, 20s",
        "dynamolock.poll.min, 5ms",
        "dynamolock.retention, 7d",
        "dynamolock.aws.endpoint, http://localhost:8000",
        "dynamolock.aws.region, us-east-1",
        "dynamolock.embedded.port, 0",
    })
    void suggestsWhatIsTypicalWhereOtherValuesAreRightToo(String property, String value) throws IOException {
        assertThat(suggestions().get(property)).contains(value);
        assertThat(metadata().get("hints"))
                .filteredOn(hint -> hint.get("name").asString().equals(property))
                .allSatisfy(hint ->
                        assertThat(hint.at("/providers/0/name").asString()).isEqualTo("any"));
    }
}
