package io.dynamolock.sample.page;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * The page's requests. Requests that change something must be JSON: a page of another origin can send that only after a
 * CORS preflight, which this application does not allow.
 */
@RestController
@RequestMapping("/page")
class PageController {

    /** Ends the connection after this time; the browser connects again by itself. */
    private static final Duration LONGEST_CONNECTION = Duration.ofMinutes(30);

    private final PageEvents events;
    private final PageRush rush;
    private final PageHold hold;

    PageController(PageEvents events, PageRush rush, PageHold hold) {
        this.events = events;
        this.rush = rush;
        this.hold = hold;
    }

    record RushRequest(
            @NotNull @Min(1) @Max(200) Integer orders,
            @NotNull Boolean lock) {}

    record InstanceRequest(@NotNull InstanceName instance) {}

    @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter events() {
        SseEmitter emitter = new SseEmitter(LONGEST_CONNECTION.toMillis());
        Subscriber subscriber = events.subscribe(new Subscriber.Connection() {
                    @Override
                    public void send(String state) throws IOException {
                        emitter.send(SseEmitter.event().data(state, MediaType.TEXT_PLAIN));
                    }

                    @Override
                    public void end() {
                        emitter.complete();
                    }
                })
                .orElseThrow(() -> new ResponseStatusException(
                        HttpStatus.SERVICE_UNAVAILABLE, "Too many pages are open. Close one and try again."));
        emitter.onCompletion(() -> events.unsubscribe(subscriber));
        emitter.onTimeout(emitter::complete);
        return emitter;
    }

    @PostMapping(path = "/rush", consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.ACCEPTED)
    void rush(@RequestBody @Valid RushRequest request) {
        if (!rush.begin(request.orders(), request.lock())) {
            throw new ResponseStatusException(HttpStatus.CONFLICT, "A rush is under way. Wait for its end.");
        }
    }

    @PostMapping(path = "/hold", consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.ACCEPTED)
    void hold(@RequestBody @Valid InstanceRequest request) {
        refuseIf(hold.hold(request.instance()));
    }

    @PostMapping(path = "/release", consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.ACCEPTED)
    void release(@RequestBody @Valid InstanceRequest request) {
        refuseIf(hold.release(request.instance()));
    }

    @PostMapping(path = "/freeze", consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.ACCEPTED)
    void freeze(@RequestBody @Valid InstanceRequest request) {
        refuseIf(hold.freeze(request.instance()));
    }

    @PostMapping(path = "/lose", consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.ACCEPTED)
    void lose(@RequestBody @Valid InstanceRequest request) {
        refuseIf(hold.lose(request.instance()));
    }

    private static void refuseIf(Optional<String> reason) {
        reason.ifPresent(why -> {
            throw new ResponseStatusException(HttpStatus.CONFLICT, why);
        });
    }
}
