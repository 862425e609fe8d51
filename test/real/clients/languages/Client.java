import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A client of petstore.yaml with java.net.http. Without a name of a mistake it makes none. */
public class Client {
    static final String BASE = System.getenv("PETSPEC_BASE_URL");
    static final String KEY = System.getenv("PETSPEC_API_KEY");
    static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    static String mistake = "";

    enum Status { available, pending, sold }

    /** Until the service may be asked again, by its own clock. */
    static Duration pauseOf(HttpHeaders headers) {
        String after = headers.firstValue("Retry-After").orElse("1");
        if (after.matches("\\d+")) return Duration.ofSeconds(Long.parseLong(after));
        ZonedDateTime until = timeOf(after);
        ZonedDateTime now = headers.firstValue("Date").map(Client::timeOf).orElseGet(ZonedDateTime::now);
        Duration left = Duration.between(now, until);
        return mistake.equals("waits-half") ? left.dividedBy(2) : left.plusSeconds(1);
    }

    static ZonedDateTime timeOf(String date) {
        return ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME);
    }

    static String ask(String method, String path, String body) throws InterruptedException {
        for (int attempt = 0; attempt < 5; attempt += 1) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(BASE + path)).header("X-Store-Key", KEY);
            if (mistake.equals("cookie")) request.header("Cookie", "session=" + KEY);
            if (body != null) request.header("Content-Type", "application/json");
            request.method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
            try {
                var response = CLIENT.send(request.build(), BodyHandlers.ofString());
                int status = response.statusCode();
                if (status < 300) return response.body();
                if (status != 429 && status != 500 && status != 503) throw new IllegalStateException("status " + status);
                Thread.sleep(pauseOf(response.headers()).plusMillis(100).toMillis());
            } catch (IOException error) {
                // The connection broke.
            }
        }
        throw new IllegalStateException("refused five times");
    }

    static String fieldOf(String json, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(json);
        return matcher.find() ? matcher.group(1) : "";
    }

    static String idOf(String pet) {
        String id = fieldOf(pet, "\"id\"\\s*:\\s*(-?\\d+)");
        return mistake.equals("ids-as-ints") ? String.valueOf((int) Long.parseLong(id)) : id;
    }

    public static void main(String[] names) throws InterruptedException {
        if (names.length > 0) mistake = names[0];
        ask("GET", "/pet/findByStatus?status=available", null);
        String status = mistake.equals("ordinal") ? "0" : "\"available\"";
        String pet = ask("POST", "/pet", "{\"name\":\"Rex\",\"photoUrls\":[],\"status\":" + status + "}");
        String path = "/pet/" + idOf(pet);
        pet = ask("GET", path, null);
        if (mistake.equals("strict")) Status.valueOf(fieldOf(pet, "\"status\"\\s*:\\s*\"([^\"]*)\""));
        ask("PUT", path, "{\"name\":\"Max\",\"photoUrls\":[],\"category\":{\"id\":" + idOf(pet) + "}}");
        ask("DELETE", path, null);
    }
}
