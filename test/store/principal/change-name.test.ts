import assert from 'node:assert/strict';
import { SteadyClock } from '../../../src/shared/clock.js';
import { collection, operation, put } from '../../../src/store/index.js';
import { MemoryLogs } from '../../../src/store/log/memory-logs.js';
import { type NameChanger, nameChange } from '../../../src/store/principal/change-name.js';
import { Store } from '../../../src/store/store.js';
import { callerNamed } from '../../support/test-domain.js';

interface Note {
  readonly id: string;
  readonly owner: string;
  readonly readers: readonly string[];
  readonly author: string;
}

const notes = collection<Note>({
  name: 'note',
  columns: { owner: (it) => it.owner },
  multi: { reader: (it) => it.readers },
  indexes: { owner: { columns: ['owner'] } },
  principals: { owner: 'owner', 'readers[]': 'reader' },
});
const write = operation('write', (_state, some: readonly Note[]) => ({
  write: some.map((one) => put(notes, one)),
  answer: null,
}));
const note = (id: string, owner: string, ...readers: string[]): Note => ({ id, owner, readers, author: owner });

describe('a name in the documents of a partition', () => {
  let store: Store;
  const opened = async (...nameChangers: NameChanger[]) => {
    store = new Store({
      folder: null,
      logs: new MemoryLogs(),
      collections: [notes],
      operations: [write],
      nameChangers,
      evaluators: {},
      jobTypes: [],
      reactions: [],
      clock: new SteadyClock(),
      jobSlots: 1,
      callerOf: callerNamed,
    });
    return store.open('test', 'test');
  };
  afterEach(() => store.close(100));

  it('is changed wherever it is declared, forty documents at a time', async () => {
    const partition = await opened();
    const many = Array.from({ length: 230 }, (_, i) => note(`n${i}`, i % 2 === 0 ? 'ann' : 'bob', 'ann', `r${i}`));
    await partition.sendAsSystem(write, many);
    const rounds: number[] = [];
    do rounds.push(await partition.sendAsSystem(store.changeName, { from: 'ann', to: 'eve' }));
    while (rounds.at(-1) !== 0);
    assert.deepEqual(rounds, [40, 40, 40, 40, 40, 30, 0]);
    const state = partition.replica.read();
    assert.deepEqual(state.get(notes, 'n0'), { id: 'n0', owner: 'eve', readers: ['eve', 'r0'], author: 'ann' });
    assert.deepEqual(state.get(notes, 'n1'), { id: 'n1', owner: 'bob', readers: ['eve', 'r1'], author: 'bob' });
  });

  it('leaves documents alone that say only what somebody did', async () => {
    const partition = await opened();
    await partition.sendAsSystem(write, [{ ...note('n', 'bob', 'eve'), author: 'ann' }]);
    assert.equal(await partition.sendAsSystem(store.changeName, { from: 'ann', to: null }), 0);
  });

  it('is changed by the rule of its domain, which must not leave it there', async () => {
    const writing = (owner: string): NameChanger => ({
      collection: notes,
      change: (_state, found: readonly Note[]) => ({ write: found.map((one) => put(notes, { ...one, owner })) }),
    });
    const partition = await opened(writing('nobody'));
    await partition.sendAsSystem(write, [note('n', 'ann')]);
    assert.equal(await partition.sendAsSystem(store.changeName, { from: 'ann', to: null }), 1);
    assert.equal(partition.replica.read().get(notes, 'n')?.owner, 'nobody');
    const idle = nameChange([notes], [writing('ann')]);
    const context = { caller: callerNamed('x'), commandId: '', seed: '', answers: [] };
    await partition.sendAsSystem(write, [note('n', 'ann')]);
    assert.throws(() => idle.decide(partition.replica.read(), { from: 'ann', to: null }, context), /not to name 'ann'/);
  });
});
