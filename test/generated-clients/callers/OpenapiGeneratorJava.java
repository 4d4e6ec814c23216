import com.google.gson.JsonParseException;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import okhttp3.OkHttpClient;
import okhttp3.Response;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AgentProfilePoolsApi;
import org.openapitools.client.api.AgentProfilesApi;
import org.openapitools.client.api.ExecutionsApi;
import org.openapitools.client.auth.ApiKeyAuth;
import org.openapitools.client.model.*;

/** Does what certify asks of a caller, with the client that openapi-generator makes for Java. */
class OpenapiGeneratorJava {
  static final Map<String, String> given = System.getenv();
  static final ApiClient client = client();
  static final ExecutionsApi executions = new ExecutionsApi(client);
  static final Set<String> ends = Set.of("completed", "failed", "cancelled");
  /** What a gateway says of a start that may have taken effect; 0 is no answer at all. */
  static final Set<Integer> lost = Set.of(0, 502, 503, 504);

  static ApiClient client() {
    // A start is never sent twice.
    var http = new OkHttpClient.Builder().retryOnConnectionFailure(false).build();
    var client = new ApiClient(http).setBasePath(given.get("BASE_URL")).setReadTimeout(60_000);
    for (var scheme : new String[] {"apiKey", "serviceAgentsApiKey"})
      ((ApiKeyAuth) client.getAuthentication(scheme)).setApiKey(given.get("WORKFLOW_API_KEY"));
    return client;
  }

  record Started(UUID id, String status) {}

  /** Null where nobody knows whether it took effect. */
  static Started start() throws ApiException {
    var workflow = UUID.fromString(given.get("WORKFLOW_ID"));
    var body = given.get("CERTIFY_REQUEST");
    try {
      if (given.get("CERTIFY_JOB").equals("async")) {
        var started = executions.execute(workflow, ExecuteRequest.fromJson(body));
        return new Started(started.getExecutionId(), started.getStatus().getValue());
      }
      return startSync(workflow, ExecuteSyncRequest.fromJson(body));
    } catch (ApiException error) {
      if (lost.contains(error.getCode())) return null;
      throw error;
    } catch (java.io.IOException | JsonParseException error) {
      return null;
    }
  }

  /** Of the two answers that succeed the generated method reads a 202 as if it were a 200. */
  static Started startSync(UUID workflow, ExecuteSyncRequest request) throws ApiException, java.io.IOException {
    try (Response answer = executions.executeSyncCall(workflow, request, null).execute()) {
      var text = answer.body().string();
      if (answer.code() == 200) {
        var ended = FinishedExecution.fromJson(text);
        return new Started(ended.getExecutionId(), ended.getStatus().getValue());
      }
      if (answer.code() != 202) throw new ApiException(answer.code(), answer.message());
      var going = UnfinishedExecution.fromJson(text);
      return new Started(going.getExecutionId(), going.getStatus().getValue());
    }
  }

  /** Null where nobody knows. */
  static Execution read(UUID id) throws ApiException {
    try {
      return executions.getExecution(id);
    } catch (ApiException error) {
      if (Set.of(400, 401, 403, 404).contains(error.getCode())) throw error;
      return null;
    } catch (IllegalArgumentException | JsonParseException error) {
      // A state that this client does not know.
      return null;
    }
  }

  static String follow(UUID id) throws ApiException, InterruptedException {
    while (true) {
      var execution = read(id);
      if (execution != null && ends.contains(execution.getStatus().getValue())) return execution.getStatus().getValue();
      Thread.sleep(200);
    }
  }

  static String run() throws ApiException, InterruptedException {
    var started = start();
    if (started != null) return ends.contains(started.status) ? started.status : follow(started.id);
    // It may have started: it is looked up before it is started again.
    try {
      return follow(UUID.fromString(given.get("CERTIFY_EXECUTION_ID")));
    } catch (ApiException error) {
      if (error.getCode() != 404) throw error;
      return follow(start().id);
    }
  }

  static String lookAfter() throws ApiException {
    var profiles = new AgentProfilesApi(client);
    var profile = UUID.fromString(given.get("PROFILE_ID"));
    profiles.updateProfile(profile, new AgentProfileUpdate().description("Looked after."));
    var copy = profiles.duplicateProfile(profile, new DuplicateProfileRequest());
    new AgentProfilePoolsApi(client).deletePool(UUID.fromString(given.get("POOL_ID")));
    return "copied " + copy.getName();
  }

  static String miss() throws Exception {
    try {
      executions.getExecution(UUID.fromString(given.get("CERTIFY_EXECUTION_ID")));
      return "found";
    } catch (ApiException error) {
      var body = NotFoundError.fromJson(error.getResponseBody());
      return "refused " + body.getCode() + " " + body.getMessage();
    }
  }

  public static void main(String[] args) throws Exception {
    System.out.println(
        switch (given.get("CERTIFY_JOB")) {
          case "profile" -> lookAfter();
          case "missing" -> miss();
          default -> "ended " + run();
        });
    System.exit(0);
  }
}
