import type { Caller } from '../../src/shared/caller.js';
import { ServiceError } from '../../src/shared/errors.js';
import { collection, operation, put, remove } from '../../src/store/index.js';

/** A small domain for the store's own tests: named counters in groups. */
export interface Counter {
  readonly id: string;
  readonly group: string;
  readonly value: number;
  readonly tags: readonly string[];
}

export const counters = collection<Counter>({
  name: 'counter',
  columns: { group: (c) => c.group, value: (c) => c.value, name: (c) => c.id },
  multi: { tag: (c) => c.tags },
  indexes: {
    group: { columns: ['group', 'value'], seldomTied: true },
    value: { columns: ['value'] },
    member: { columns: ['group', 'name'], unique: true },
  },
});

export const add = operation('add', (state, { id, by, group }: { id: string; by: number; group?: string }) => {
  const before = state.get(counters, id) ?? { id, group: group ?? 'g', value: 0, tags: [] };
  const after = { ...before, value: before.value + by };
  if (after.value < 0) throw new ServiceError('CONFLICT', `counter '${id}' would be ${after.value}`);
  const events = [{ type: 'counter.changed', ids: { counterId: id }, data: after }];
  return { write: [put(counters, after)], events, answer: after.value };
});

export const set = operation('set', (_state, counter: Counter) => ({ write: [put(counters, counter)], answer: null }));

export const drop = operation('drop', (_state, { id }: { id: string }) => ({
  write: [remove(counters, id)],
  answer: null,
}));

export const total = operation('total', (state, { group }: { group: string }) => ({
  answer: state.find(counters, 'group', [group]).reduce((sum, counter) => sum + counter.value, 0),
}));

/** Asks for a number and adds it, one command after the other per counter. */
export const addAsked = operation(
  'addAsked',
  (state, { id, question }: { id: string; question: string }, { answers }) => {
    const [first] = answers;
    if (first === undefined) return { ask: { kind: 'number', question } };
    if ('error' in first.answer) throw new ServiceError('EXECUTION_FAILED', first.answer.error.message);
    const before = state.get(counters, id) ?? { id, group: 'g', value: 0, tags: [] };
    return { write: [put(counters, { ...before, value: before.value + Number(first.answer.value) })], answer: null };
  },
  (_state, { id }) => id,
);

export const testOperations = [add, set, drop, total, addAsked];

export const callerNamed = (userId: string): Caller => ({
  userId,
  groups: ['everyone'],
  roles: [],
  sessionId: null,
  workspace: 'test',
  cause: {},
});
