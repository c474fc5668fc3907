import { ExchangeFailure } from '../../expression/routes.js';
import { nearest } from '../../shared/nearest.js';
import { matchesAnt } from '../component/file/file-filter.js';
import { isKnownException } from '../error/java-exceptions.js';
import { STRATEGIES, strategyOfClass } from '../pattern/aggregation-strategy.js';
import { DefinedBean } from '../pattern/defined-bean.js';
import { MEMORY_REPOSITORY, repositoryOfClass } from '../pattern/idempotent-repository.js';

/** Values of an instance of a class: the arguments of its constructor, and the properties that are set then. */
export interface BeanValues {
  readonly constructors: readonly unknown[];
  readonly properties: Readonly<Record<string, unknown>>;
}

type Make = (given: BeanValues) => unknown;

const values = ({ properties }: BeanValues) => properties;
const first = ({ constructors, properties }: BeanValues, name: string): unknown => constructors[0] ?? properties[name];

const map: Make = (given) => new Map(Object.entries(values(given)));
const list: Make = ({ constructors }) => [...constructors];
const set: Make = ({ constructors }) => new Set(constructors);
const number: Make = (given) => Number(first(given, 'value') ?? 0);
const counter: Make = (given) => new AtomicNumber(Number(first(given, 'value') ?? 0));
const errorHandler =
  (kind: string): Make =>
  ({ properties }) =>
    new DefinedBean('errorHandler', kind, properties);
const loadBalancer =
  (kind: string): Make =>
  ({ properties }) =>
    new DefinedBean('loadBalancer', kind, properties);

const [AGGREGATE, BALANCER] = ['org.apache.camel.processor.aggregate', 'org.apache.camel.processor.loadbalancer'];
const [ERROR, BUILDER] = ['org.apache.camel.model.errorhandler', 'org.apache.camel.builder'];

/** Classes of Camel's and Java's that routes name, beside exceptions: what an instance of each is here. */
const CLASSES: Readonly<Record<string, Make>> = {
  ...Object.fromEntries(
    STRATEGIES.map((name): [string, Make] => [name, (given) => strategyOfClass(name, values(given))]),
  ),
  [MEMORY_REPOSITORY]: (given) => repositoryOfClass(MEMORY_REPOSITORY, values(given)),
  [`${AGGREGATE}.MemoryAggregationRepository`]: ({ properties }) =>
    new DefinedBean('aggregationRepository', 'memory', properties),
  'org.apache.camel.component.file.AntPathMatcherGenericFileFilter': antFilter,
  'org.apache.camel.processor.errorhandler.RedeliveryPolicy': values,
  [`${ERROR}.DeadLetterChannelDefinition`]: errorHandler('deadLetterChannel'),
  [`${ERROR}.DefaultErrorHandlerDefinition`]: errorHandler('defaultErrorHandler'),
  [`${ERROR}.NoErrorHandlerDefinition`]: errorHandler('noErrorHandler'),
  [`${BUILDER}.DeadLetterChannelBuilder`]: (given) =>
    new DefinedBean('errorHandler', 'deadLetterChannel', {
      ...(given.constructors[0] !== undefined && { deadLetterUri: given.constructors[0] }),
      ...given.properties,
    }),
  [`${BUILDER}.DefaultErrorHandlerBuilder`]: errorHandler('defaultErrorHandler'),
  [`${BUILDER}.NoErrorHandlerBuilder`]: errorHandler('noErrorHandler'),
  [`${BALANCER}.FailOverLoadBalancer`]: loadBalancer('failoverLoadBalancer'),
  [`${BALANCER}.RandomLoadBalancer`]: loadBalancer('randomLoadBalancer'),
  [`${BALANCER}.RoundRobinLoadBalancer`]: loadBalancer('roundRobinLoadBalancer'),
  [`${BALANCER}.TopicLoadBalancer`]: loadBalancer('topicLoadBalancer'),
  'java.lang.Boolean': (given) => String(first(given, 'value')) === 'true',
  'java.lang.Double': number,
  'java.lang.Integer': number,
  'java.lang.Long': number,
  'java.lang.Object': values,
  'java.lang.String': (given) => String(first(given, 'value') ?? ''),
  'java.util.ArrayList': list,
  'java.util.HashMap': map,
  'java.util.HashSet': set,
  'java.util.LinkedHashMap': map,
  'java.util.LinkedHashSet': set,
  'java.util.LinkedList': list,
  'java.util.Properties': map,
  'java.util.TreeMap': map,
  'java.util.concurrent.ConcurrentHashMap': map,
  'java.util.concurrent.atomic.AtomicInteger': counter,
  'java.util.concurrent.atomic.AtomicLong': counter,
};

/** An instance of a class of Java. @throws `ClassNotFoundException` where it is none of those that are known here; `where` begins its message */
export function javaInstance(className: string, given: BeanValues, where: string): unknown {
  const make = Object.hasOwn(CLASSES, className) ? CLASSES[className] : undefined;
  if (make !== undefined) return make(given);
  if (isKnownException(className)) return new ExchangeFailure(className, String(first(given, 'message') ?? ''));
  const meant = nearest(className, Object.keys(CLASSES), 4);
  throw new ExchangeFailure(
    'java.lang.ClassNotFoundException',
    `${where}the class ${className} does not exist here${meant === undefined ? '' : `; the nearest is ${meant}`}. There are ${Object.keys(CLASSES).join(', ')}, the exceptions of Java and Camel, classes of the operator's module (MILLRACE_BEANS), and JavaScript (scriptLanguage: js)`,
  );
}

/** Lets files through by their paths below the directory. */
function antFilter({ properties }: BeanValues) {
  const patterns = (value: unknown) =>
    String(value ?? '')
      .split(',')
      .map((pattern) => pattern.trim())
      .filter((pattern) => pattern !== '');
  const [includes, excludes] = [patterns(properties.includes), patterns(properties.excludes)];
  const folds = String(properties.caseSensitive ?? true) === 'false';
  const fold = (text: string) => (folds ? text.toLowerCase() : text);
  const isOf = (path: string) => (pattern: string) => matchesAnt(fold(pattern), fold(path));
  return {
    accept({ name }: { readonly name: string }, isDirectory: boolean): boolean {
      if (isDirectory) return true;
      if (excludes.some(isOf(name))) return false;
      return includes.length === 0 || includes.some(isOf(name));
    },
  };
}

/** A number that beans count by, as Java's atomic ones. */
class AtomicNumber {
  #value: number;

  constructor(value: number) {
    this.#value = value;
  }

  get(): number {
    return this.#value;
  }

  set(value: number): void {
    this.#value = Number(value);
  }

  incrementAndGet(): number {
    return ++this.#value;
  }

  getAndIncrement(): number {
    return this.#value++;
  }

  decrementAndGet(): number {
    return --this.#value;
  }

  getAndDecrement(): number {
    return this.#value--;
  }

  addAndGet(value: number): number {
    this.#value += Number(value);
    return this.#value;
  }

  toString(): string {
    return String(this.#value);
  }
}
