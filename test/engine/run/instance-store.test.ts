import assert from 'node:assert/strict';
import { largeVariables, textPieces } from '../../../src/engine/collections.js';
import type { TypedValue } from '../../../src/engine/element/instance-state.js';
import { typed } from '../../../src/engine/element/native.js';
import { Changes } from '../../../src/engine/run/changes.js';
import { namesIn, storeInstance } from '../../../src/engine/run/instance-store.js';
import { rehydrate } from '../../../src/engine/run/load-instance.js';
import { piecesOf } from '../../../src/engine/run/stored-text.js';
import { bpmn, element, line } from '../../support/bpmn.js';
import { EngineHarness } from '../../support/engine-harness.js';

/** A text whose JSON has this many characters. */
const sized = (characters: number) => 'x'.repeat(characters - 2);

/** An instance that waits in a user task, without variables; `write` sets variables of its process, and stores it. */
async function waiting() {
  const engine = new EngineHarness();
  await engine.deploy(bpmn(line(['work'], element('userTask', 'work'))));
  const id = await engine.start();
  const write = (change: (variables: Record<string, TypedValue>) => void) => {
    const state = engine.state();
    const loaded = rehydrate(state, engine.instance(id));
    const [scope] = loaded.state.scopes;
    assert.ok(scope !== undefined);
    change(scope.variables);
    const changes = new Changes();
    storeInstance(changes, state, loaded, loaded.document);
    const { write: writes } = changes.decision(null);
    engine.documents.apply(writes ?? []);
    return (writes ?? []).flatMap(({ collection, document, id: of }) =>
      collection.name === 'processInstance' ? [] : [`${document === null ? '-' : '+'}${of.slice(id.length + 1)}`],
    );
  };
  /** Sets these, and gives the names of those that do not stay in the instance's document. */
  const spilled = (values: Readonly<Record<string, unknown>>) => {
    write((variables) => {
      for (const name of Object.keys(variables)) delete variables[name];
      for (const [name, value] of Object.entries(values)) variables[name] = typed(value);
    });
    assert.deepEqual(engine.variables(id), values);
    return engine.instance(id).spilled.map(({ name }) => name);
  };
  return { engine, id, write, spilled };
}

describe('variables of a stored instance', () => {
  it('stay in its document up to 1,024 characters each', async () => {
    const { spilled } = await waiting();
    assert.deepEqual(spilled({ a: sized(1024), b: sized(1025), c: 1 }), ['b']);
  });

  it('stay in its document up to 16,384 characters together, in the order of their names in it', async () => {
    const { spilled } = await waiting();
    const sixteen = Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`v${n}`, sized(1024)]));
    assert.deepEqual(spilled(sixteen), []);
    assert.deepEqual(spilled({ ...sixteen, w: 1 }), ['w']);
    assert.deepEqual(spilled({ ...sixteen, v15: sized(1023), w: 1, x: 1 }), ['x']);
  });

  it('are named together, wherever they are', async () => {
    const { engine, id, spilled } = await waiting();
    spilled({ small: 1, large: sized(2000) });
    assert.deepEqual(namesIn(engine.instance(id), 0), ['small', 'large']);
    assert.deepEqual(namesIn(engine.instance(id), 99), []);
    assert.deepEqual(namesIn(engine.instance(id), undefined), []);
  });

  it('that are large are written where their value or its type is another, and removed where they are gone or small', async () => {
    const { engine, id, write, spilled } = await waiting();
    spilled({ a: sized(2000), b: sized(3000) });
    assert.deepEqual(
      write(() => {}),
      [],
      'what nobody looked at',
    );
    const same = (variables: Record<string, TypedValue>) => {
      variables.a = typed(sized(2000));
      assert.equal(variables.b?.value, sized(3000));
    };
    assert.deepEqual(write(same), ['+0/a'], 'a value that was set without a look at the one before it');
    const seen = (variables: Record<string, TypedValue>) => {
      assert.equal(variables.a?.value, sized(2000));
      variables.a = typed(sized(2000));
    };
    assert.deepEqual(write(seen), [], 'the same value as before');
    const another = (variables: Record<string, TypedValue>) => {
      assert.equal(variables.a?.type, 'String');
      variables.a = { type: 'Date', value: sized(2000) };
    };
    assert.deepEqual(write(another), ['+0/a']);
    assert.equal(engine.get(largeVariables, `${id}/0/a`)?.type, 'Date');
    assert.deepEqual(
      write((variables) => {
        variables.a = typed(1);
        delete variables.b;
      }),
      ['-0/a', '-0/b'],
    );
    assert.deepEqual(engine.all(largeVariables), []);
  });

  it('that are large are not read where nobody looks at them', async () => {
    const { engine, id, spilled } = await waiting();
    spilled({ a: sized(2000), b: sized(50_000) });
    const blind = engine.state(undefined, 0);
    const loaded = rehydrate(blind, engine.instance(id));
    const changes = new Changes();
    storeInstance(changes, blind, loaded, loaded.document);
    assert.equal(changes.size, 1);
    assert.throws(() => loaded.state.scopes[0]?.variables.a?.value, { code: 'LIMIT_EXCEEDED' });
  });

  it('beyond 40,000 characters are kept in pieces, which go with them', async () => {
    const { engine, write, spilled } = await waiting();
    const ofInstance = () => engine.all(textPieces).filter(({ owner }) => owner.includes('/0/')).length;
    spilled({ a: sized(40_000) });
    assert.equal(ofInstance(), 0);
    spilled({ a: sized(40_001) });
    assert.equal(ofInstance(), 2);
    spilled({ a: sized(80_000) });
    assert.equal(ofInstance(), 2);
    spilled({ a: sized(80_001) });
    assert.equal(ofInstance(), 3);
    spilled({ a: sized(50_000) });
    assert.equal(ofInstance(), 2);
    const gone = write((variables) => {
      delete variables.a;
    });
    assert.deepEqual(gone, ['-0/a#0', '-0/a#1', '-0/a']);
    assert.equal(ofInstance(), 0);
    const pieces = [40_000, 40_001, 80_000, 80_001].map((length) => piecesOf('x'.repeat(length)));
    assert.deepEqual(pieces, [0, 2, 2, 3], 'as it is counted before they are written');
  });

  it('are no more than its document can hold, with their names and types', async () => {
    const { engine, id } = await waiting();
    const stored = (count: number, last: string) => {
      const loaded = rehydrate(engine.state(), engine.instance(id));
      const [scope] = loaded.state.scopes;
      assert.ok(scope !== undefined);
      for (let n = 0; n < count; n++) scope.variables[`${n}`.padEnd(255, 'n')] = typed(1);
      scope.variables[last] = typed(1);
      storeInstance(new Changes(), engine.state(), loaded, loaded.document);
    };
    // Each of them: a name of 255 characters, its type, one character, and 24 around them.
    const each = 255 + 'Integer'.length + 1 + '"":{"type":"","value":},'.length;
    const count = Math.floor(262_144 / each) - 1;
    const rest = 262_144 - count * each - (each - 255);
    stored(count, 'm'.repeat(rest));
    assert.throws(() => stored(count, 'm'.repeat(rest + 1)), {
      code: 'LIMIT_EXCEEDED',
      message: /at most 262144 characters of small variables .* but found 262145$/,
    });
  });

  it('are no more than 400 large ones at once, and none beyond 4,000,000 characters', async () => {
    const { spilled } = await waiting();
    const many = (length: number) => Object.fromEntries(Array.from({ length }, (_, n) => [`v${n}`, sized(1025)]));
    assert.equal(spilled(many(400)).length, 400);
    assert.throws(() => spilled({ ...many(400), w: sized(1025), v0: sized(1026) }) && spilled(many(402)), {
      code: 'LIMIT_EXCEEDED',
      message: /at most 400 variables .* but found 40[12]$/,
    });
    assert.deepEqual(spilled({ a: sized(4_000_000) }), ['a']);
    assert.throws(() => spilled({ a: sized(4_000_001) }), { code: 'LIMIT_EXCEEDED', message: /4000000/ });
  });
});
