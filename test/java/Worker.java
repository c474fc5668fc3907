import java.util.Date;
import java.util.Map;
import org.camunda.bpm.client.ExternalTaskClient;
import org.camunda.bpm.client.interceptor.auth.BasicAuthProvider;
import org.camunda.bpm.client.task.ExternalTask;
import org.camunda.bpm.client.task.ExternalTaskService;
import org.camunda.bpm.engine.variable.Variables;

/** A worker by Camunda's own client: Worker URL USER PASSWORD TOPIC WORK. Prints a line for each task that it has. */
public class Worker {
  public static void main(String[] args) {
    var client = ExternalTaskClient.create().baseUrl(args[0])
        .addInterceptor(new BasicAuthProvider(args[1], args[2]))
        .asyncResponseTimeout(10_000).maxTasks(3).disableBackoffStrategy().build();
    var does = Map.<String, org.camunda.bpm.client.task.ExternalTaskHandler>of(
        "typed", Worker::typed, "life", Worker::life, "hang", Worker::hang, "complete", Worker::complete);
    client.subscribe(args[3]).lockDuration(args[4].equals("hang") ? 700 : 20_000).handler((task, service) -> {
      System.out.println(task.getId());
      does.get(args[4]).execute(task, service);
    }).open();
  }

  static void typed(ExternalTask task, ExternalTaskService service) {
    Integer i = task.getVariable("i");
    Date d = task.getVariable("d");
    var all = Variables.createVariables()
        .putValue("sum", i + 1)
        .putValue("later", new Date(d.getTime() + 1000))
        .putValueTyped("big", Variables.longValue(1L << 40))
        .putValue("x", 1.5).putValue("yes", true).putValue("gone", null)
        .putValue("seen", task.getVariable("j").toString() + task.getBusinessKey())
        .putValueTyped("file", Variables.fileValue("a.txt").file("hi".getBytes()).mimeType("text/plain").create());
    service.setVariables(task.getProcessInstanceId(), Map.of("before", "set"));
    service.complete(task, all, Variables.createVariables().putValue("own", 1));
  }

  static void life(ExternalTask task, ExternalTaskService service) {
    service.extendLock(task, 20_000);
    if (task.getRetries() == null) service.handleFailure(task, "away", "x", 2, 1);
    else if (task.getRetries() == 2) {
      service.handleFailure(task.getId(), "again", "y", 1, 1);
    } else service.handleBpmnError(task, "DECLINED", task.getErrorMessage(), Map.of("why", "poor"));
  }

  static void hang(ExternalTask task, ExternalTaskService service) {
    try {
      Thread.sleep(Long.MAX_VALUE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static void complete(ExternalTask task, ExternalTaskService service) {
    service.complete(task);
  }
}
