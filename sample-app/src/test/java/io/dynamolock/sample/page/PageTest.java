package io.dynamolock.sample.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.sample.page.PageState.Hold;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The page in a browser, as a person uses it. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"dynamolock.embedded.port=0", "sample.page.lease=5s"})
class PageTest {

    private static final Path PICTURE = Path.of("..", "docs", "images", "queues.png");

    /** Of a small laptop's screen. */
    private static final int WIDTH = 1280;

    private static Browser browser;

    @Autowired
    private Stage stage;

    @Autowired
    private PageHold hold;

    @Autowired
    private PageEvents events;

    @LocalServerPort
    private int port;

    @BeforeAll
    static void startBrowser() throws IOException {
        // In CI nothing is skipped: there the start of the browser fails.
        Assumptions.assumeTrue(
                Browser.isInstalled() || "true".equals(System.getenv("CI")),
                "Skipped: there is no Chromium here. Debian has it in the packages chromium and chromium-driver.");
        browser = Browser.start();
    }

    @AfterAll
    static void stopBrowser() throws IOException {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void open() {
        browser.open("http://localhost:" + port + "/");
        browser.find(By.id("with-lock"));
    }

    @AfterEach
    void leaveTheWindowAsItWas() {
        browser.size(1200, 1000);
    }

    @AfterEach
    void leaveNothingBehind() {
        await().atMost(Duration.ofMinutes(3)).until(() -> {
            for (InstanceName name : InstanceName.values()) {
                hold.release(name);
            }
            PageState now = stage.look();
            return !stage.board().isRushing()
                    && now.holder() == null
                    && now.instances().stream()
                            .allMatch(it -> !it.frozen() && it.hold() == Hold.NONE && it.waiting() == 0);
        });
    }

    @AfterEach
    void nothingWasAskedOfOthersAndNothingWentWrong() {
        assertThat(browser.requests())
                .isNotEmpty()
                .allSatisfy(asked ->
                        assertThat(asked.getHost() + ":" + asked.getPort()).isEqualTo("localhost:" + port));
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void aHundredCallersAreServedInOrderAndNoOrderIsLost() {
        browser.click("with-lock");
        browser.await(
                "some wait and some were served",
                () -> !tickets("waiting").isEmpty() && !tickets("served").isEmpty());
        assertThat(browser.text("holder")).startsWith("Has the lock:");

        browser.await(
                "the rush is over", () -> browser.text("progress").equals("Over: 100 of 100 orders with the lock."));

        assertThat(browser.text("order")).isEqualTo("100 served, 0 out of order.");
        assertThat(tickets("served")).hasSize(100).isSorted().doesNotHaveDuplicates();
        assertThat(browser.script("return document.querySelectorAll('#served .A').length"))
                .as("by both instances")
                .isEqualTo(50L);
        assertThat(result("Orders accepted")).startsWith("100");
        assertThat(result("Orders lost")).startsWith("none lost");
        assertThat(result("Out of order")).startsWith("0");
        assertThat(browser.text("news")).contains("100 orders were accepted, none lost, and all were served in order.");
        browser.await("the queue is empty", () -> tickets("waiting").isEmpty());
    }

    @Test
    void withoutTheLockOrdersAreLostAndThePageSaysSo() {
        browser.click("without-lock");

        browser.await(
                "the rush is over", () -> browser.text("progress").equals("Over: 100 of 100 orders without the lock."));

        assertThat(result("Orders lost")).matches("(?s).*\\d+ lost");
        assertThat(browser.text("news"))
                .containsPattern("without the lock is over: 100 orders were accepted, \\d+ of them lost");
        assertThat(browser.find(By.cssSelector("#news .bad")).getText()).startsWith("Bad: ");
    }

    @Test
    void aHeldLockKeepsTheOthersWaitingUntilItIsReleased() {
        browser.click("hold-A");
        browser.await("A holds it", () -> doing("A").startsWith("Holds the lock"));
        browser.click("hold-B");
        browser.await("B waits", () -> doing("B").startsWith("Waits for the lock"));
        browser.await(
                "B stands in the queue",
                () -> browser.script("return document.querySelectorAll('#waiting .B').length")
                        .equals(1L));

        browser.click("release-A");

        browser.await("B holds it", () -> doing("B").startsWith("Holds the lock"));
        assertThat(browser.find(By.cssSelector("#holder .ticket")).getText()).contains("Instance B");
        browser.click("release-B");
        browser.await("nobody holds it", () -> browser.text("holder").contains("nobody"));
    }

    @Test
    void aFrozenInstanceFindsItsWriteRefusedWhenItWakes() {
        int before = losses("B");
        browser.click("hold-B");
        browser.click("freeze-B");
        browser.await("B stands still", () -> doing("B").startsWith("Stands still"));

        browser.await("A got the lock", () -> browser.text("news").contains("Instance A got the lock with ticket"));
        browser.await("B was refused", () -> browser.text("news").contains("Good: Instance B woke and sent its write"));

        assertThat(browser.text("news")).contains("The table refused it");
        browser.await("B has lost it", () -> losses("B") == before + 1);
        browser.await("B is free again", () -> browser.isEnabled("hold-B"));
    }

    @Test
    void anInstanceThatLosesTheLockIsToldAndTheOtherGetsIt() {
        int before = losses("A");
        browser.click("hold-A");
        browser.await("A holds it", () -> doing("A").startsWith("Holds the lock"));
        browser.click("hold-B");

        browser.click("lose-A");

        browser.await("A was told", () -> browser.text("news").contains("Instance A was told of its loss at once"));
        browser.await("B holds it", () -> doing("B").startsWith("Holds the lock"));
        assertThat(losses("A")).isEqualTo(before + 1);
        browser.click("release-B");
        browser.await("B released it", () -> browser.isEnabled("hold-B"));
    }

    @Test
    void theKeyboardAloneIsEnoughForThePage() {
        browser.script("document.activeElement.blur()");
        tabTo("orders");
        browser.press(Keys.chord(Keys.CONTROL, "a"), "6");
        tabTo("with-lock");
        assertThat(browser.script("return getComputedStyle(document.activeElement).outlineStyle"))
                .as("one sees where the focus is")
                .isEqualTo("solid");
        browser.press(Keys.ENTER);
        browser.await("the rush is over", () -> browser.text("progress").equals("Over: 6 of 6 orders with the lock."));
        assertThat(browser.focused()).as("the focus stays where it was").isEqualTo("with-lock");

        tabTo("hold-A");
        browser.press(Keys.SPACE);
        browser.await("A holds it", () -> doing("A").startsWith("Holds the lock"));
        assertThat(browser.focused()).isEqualTo("hold-A");
        tabTo("release-A");
        browser.press(Keys.SPACE);
        browser.await("A released it", () -> browser.isEnabled("hold-A"));
    }

    @Test
    void aPageThatWasRefusedTriesAgain() {
        browser.await("it is live", () -> browser.text("connection").equals("Live."));
        events.stop();
        try {
            browser.await("it was refused", () -> browser.complaints().stream().anyMatch(it -> it.contains("503")));
        } finally {
            events.start();
        }

        browser.await("it is live again", () -> browser.text("connection").equals("Live."));
        assertThat(browser.complaints())
                .allSatisfy(complaint -> assertThat(complaint).contains("503"));
    }

    @Test
    void theRushButtonsStandInOneLine() {
        browser.size(WIDTH, 1000);

        assertThat(top("without-lock")).isEqualTo(top("with-lock"));
        for (String button : List.of("with-lock", "without-lock")) {
            assertThat(browser.script("const range = document.createRange();"
                            + " range.selectNodeContents(document.getElementById('" + button + "'));"
                            + " return new Set([...range.getClientRects()].map(line => Math.round(line.top))).size"))
                    .as("lines of the text of %s", button)
                    .isEqualTo(1L);
        }
    }

    @Test
    void whatHoldFreezeAndLoseMeanStandsBesideTheButtons() {
        browser.size(WIDTH, 1000);

        assertThat(browser.text("meanings")).contains("Hold takes", "Freeze stops", "Lose takes");
        assertThat(browser.script("const text = document.getElementById('meanings').getBoundingClientRect();"
                        + " const buttons = document.getElementById('lose-A').getBoundingClientRect();"
                        + " return text.top - buttons.bottom"))
                .as("pixels between the buttons and the text")
                .satisfies(
                        between -> assertThat(((Number) between).doubleValue()).isBetween(0.0, 60.0));
    }

    @Test
    void theComparisonStaysInPlaceDuringARush() {
        browser.size(WIDTH, 1000);
        long before = top("results");
        browser.script("window.places = new Set(); new MutationObserver(() => {"
                + " places.add(Math.round(document.getElementById('results').getBoundingClientRect().top + scrollY))"
                + " }).observe(document.body, {childList: true, characterData: true, subtree: true})");

        browser.click("hold-A");
        browser.await("A holds it", () -> doing("A").startsWith("Holds the lock"));
        browser.click("with-lock");
        browser.await("a crowd waits", () -> tickets("waiting").size() >= 90);
        browser.click("release-A");
        browser.await("the rush is over", () -> browser.text("progress").startsWith("Over: 100 of 100 orders"));

        assertThat(tickets("served")).hasSize(100);
        assertThat(browser.script("return [...places].join(' ')")).isEqualTo(Long.toString(before));
    }

    @Test
    void impossibleNumbersAreNotSent() {
        browser.find(By.id("orders")).sendKeys(Keys.chord(Keys.CONTROL, "a"), "201");

        assertThat(browser.isEnabled("with-lock")).isFalse();
        assertThat(browser.find(By.id("orders")).getAttribute("aria-invalid")).isEqualTo("true");
    }

    @Test
    void aScreenReaderFindsItsWayAndIsToldOnlyWhatMatters() {
        assertThat(browser.script("return document.documentElement.lang")).isEqualTo("en");
        for (String landmark : List.of("header", "main")) {
            assertThat(browser.find(By.tagName(landmark)).isDisplayed()).isTrue();
        }
        assertThat(browser.find(By.cssSelector("label[for=orders]")).getText()).startsWith("Orders");
        for (String id : List.of("hold-A", "lose-B")) {
            assertThat(browser.find(By.id(id)).getAriaRole()).isEqualTo("button");
            assertThat(browser.find(By.id(id)).getAccessibleName()).isNotBlank();
        }
        assertThat(browser.find(By.cssSelector("#instance-A [role=group]")).getAccessibleName())
                .isEqualTo("Instance A");

        browser.script("window.told = []; new MutationObserver(() => told.push(document.querySelector('[role=status]')"
                + ".textContent)).observe(document.querySelector('[role=status]'), {childList: true, characterData: true,"
                + " subtree: true})");
        browser.click("with-lock");
        browser.await(
                "it is told of the end",
                () -> browser.script("return told.join('|')").toString().contains("is over"));

        assertThat((Long) browser.script("return told.length"))
                .as("a hundred orders are one sentence")
                .isBetween(1L, 3L);
    }

    @Test
    @SuppressWarnings("unchecked")
    void aCheckerOfAccessibilityFindsNothing() throws IOException {
        browser.find(By.id("orders")).sendKeys(Keys.chord(Keys.CONTROL, "a"), "20");
        browser.click("with-lock");
        browser.await("there is something to look at", () -> tickets("served").size() > 5);
        try (InputStream axe = Objects.requireNonNull(PageTest.class.getResourceAsStream("/axe.min.js"))) {
            browser.script(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
        }
        browser.await("the rush is over", () -> browser.text("progress").startsWith("Over"));

        Map<String, Object> found = (Map<String, Object>) browser.scriptWithCallback(
                "const done = arguments[arguments.length - 1]; axe.run(document).then(done)");

        assertThat((List<Map<String, Object>>) found.get("violations"))
                .extracting(
                        violation -> violation.get("id") + ": " + violation.get("help") + " " + violation.get("nodes"))
                .isEmpty();
        assertThat((List<Object>) found.get("passes")).hasSizeGreaterThan(20);
    }

    /** Only by the command that writes the picture of the README anew. */
    @Test
    @EnabledIfSystemProperty(named = "page.picture", matches = "true")
    void thePictureOfTheReadmeIsOfThisPage() throws IOException {
        browser.size(1100, 1600);
        browser.click("without-lock");
        browser.await("the rush is over", () -> browser.text("progress").startsWith("Over: 100 of 100 orders without"));
        browser.click("with-lock");
        browser.await(
                "half of it is done",
                () -> tickets("served").size() >= 40 && tickets("waiting").size() >= 20);

        byte[] picture = browser.picture();

        assertThat(picture).as("a picture with something in it").hasSizeGreaterThan(20_000);
        Files.createDirectories(PICTURE.getParent());
        Files.write(PICTURE, picture);
        browser.await(
                "the rush is over", () -> browser.text("progress").startsWith("Over: 100 of 100 orders with the"));
        browser.size(1200, 1000);
    }

    private void tabTo(String id) {
        for (int i = 0; i < 30; i++) {
            browser.press(Keys.TAB);
            if (browser.focused().equals(id)) {
                return;
            }
        }
        throw new AssertionError("The tab key does not lead to " + id);
    }

    /** By one script, because the page changes under the hands of one who reads element by element. */
    private List<Long> tickets(String list) {
        String numbers = (String) browser.script(
                "return [...document.querySelectorAll('#' + arguments[0] + ' .ticket')].map(it => it.lastChild.textContent)"
                        + ".join(' ')",
                list);
        return numbers.isBlank()
                ? List.of()
                : Stream.of(numbers.split(" ")).map(Long::valueOf).toList();
    }

    private String result(String row) {
        return browser.find(By.xpath("//table[@id='results']//tr[th='" + row + "']"))
                .getText()
                .substring(row.length() + 1);
    }

    private String doing(String instance) {
        return (String) browser.script(
                "return document.querySelector('#instance-' + arguments[0] + ' .doing').textContent", instance);
    }

    /** In pixels, from the top of the page. */
    private long top(String id) {
        return ((Number) browser.script(
                        "return Math.round(document.getElementById(arguments[0]).getBoundingClientRect().top + scrollY)",
                        id))
                .longValue();
    }

    private int losses(String instance) {
        String text = browser.find(By.cssSelector("#instance-" + instance + " .losses"))
                .getText();
        return Integer.parseInt(text.substring("Locks lost: ".length()));
    }
}
