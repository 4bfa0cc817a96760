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
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The table of all properties ends its page and is made of the metadata. {@code -Dproperties.write=true} writes it
 * anew.
 */
class PropertiesPageTest {

    private static final Path PAGE = Path.of("../docs/configuration.md");
    private static final Pattern NAME = Pattern.compile("`(dynamolock\\.[a-z-]+(?:\\.[a-z-]+)*)(?:=[^`]*)?`");
    /** Meters begin as properties do. */
    private static final Pattern METER =
            Pattern.compile("(?m)^\\| `(dynamolock\\.[a-z.]+)` \\| (?:timer|summary|gauge|counter)");

    private static final String HEAD = """
            | property | default | meaning |
            | --- | --- | --- |
            """;

    @Test
    void thePageIsWhatTheMetadataSay() throws IOException {
        String table = HEAD + properties().stream().map(PropertiesPageTest::row).collect(Collectors.joining());
        String page = Files.readString(PAGE);
        int start = page.indexOf(HEAD, page.indexOf("## Properties"));
        if (Boolean.getBoolean("properties.write")) {
            Files.writeString(PAGE, page.substring(0, start) + table);
        }
        assertThat(Files.readString(PAGE).substring(start)).isEqualTo(table);
    }

    @Test
    void thePagesNameNoPropertyThatDoesNotExist() throws IOException {
        Stream<String> names =
                properties().stream().map(property -> property.get("name").asString());
        Stream<String> meters = METER.matcher(Pages.text(Path.of("../docs/operations.md")))
                .results()
                .map(found -> found.group(1));
        Set<String> known = Stream.concat(names, meters).collect(Collectors.toSet());
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
