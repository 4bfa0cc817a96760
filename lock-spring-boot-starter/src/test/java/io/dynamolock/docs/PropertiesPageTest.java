package io.dynamolock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.autoconfigure.DynamoLockConnectionDetails;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The reference of all properties is made of the metadata. {@code -Dproperties.write=true} writes it anew. */
class PropertiesPageTest {

    private static final Path PAGE = Path.of("../docs/properties.md");
    private static final Pattern NAME = Pattern.compile("`(dynamolock\\.[a-z-]+(?:\\.[a-z-]+)*)(?:=[^`]*)?`");
    private static final String BEFORE = """
            # All properties

            This page is made of the metadata that an IDE shows, by `PropertiesPageTest`. Durations are written like `500ms`, `60s` or `PT1M`, and need a
            unit, except `0`. A name under `dynamolock.` that is not here stops the application; as an environment variable it is a warning. How they
            go together is said on [configuration.md](configuration.md#properties).

            | property | default | meaning |
            | --- | --- | --- |
            """;

    @Test
    void thePageIsWhatTheMetadataSay() throws IOException {
        String page =
                BEFORE + properties().stream().map(PropertiesPageTest::row).collect(Collectors.joining());
        if (Boolean.getBoolean("properties.write")) {
            Files.writeString(PAGE, page);
        }
        assertThat(Files.readString(PAGE)).isEqualTo(page);
    }

    @Test
    void thePagesNameNoPropertyThatDoesNotExist() throws IOException {
        Set<String> known = properties().stream()
                .map(property -> property.get("name").asString())
                .collect(Collectors.toSet());
        for (Path page : Pages.all()) {
            assertThat(NAME.matcher(Pages.text(page)).results().map(found -> found.group(1)))
                    .as(page.getFileName().toString())
                    .filteredOn(name -> known.stream().noneMatch(property -> property.startsWith(name + ".")))
                    .isSubsetOf(known);
        }
    }

    private static List<JsonNode> properties() throws IOException {
        try (InputStream json =
                DynamoLockConnectionDetails.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            return StreamSupport.stream(
                            JsonMapper.shared().readTree(json).get("properties").spliterator(), false)
                    .toList();
        }
    }

    private static String row(JsonNode property) {
        JsonNode value = property.path("defaultValue");
        return "| `" + property.get("name").asString() + "` | "
                + (value.isMissingNode() || value.asString().isEmpty() ? "" : "`" + value.asString() + "` ")
                + "| " + property.get("description").asString().replace("|", "\\|") + " |\n";
    }
}
