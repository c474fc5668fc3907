import java.net.Authenticator;
import java.net.PasswordAuthentication;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Iterator;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Starts a process, completes its task, and waits for its end. Usage: java Client.java URL PASSWORD. Use a library for JSON where you may have one. */
public class Client {
  private final URI endpoint;
  private final HttpClient http;

  Client(String url, String password) {
    endpoint = URI.create(url + "/bin/graphql.cgi/web");
    http = HttpClient.newBuilder().authenticator(new Authenticator() {
      @Override
      protected PasswordAuthentication getPasswordAuthentication() {
        return new PasswordAuthentication("admin", password.toCharArray());
      }
    }).build();
  }

  public static void main(String[] args) throws Exception {
    Client client = new Client(args.length > 0 ? args[0] : "http://127.0.0.1:8080", args.length > 1 ? args[1] : "");

    String started = client.ask("mutation { startProcess(input: { definitionKey: \"invoice-approval\", variables: ["
        + "{ name: \"invoiceNumber\", value: \"J-1\" }, { name: \"creditor\", value: \"Mill & Sons\" },"
        + "{ name: \"amount\", value: 1200 }] }) { id state } }", UUID.randomUUID());
    String id = valueOf("id", started);
    System.out.println("started: " + valueOf("state", started));

    String found = client.ask("{ tasks(processInstance: \"" + id + "\") { edges { node { id name } } } }", null);
    System.out.println("to do: " + valueOf("name", found));
    client.ask("mutation { completeTask(input: { taskId: \"" + valueOf("id", found)
        + "\", variables: [{ name: \"approved\", value: true }] }) { state } }", UUID.randomUUID());

    String position = valueOf("position", started);
    String ended = client.firstEvent("subscription { processEnded(after: \"" + position
        + "\") { processInstance { id state } } }", id);
    System.out.println("ended: " + valueOf("state", ended));
    System.exit(0);
  }

  /** Sends an operation; a mutation that is sent again with its key is done once. */
  private String ask(String query, UUID idempotencyKey) throws Exception {
    HttpRequest request = request(query, idempotencyKey, "application/json");
    String answer = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    if (answer.contains("\"errors\"")) throw new IllegalStateException(answer);
    return answer;
  }

  /** The first event of a subscription that speaks of the id. */
  private String firstEvent(String query, String id) throws Exception {
    HttpRequest request = request(query, null, "text/event-stream");
    Stream<String> lines = http.send(request, HttpResponse.BodyHandlers.ofLines()).body();
    for (Iterator<String> all = lines.iterator(); all.hasNext();) {
      String line = all.next();
      if (line.startsWith("data: ") && line.contains(id)) return line;
    }
    throw new IllegalStateException("the stream has ended");
  }

  private HttpRequest request(String query, UUID idempotencyKey, String accept) {
    String extensions = idempotencyKey == null ? "" : ",\"extensions\":{\"idempotencyKey\":\"" + idempotencyKey + "\"}";
    String text = query.replace("\\", "\\\\").replace("\"", "\\\"");
    return HttpRequest.newBuilder(endpoint).header("Content-Type", "application/json").header("Accept", accept)
        .POST(HttpRequest.BodyPublishers.ofString("{\"query\":\"" + text + "\"" + extensions + "}")).build();
  }

  private static String valueOf(String key, String json) {
    Matcher found = Pattern.compile("\"" + key + "\":\"([^\"]*)\"").matcher(json);
    if (!found.find()) throw new IllegalStateException("no " + key + " in " + json);
    return found.group(1);
  }
}
