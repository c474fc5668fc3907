import {
  multiTableOf,
  type QueryContext,
  type ReaderQuery,
  snapshotState,
  tableOf,
  traceOf,
} from '../../store/documents.js';
import {
  instanceParts,
  largeVariables,
  processInstances,
  SOUGHT_SINCE,
  type Subscription,
  soughtBy,
  soughtSince,
  subscriptions,
} from '../collections.js';
import type { CorrelationKey } from '../rule/correlation-key.js';
import {
  isFor,
  type Message,
  planReceivers,
  type ReceiversPlan,
  type ReceiversQuestion,
} from '../run/waiting-receivers.js';

/** Who waits for a message and has the variables that it seeks, among however many that wait. */
export const messageReceivers: ReaderQuery<ReceiversQuestion, ReceiversPlan> = {
  name: 'messageReceivers',
  run: (context, question) => {
    const state = snapshotState(context, question.partition, question.now);
    return planReceivers(state, question, sieved(context, state, question));
  },
};

/** Those that wait and may have the variables: of most that have not, the text tells it, and they are not read. */
function* sieved(
  { log }: QueryContext,
  state: ReturnType<typeof snapshotState>,
  { message, after }: ReceiversQuestion,
): Generator<Subscription> {
  const sieves = [...(message.keys ?? []), ...(message.localKeys ?? [])].map(sieveOf);
  const { sql, values } = statementOf(message, after, state.get(soughtSince, SOUGHT_SINCE)?.subscriptionId);
  for (const row of log.prepare(sql).iterate(...values)) {
    const [id, text] = [String(row.id), String(row.body)];
    const isApart = row.large === 1 || row.parts === 1;
    if (!isApart && !sieves.every((passes) => passes(id, text))) continue;
    const subscription = state.get(subscriptions, String(row.receiver));
    if (subscription !== undefined && isFor(state, message, subscription)) yield subscription;
  }
}

/** The instances of those that wait for the message and may have the variables, and whether some of these are stored apart. */
function statementOf(message: Message, after: string | null, since: string | undefined) {
  const { messageName, businessKey, processInstanceId } = message;
  const has = (table: string) => `EXISTS (SELECT 1 FROM ${table} apart WHERE apart.c_instanceId = i.id)`;
  const conditions: readonly (readonly [sql: string, ...values: readonly string[]])[] = [
    ["s.c_eventType = 'message' AND s.c_receiver = 'instance' AND s.c_eventName = ?", messageName],
    ['s.id > ?', after ?? ''],
    ...(businessKey ? [['s.c_businessKey = ?', businessKey] as const] : []),
    ...(processInstanceId ? [['s.c_instanceId = ?', processInstanceId] as const] : []),
    ...(since === undefined ? [] : [foundBy(message, since)]),
  ];
  const sql = `SELECT s.id AS receiver, i.id AS id, i.body AS body, ${has(tableOf(largeVariables))} AS large, ${has(tableOf(instanceParts))} AS parts
    FROM ${tableOf(subscriptions)} s JOIN ${tableOf(processInstances)} i ON i.id = s.c_instanceId
    WHERE ${conditions.map(([condition]) => condition).join(' AND ')} ORDER BY s.id`;
  return { sql, values: conditions.flatMap(([, ...values]) => values) };
}

/** All variables that are sought are in the instance, or it came to wait before instances were found by them. */
function foundBy({ keys = [], localKeys = [] }: Message, since: string): readonly [sql: string, ...values: string[]] {
  const values = [...keys, ...localKeys].map(({ name, value }) => soughtBy(name, value));
  const having = values.map((any) => {
    const places = any.map(() => '?').join(', ');
    return `s.c_instanceId IN (SELECT id FROM ${multiTableOf(processInstances, 'sought')} WHERE value IN (${places})
      UNION ALL SELECT part.c_instanceId FROM ${multiTableOf(instanceParts, 'sought')} m JOIN ${tableOf(instanceParts)} part ON part.id = m.id WHERE m.value IN (${places}))`;
  });
  return [`(s.id < ? OR ${having.join(' AND ')})`, since, ...values.flatMap((any) => [...any, ...any])];
}

type Sieve = (id: string, text: string) => boolean;

/** Numbers from here on are told by what stands for them where they occur again. */
const LARGE_NUMBER = 1_000_000_000;

/** False: the instance of this text surely has no such variable in it. */
function sieveOf({ name, value }: CorrelationKey): Sieve {
  if (typeof value === 'string') {
    const trace = traceOf(value);
    return trace === undefined ? () => true : (id, text) => text.includes(trace) || id === value;
  }
  if (typeof value === 'number' && value >= LARGE_NUMBER) return (_, text) => text.includes(String(value));
  if (typeof value !== 'number' && typeof value !== 'boolean') return () => true;
  // The variable is an object, or a list in its place, of type, value and what else there is to tell.
  const written = new RegExp(`${escaped(JSON.stringify(name))}:[[{][^\\]}]*[,:]${escaped(String(value))}[,\\]}]`);
  return (_, text) => written.test(text);
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
