import { JqFilters, languagesOf, RouteScripts } from '../../../expression/routes.js';
import { messageOf } from '../../../shared/errors.js';
import type { ThreadService } from '../../../shared/thread-service.js';
import { OperatorBeans } from '../../bean/operator-beans.js';
import { COMPONENTS } from '../../component/components.js';
import { resolvePlaceholders } from '../../model/placeholder.js';
import { PATTERNS } from '../../pattern/patterns.js';
import { InlineRuntime } from '../inline-runtime.js';
import { RouteContext } from '../route-context.js';
import { RouteStatistics } from '../route-statistics.js';
import { MachineTime, SettableTime } from '../runner-time.js';
import type { FromRoutes, LogLine, RouteQuestion, RouteThreadData, ToRoutes } from './messages.js';
import { ThreadFront } from './thread-front.js';
import { RemoteWorkspace } from './workspace-link.js';

/** How often it says that it is alive, in ms. */
const BEAT_MS = 500;
/** How many lines of the log go over at once. */
const LINES_MAX = 1000;

/** So many bytes of failed exchanges may wait to be kept. */
const UNKEPT_MAX = 64 * 1024 * 1024;

/** What is asked and waits for exchanges, which may wait for an instant. */
const WAITS: ReadonlySet<RouteQuestion['verb']> = new Set(['advance', 'call', 'send', 'stop', 'suspend'] as const);

/** The routes of one workspace, in a thread of their own. */
export async function inThread(
  data: RouteThreadData,
  say: (news: FromRoutes) => void,
): Promise<ThreadService<RouteQuestion, unknown, ToRoutes>> {
  return new RouteThread(data, say, data.beans === null ? undefined : await operatorBeans(data.beans, say));
}

/** Where the module does not load, whoever asks for a bean that is nowhere else is told so. */
async function operatorBeans(url: string, say: (news: FromRoutes) => void): Promise<OperatorBeans> {
  try {
    return new OperatorBeans((await import(url)) as Record<string, unknown>);
  } catch (thrown) {
    const why = messageOf(thrown);
    const message = `the module of beans ${url} could not be loaded: ${why}`;
    say({ kind: 'log', lines: [{ level: 'ERROR', logger: 'beans', message, exchangeId: null }] });
    return new OperatorBeans({}, why);
  }
}

class RouteThread implements ThreadService<RouteQuestion, unknown, ToRoutes> {
  readonly #context: RouteContext;
  readonly #runtime: InlineRuntime;
  readonly #say: (news: FromRoutes) => void;
  readonly #counters = new Map<string, SharedArrayBuffer>();
  readonly #numbers = new Map<string, number>();
  readonly #time: MachineTime | SettableTime;
  readonly #beat: NodeJS.Timeout;
  readonly #scripts = new RouteScripts();
  readonly #filters = new JqFilters();
  readonly #workspace: RemoteWorkspace;
  readonly #front: ThreadFront;
  #properties: Readonly<Record<string, string>>;
  #lines: LogLine[] = [];
  #ids = 0;

  constructor(
    { name, seed, beat, virtualNow, collectsSpans, properties, limits }: RouteThreadData,
    say: (news: FromRoutes) => void,
    operator: OperatorBeans | undefined,
  ) {
    this.#say = say;
    this.#properties = properties;
    this.#time = virtualNow === null ? new MachineTime() : new SettableTime(virtualNow);
    const beats = new Int32Array(beat);
    this.#beat = setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS);
    this.#workspace = new RemoteWorkspace((requests) => say({ kind: 'workspace', requests }));
    this.#front = new ThreadFront((messages) => say({ kind: 'http', messages }));
    this.#context = new RouteContext({
      name,
      time: this.#time,
      patterns: PATTERNS,
      components: COMPONENTS,
      host: { ...limits, workspace: this.#workspace, front: this.#front },
      operator,
      entered: (routeId) => {
        beats[1] = this.#numbers.get(routeId) ?? 0;
      },
      language: languagesOf(this.#scripts, this.#filters),
      resolved: (text) => resolvePlaceholders(text, (key) => this.#property(key)),
      property: (key) => this.#property(key),
      random: () => Math.random(),
      newId: () => `${seed}-${(++this.#ids).toString(16).padStart(12, '0')}`,
      log: (level, logger, message, exchange) =>
        this.#log({ level, logger, message, exchangeId: exchange?.id ?? null }),
      history: { send: (batch) => say({ kind: 'history', batch }), unkeptMax: UNKEPT_MAX, collectsSpans },
      counted: (meters) => say({ kind: 'counted', meters }),
    });
    this.#runtime = new InlineRuntime(this.#context, (routeId) => new RouteStatistics(this.#counters.get(routeId)));
  }

  answer(question: RouteQuestion): Promise<unknown> {
    if ('counters' in question) {
      const [{ routeId }] = question.args;
      this.#counters.set(routeId, question.counters);
      this.#numbers.set(routeId, question.number);
    }
    const { verb, args } = question;
    const runtime = this.#runtime as unknown as Record<typeof verb, (...given: typeof args) => Promise<unknown>>;
    // What is counted from then on is known before the answer is.
    const answer = runtime[verb](...args).finally(() => this.#context.meters.tell());
    return WAITS.has(verb) ? answer : this.#context.runner.underWay(answer);
  }

  hear(message: ToRoutes): void {
    if (message.kind === 'workspace') this.#workspace.take(message.answers);
    else if (message.kind === 'kept') this.#context.history?.kept(message.bytes);
    else if (message.kind === 'properties') this.#properties = message.properties;
    else for (const one of message.messages) this.#front.take(one);
  }

  end(): void {
    clearInterval(this.#beat);
    this.#context.close();
    this.#context.history?.flush();
    void this.#scripts.close();
    void this.#filters.close();
  }

  #property(key: string): string | undefined {
    return Object.hasOwn(this.#properties, key) ? this.#properties[key] : undefined;
  }

  #log(line: LogLine): void {
    if (this.#lines.length === 0) setImmediate(() => this.#tellLines());
    if (this.#lines.length < LINES_MAX) this.#lines.push(line);
  }

  #tellLines(): void {
    this.#say({ kind: 'log', lines: this.#lines });
    this.#lines = [];
  }
}
