package io.dynamolock.sample.page;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A headless Chromium without a network beyond this machine, as Debian's packages chromium and chromium-driver have it.
 */
final class Browser implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final ChromeDriver driver;
    private final Path profile;

    private Browser(ChromeDriver driver, Path profile) {
        this.driver = driver;
        this.profile = profile;
    }

    /** Whether there is one on this machine. */
    static boolean isInstalled() {
        return find("chromedriver").isPresent() && chromium().isPresent();
    }

    private static Optional<File> chromium() {
        return Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(name -> find(name).stream())
                .findFirst();
    }

    private static Optional<File> find(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(folder -> new File(folder, program))
                .filter(File::canExecute)
                .findFirst();
    }

    static Browser start() throws IOException {
        Path profile = Files.createTempDirectory("page-browser");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium().orElseThrow());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--force-device-scale-factor=1",
                // So that a page that asks for more than this machine has would not get it.
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost",
                "--user-data-dir=" + profile);
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(find("chromedriver").orElseThrow())
                .usingAnyFreePort()
                .build();
        ChromeDriver driver = new ChromeDriver(service, options);
        driver.manage().window().setSize(new Dimension(1200, 1000));
        return new Browser(driver, profile);
    }

    void open(String address) {
        driver.get(address);
    }

    /** The element that the selector finds, once it is there. */
    WebElement find(By what) {
        return new WebDriverWait(driver, PATIENCE).until(ready -> ready.findElement(what));
    }

    String text(String id) {
        return find(By.id(id)).getText();
    }

    void await(String what, BooleanSupplier condition) {
        new WebDriverWait(driver, PATIENCE, Duration.ofMillis(50))
                .withMessage(() -> what + ". The page shows:\n"
                        + driver.findElement(By.tagName("body")).getText())
                .until(ready -> condition.getAsBoolean());
    }

    /** Waits until the button can be used, and clicks it. */
    void click(String id) {
        await("button " + id + " can be used", () -> isEnabled(id));
        find(By.id(id)).click();
    }

    boolean isEnabled(String id) {
        return "false".equals(find(By.id(id)).getAttribute("aria-disabled"));
    }

    /** Keys go where the focus is. */
    void press(CharSequence... keys) {
        driver.switchTo().activeElement().sendKeys(keys);
    }

    String focused() {
        return driver.switchTo().activeElement().getDomProperty("id");
    }

    Object script(String script, Object... arguments) {
        return ((JavascriptExecutor) driver).executeScript(script, arguments);
    }

    Object scriptWithCallback(String script, Object... arguments) {
        driver.manage().timeouts().scriptTimeout(PATIENCE);
        return ((JavascriptExecutor) driver).executeAsyncScript(script, arguments);
    }

    byte[] picture() {
        return driver.getScreenshotAs(OutputType.BYTES);
    }

    void size(int width, int height) {
        driver.manage().window().setSize(new Dimension(width, height));
    }

    /** All that was asked for since the last call, by pages and by the browser itself where it tells. */
    List<URI> requests() {
        return driver.manage().logs().get(LogType.PERFORMANCE).getAll().stream()
                .map(entry -> JsonMapper.shared().readTree(entry.getMessage()).path("message"))
                .filter(message -> message.path("method").asString().equals("Network.requestWillBeSent"))
                .map(message -> message.path("params").path("request").path("url"))
                .map(JsonNode::asString)
                // The browser's own pages come out of its program.
                .filter(url -> !url.startsWith("data:") && !url.startsWith("chrome:"))
                .map(url -> URI.create(url))
                .toList();
    }

    /** What pages have complained of since the last call. */
    List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(Object::toString)
                .toList();
    }

    @Override
    public void close() throws IOException {
        driver.quit();
        try (Stream<Path> files = Files.walk(profile)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }
}
