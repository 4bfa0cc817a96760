package io.dynamolock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The templates of the lock table on the page on configuration. */
class TableTemplatesTest {

    private static final String PAGE = Pages.text(Pages.ROOT.resolve("docs/configuration.md"));

    @ParameterizedTest
    @CsvSource({
        "yaml, DeletionProtectionEnabled: true",
        "hcl, deletion_protection_enabled = true",
    })
    void theTableIsProtectedAgainstDeletion(String language, String line) {
        assertThat(template(language).lines().map(text -> text.strip().replaceAll(" +", " ")))
                .contains(line);
    }

    /** The first block of this language. */
    private static String template(String language) {
        Matcher block =
                Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(PAGE);
        assertThat(block.find()).isTrue();
        return block.group(1);
    }
}
