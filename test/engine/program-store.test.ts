import assert from 'node:assert/strict';
import { type DefinitionModel, definitionModels } from '../../src/engine/collections.js';
import { ProgramStore } from '../../src/engine/program-store.js';
import { seedOf } from '../../src/shared/ids.js';
import { put } from '../../src/store/index.js';
import { MemoryDocuments, MemoryState } from '../support/memory-state.js';
import { program, start } from '../support/program.js';

/** The programs of three definitions, and which of them are read while these are looked up. */
function readBy(max: number | undefined, ...lookedUp: readonly string[]): string[] {
  const documents = new MemoryDocuments();
  const text = JSON.stringify(program({ s: start() }, []));
  const models = ['a', 'b', 'c'].map((id): DefinitionModel => ({ id, resourceId: 'r', text, pieces: 0 }));
  documents.apply(models.map((model) => put(definitionModels, model)));
  const state = new MemoryState(documents, seedOf('programs'), 0);
  const read: string[] = [];
  const get: typeof state.get = (collection, id) => {
    read.push(id);
    return state.get(collection, id);
  };
  const programs = new ProgramStore(max);
  for (const id of lookedUp) assert.equal(programs.of({ get }, id).key, 'process');
  return read;
}

describe('the programs of this process', () => {
  it('are read once', () => {
    assert.deepEqual(readBy(undefined, 'a', 'b', 'a', 'b', 'a'), ['a', 'b']);
  });

  it('are as many as it may keep, the least used forgotten first', () => {
    assert.deepEqual(readBy(3, 'a', 'b', 'c', 'a', 'b', 'c'), ['a', 'b', 'c']);
    assert.deepEqual(readBy(2, 'a', 'b', 'a', 'b'), ['a', 'b']);
    assert.deepEqual(readBy(2, 'a', 'b', 'a', 'c', 'a', 'b'), ['a', 'b', 'c', 'b']);
  });

  it('are not found of a definition that is gone', () => {
    const state = new MemoryState(new MemoryDocuments(), seedOf('programs'), 0);
    assert.equal(new ProgramStore().find(state, 'a'), undefined);
    assert.throws(() => new ProgramStore().of(state, 'a'), { code: 'NOT_FOUND' });
  });
});
