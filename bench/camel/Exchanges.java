import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.camel.Exchange;
import org.apache.camel.ManagementStatisticsLevel;
import org.apache.camel.Producer;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;

/**
 * {@code Exchanges <file.yaml> <bare|history> <body> <ms>}: sends exchanges with the header {@code n} to direct:in, one after the other, and prints as JSON
 * how many there were and what they cost: the CPU time of the thread that sent them, and of all threads.
 */
public final class Exchanges {
    public static void main(String[] args) throws Exception {
        boolean keepsHistory = args[1].equals("history");
        long nanos = Long.parseLong(args[3]) * 1_000_000;
        try (DefaultCamelContext context = new DefaultCamelContext()) {
            context.getManagementStrategy().getManagementAgent().setStatisticsLevel(ManagementStatisticsLevel.Default);
            context.setMessageHistory(keepsHistory);
            String yaml = Files.readString(Path.of(args[0]));
            PluginHelper.getRoutesLoader(context).loadRoutes(ResourceHelper.fromString("bench.yaml", yaml));
            context.start();
            Producer producer = context.getEndpoint("direct:in").createProducer();
            producer.start();
            for (int warm = 0; warm < 5; warm++) run(context, producer, args[2], nanos / 2);
            var threads = ManagementFactory.getThreadMXBean();
            var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            long thread = threads.getCurrentThreadCpuTime();
            long all = system.getProcessCpuTime();
            long begun = System.nanoTime();
            long done = run(context, producer, args[2], nanos);
            System.out.printf(
                "{\"operations\":%d,\"wallMs\":%d,\"threadMicros\":%d,\"cpuMicros\":%d}%n",
                done,
                (System.nanoTime() - begun) / 1_000_000,
                (threads.getCurrentThreadCpuTime() - thread) / 1_000,
                (system.getProcessCpuTime() - all) / 1_000);
        }
    }

    private static long run(DefaultCamelContext context, Producer producer, String body, long nanos) throws Exception {
        MockEndpoint out = context.getEndpoint("mock:out?retainFirst=1", MockEndpoint.class);
        out.reset();
        out.setRetainFirst(1);
        long until = System.nanoTime() + nanos;
        long done = 0;
        do {
            for (int i = 0; i < 1_000; i++, done++) {
                Exchange exchange = producer.getEndpoint().createExchange();
                exchange.getIn().setBody(body);
                exchange.getIn().setHeader("n", i % 10);
                producer.process(exchange);
                if (exchange.getException() != null) throw exchange.getException();
            }
        } while (System.nanoTime() < until);
        for (int wait = 0; wait < 100 && out.getReceivedCounter() < done; wait++) Thread.sleep(10);
        if (out.getReceivedCounter() != done) throw new IllegalStateException("expected " + done + " at mock:out, but " + out.getReceivedCounter());
        return done;
    }
}
