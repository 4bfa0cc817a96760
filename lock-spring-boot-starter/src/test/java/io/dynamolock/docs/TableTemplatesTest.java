package io.dynamolock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The templates of the lock table on the page on configuration. */
class TableTemplatesTest {

    private static final String PAGE = Pages.text(Pages.ROOT.resolve("docs/configuration.md"));

    @ParameterizedTest
    @CsvSource({
        "yaml, DeletionProtectionEnabled: true",
        "hcl, deletion_protection_enabled = true",
        "ts, 'deletionProtection: true,'",
        "sh, aws dynamodb update-table --table-name dynamolock --deletion-protection-enabled",
    })
    void theTableIsProtectedAgainstDeletion(String language, String line) {
        assertThat(template(language).lines().map(text -> text.strip().replaceAll(" +", " ")))
                .contains(line);
    }

    @Test
    void theCommandsAreThoseThatTheApplicationPrints() {
        Path advice = Path.of("src/main/java/io/dynamolock/spring/autoconfigure/TableAdvice.java");
        List<String> printed = Pages.text(advice)
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("aws dynamodb ") || line.startsWith("--"))
                .map(line -> line.replace("%1$s", "dynamolock")
                        .replace("%2$s", "pk")
                        .replace("%3$s", "sk")
                        .replace("%4$s", "expiresAt")
                        .replace("\\\\", "\\"))
                .toList();

        assertThat(printed).hasSizeGreaterThanOrEqualTo(6);
        assertThat(template("sh").lines().map(String::strip)).containsSequence(printed);
    }

    @ParameterizedTest
    @CsvSource({"yaml", "hcl", "ts"})
    void everyTemplateHasTheTtlAttribute(String language) {
        assertThat(template(language)).contains("expiresAt", "pk", "sk");
    }

    /** The first block of this language. */
    private static String template(String language) {
        Matcher block =
                Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(PAGE);
        assertThat(block.find()).isTrue();
        return block.group(1);
    }
}
