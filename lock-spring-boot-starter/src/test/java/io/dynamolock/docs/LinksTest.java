package io.dynamolock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every link between the pages leads somewhere. */
class LinksTest {

    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```|`[^`\n]*`");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```.*?^```");

    @TestFactory
    List<DynamicTest> everyLinkLeadsSomewhere() {
        return Pages.all().stream()
                .map(page -> DynamicTest.dynamicTest(
                        page.toString(), () -> assertThat(brokenLinks(page)).isEmpty()))
                .toList();
    }

    @Test
    void everyPageIsLinkedFromTheReadme() {
        String readme = Pages.text(Pages.ROOT.resolve("README.md"));
        assertThat(Pages.all())
                .filteredOn(page -> page.getParent().endsWith("docs"))
                .filteredOn(page -> !readme.contains("(docs/" + page.getFileName() + ")"))
                .isEmpty();
    }

    private static List<String> brokenLinks(Path page) {
        List<String> broken = new ArrayList<>();
        Matcher links = LINK.matcher(CODE.matcher(Pages.text(page)).replaceAll(""));
        while (links.find()) {
            String link = links.group(1);
            if (!link.matches("[a-z]+:.*") && !leadsSomewhere(page, link)) {
                broken.add(link);
            }
        }
        return broken;
    }

    private static boolean leadsSomewhere(Path page, String link) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
        return Files.exists(target) && (parts.length == 1 || anchors(target).contains(parts[1]));
    }

    /** As the sites that show such pages make them of headings. */
    private static Set<String> anchors(Path page) {
        return HEADING.matcher(BLOCK.matcher(Pages.text(page)).replaceAll(""))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }
}
