import { getters } from './prelude-variables.js';

/**
 * Functions that the prelude hands to the interpreter as text, so they use JavaScript and each other, nothing else: a script's world, which is the
 * same at every run, and its task.
 */

/** The time stands still while a script runs. */
export function stopClock(now: number): void {
  const RealDate = Date;
  function FixedDate(...args: unknown[]): unknown {
    if (new.target === undefined) return new RealDate(now).toString();
    return Reflect.construct(RealDate, args.length === 0 ? [now] : args, new.target);
  }
  Object.defineProperty(FixedDate, 'name', { value: 'Date' });
  FixedDate.prototype = RealDate.prototype;
  FixedDate.UTC = RealDate.UTC;
  FixedDate.parse = RealDate.parse;
  FixedDate.now = () => now;
  Object.defineProperty(RealDate.prototype, 'constructor', { value: FixedDate, writable: true, configurable: true });
  Object.defineProperty(globalThis, 'Date', { value: FixedDate, writable: true, configurable: true });
}

/** xoshiro128**: a small generator of 32-bit words. */
export function seedRandom(seed: readonly number[]): void {
  let [a = 0, b = 0, c = 0, d = 1] = seed.map((word) => word | 0);
  Math.random = () => {
    const product = Math.imul(b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result / 0x1_0000_0000;
  };
}

type Facts = Readonly<Record<string, unknown>>;

/** Camunda's DelegateTask: a setter or an assignment changes what the script sees at once, and the task when it has ended. */
export function describeTask(facts: Facts, variables: Facts, calls: [string, unknown][]): unknown {
  const { candidateUsers, candidateGroups, createTime, ...plain } = facts;
  const task = getters(plain);
  const isDated = typeof createTime === 'string';
  const created = () => (isDated ? new Date(createTime) : null);
  Object.defineProperty(task, 'createTime', { get: created, enumerable: true });
  task.getCreateTime = created;
  for (const name of ['name', 'description', 'assignee', 'owner', 'priority', 'dueDate', 'followUpDate']) {
    const capital = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    let present = facts[name] ?? null;
    const get = () => present;
    const set = (value: unknown) => {
      present = value ?? null;
      calls.push([`set${capital}`, present]);
    };
    Object.defineProperty(task, name, { get, set, enumerable: true });
    Object.assign(task, { [`get${capital}`]: get, [`set${capital}`]: set });
  }
  task.complete = () => void calls.push(['complete', null]);
  const links = candidateLinks(task, { id: facts.id, users: candidateUsers, groups: candidateGroups }, calls);
  Object.defineProperty(task, 'candidates', { get: links, enumerable: true });
  task.getCandidates = links;
  return Object.assign(task, variables);
}

/** Gives the task the methods that change its candidates; gives what lists them, as Camunda's IdentityLinks. */
export function candidateLinks(
  task: Record<string, unknown>,
  given: { readonly id: unknown; readonly users: unknown; readonly groups: unknown },
  calls: [string, unknown][],
): () => unknown[] {
  const listOf = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(String);
  const users = new Set(listOf(given.users ?? []));
  const groups = new Set(listOf(given.groups ?? []));
  const change = (kind: string, present: Set<string>) => {
    const method = (name: string, apply: (id: string) => unknown) => {
      task[name] = (value: unknown) => {
        listOf(value ?? []).forEach(apply);
        calls.push([name, value ?? null]);
      };
    };
    method(`add${kind}`, (id) => present.add(id));
    method(`add${kind}s`, (id) => present.add(id));
    method(`delete${kind}`, (id) => present.delete(id));
  };
  change('CandidateUser', users);
  change('CandidateGroup', groups);
  const link = (who: object) => getters({ userId: null, groupId: null, type: 'candidate', taskId: given.id, ...who });
  return () => [...[...users].map((userId) => link({ userId })), ...[...groups].map((groupId) => link({ groupId }))];
}
