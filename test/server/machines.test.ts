import assert from 'node:assert/strict';
import { buildASTSchema, type GraphQLEnumType, parse } from 'graphql';
import type { AnyStateMachine } from 'xstate';
import { uploadMachine, uploadPerformers } from '../../src/content/index.js';
import { processInstanceMachine, userTaskMachine } from '../../src/engine/index.js';
import { instancePerformers } from '../../src/engine/run/instance-changes.js';
import { taskPerformers } from '../../src/engine/run/task-changes.js';
import { readTypeDefs } from '../../src/graphql/make-schema.js';
import {
  type Actor,
  can,
  incidentMachine,
  incidentPerformers,
  jobMachine,
  jobPerformers,
  longJobMachine,
  longJobPerformers,
  start,
  step,
} from '../../src/store/index.js';

interface Inhabitant {
  readonly machine: AnyStateMachine;
  /** Of a new one, as the server makes it. */
  readonly context: object;
  /** Performers of what its transitions cause. */
  readonly performers: object;
  /** The schema's enum of its states; null: its states are not shown. */
  readonly shownAs: string | null;
  /** What its events say besides their type, by the type. */
  readonly said?: Readonly<Record<string, readonly object[]>>;
}

const users = [{ userId: 'ann' }, { userId: 'bob' }];

/** Every machine of the server. */
const machines: readonly Inhabitant[] = [
  {
    machine: userTaskMachine,
    context: { assignee: null, owner: null },
    performers: taskPerformers,
    shownAs: 'TaskState',
    said: {
      claim: users,
      assign: users,
      delegate: users,
      change: [null, ...users.map(({ userId }) => userId)].map((userId) => ({ userId, owner: 'carl' })),
    },
  },
  {
    machine: processInstanceMachine,
    context: { started: false },
    performers: instancePerformers,
    shownAs: 'ProcessInstanceState',
    said: { step: ['waiting', 'completed', 'cancelled', 'failed'].map((outcome) => ({ outcome })) },
  },
  {
    machine: jobMachine,
    context: { attempt: 0, retries: 2 },
    performers: jobPerformers,
    shownAs: 'JobState',
    said: { setRetries: [{ retries: 1 }] },
  },
  { machine: longJobMachine, context: { attempt: 0 }, performers: longJobPerformers, shownAs: 'LongJobStatus' },
  {
    machine: incidentMachine,
    context: { annotation: null },
    performers: incidentPerformers,
    shownAs: null,
    said: { resolve: [{}, { clear: true }], annotate: [{ annotation: 'mine' }] },
  },
  { machine: uploadMachine, context: {}, performers: uploadPerformers, shownAs: null },
];

/** Actors that are looked at: some count what they went through, and have no end of contexts. */
const WALK_MAX = 300;

/** The states and actions that the events lead to. */
function walk({ machine, context, said = {} }: Inhabitant): { states: Set<string>; caused: Set<string> } {
  const events = machine.events.flatMap((type: string) => (said[type] ?? [{}]).map((more) => ({ ...more, type })));
  const known = new Map<string, Actor>();
  const caused = new Set<string>();
  const open: Actor[] = [start(machine, context)];
  for (let actor = open.shift(); actor !== undefined && known.size < WALK_MAX; actor = open.shift()) {
    const key = JSON.stringify(actor);
    if (known.has(key)) continue;
    known.set(key, actor);
    for (const event of events) {
      if (!can(machine, actor, event)) continue;
      const [next, actions] = step(machine, actor, event);
      for (const { type } of actions) caused.add(type);
      open.push(next);
    }
  }
  return { states: new Set([...known.values()].map(({ value }) => value)), caused };
}

/** The actions that the machine names and does not do itself. */
const namedBy = ({ implementations }: AnyStateMachine): string[] =>
  Object.entries(implementations.actions)
    .filter(([, action]) => (action as { readonly type?: string }).type !== 'xstate.assign')
    .map(([name]) => name);

describe('the machines of the server', () => {
  const schema = buildASTSchema(
    parse(
      readTypeDefs()
        .map(({ body }) => body)
        .join('\n'),
    ),
    { assumeValidSDL: true },
  );

  for (const one of machines) {
    const { machine, performers, shownAs } = one;
    const { states, caused } = walk(one);

    it(`${machine.id}: each state can be reached`, () =>
      assert.deepEqual([...states].sort(), Object.keys(machine.states).sort()));

    it(`${machine.id}: each action that it names is caused by some transition, and performed`, () => {
      assert.deepEqual([...caused].sort(), namedBy(machine).sort());
      assert.deepEqual(Object.keys(performers).sort(), namedBy(machine).sort());
    });

    if (shownAs !== null) {
      it(`${machine.id}: its states are the values of ${shownAs}`, () => {
        const shown = (schema.getType(shownAs) as GraphQLEnumType).getValues().map(({ name }) => name);
        assert.deepEqual(Object.keys(machine.states).sort(), shown.sort());
      });
    }
  }

  it('open an incident whenever an attempt leaves a job dead', () => {
    const running: Actor = { value: 'running', context: { attempt: 1, retries: 1 } };
    for (const type of ['fail', 'kill'] as const) {
      const [{ value }, actions] = step(jobMachine, running as never, { type });
      assert.deepEqual([value, actions], ['dead', [{ type: 'store' }, { type: 'openIncident' }]]);
    }
  });
});
