import assert from 'node:assert/strict';
import { createNode } from '../../../src/content/edit/create-node.js';
import { moveNode, renameNode } from '../../../src/content/edit/move-node.js';
import { Change } from '../../../src/content/tree/change.js';
import type { NodeChanged } from '../../../src/content/tree/change-event.js';
import { contentOperation } from '../../../src/content/tree/content-operation.js';
import { nodes } from '../../../src/content/tree/node.js';
import { addFile } from '../../../src/content/upload/create-file.js';
import { systemCaller } from '../../../src/shared/caller.js';
import type { State } from '../../../src/store/index.js';
import { MemoryRepository } from '../support/memory-repository.js';
import { ADMIN, memoryTree } from '../support/tree.js';

const caller = { ...systemCaller('test'), userId: 'admin', roles: ['administrator'] };
const unstructured = (path: string, name: string, more = {}) => ({ path, name, nodeType: 'nt:unstructured', ...more });
const asked = ['get', 'find', 'findMulti', 'count', 'nth', 'range'] as const;

/** The state, and what is asked of it. */
function watched(state: State): { readonly state: State; readonly questions: string[] } {
  const questions: string[] = [];
  const told = new Proxy(state, {
    get: (target, method) => {
      const found = Reflect.get(target, method, target) as unknown;
      if (!asked.some((name) => name === method) || typeof found !== 'function') return found;
      return (...args: { readonly name?: string }[]) => {
        questions.push([method, args[0]?.name, ...args.slice(1).map((arg) => JSON.stringify(arg))].join(' '));
        return (found as (...args: unknown[]) => unknown).apply(target, args);
      };
    },
  });
  return { state: told, questions };
}

/** Does the work as a commit of its own; gives what was asked of the state. */
function changing(repository: MemoryRepository, work: (change: Change) => void): readonly string[] {
  let asked: readonly string[] = [];
  const decide = (given: State) => {
    const { state, questions } = watched(given);
    work(new Change(state, caller));
    asked = questions;
    return { answer: null };
  };
  repository.do({ name: 'look', decide }, null);
  return asked;
}

function pathsOf(change: Change): string[] {
  const { events = [] } = change.decision(null);
  return events.map(({ data }) => (data as NodeChanged).path);
}

describe('a change of the tree', () => {
  it('asks once for where it adds nodes, once for each name, and nothing of the new nodes themselves', () => {
    const repository = new MemoryRepository();
    repository.do(createNode.operation, unstructured('/content', 'a'));
    repository.do(createNode.operation, unstructured('/content/a', 'b'));
    const questions = (names: readonly string[]) => {
      const paths = names.map((name) => `/content/a/b/${name}`);
      return changing(repository, (change) => {
        for (const name of names) createNode.apply(change, unstructured('/content/a/b', name));
        assert.deepEqual(pathsOf(change), paths);
      });
    };
    const one = questions(['n0']);
    const ten = questions(Array.from({ length: 10 }, (_, n) => `n${n}`));
    assert.equal(ten.length - one.length, 9, ten.join('\n'));
    assert.deepEqual(
      ten.filter((question) => !one.includes(question)),
      Array.from({ length: 9 }, (_, n) =>
        one.find((question) => question.includes('"n0"'))?.replace('n0', `n${n + 1}`),
      ),
    );
  });

  it('asks for nothing below a node that it has added', () => {
    const repository = new MemoryRepository();
    const content = { inline: 'QQ==', size: 1 };
    const questions = changing(repository, (change) => {
      addFile(change, change.at('/content'), { name: 'f', type: 'nt:file', content, mimeType: null });
      assert.deepEqual(pathsOf(change), ['/content/f']);
    });
    const names = questions.filter((question) => question.startsWith('find node'));
    assert.equal(names.filter((question) => question.includes('jcr:content')).length, 0, names.join('\n'));
  });

  it('reads as many documents as its operation may, by default a thousand', async () => {
    const tree = await memoryTree();
    const read = (limits?: { reads: number; writes: number }) => {
      const operation = contentOperation(
        'read',
        (change) => Array.from({ length: 1_100 }, (_, n) => change.draft.get(nodes, `n${n}`)).length,
        limits,
      );
      return tree.harness.run(operation.operation, null, ADMIN);
    };
    await assert.rejects(read(), { code: 'LIMIT_EXCEEDED' });
    assert.equal(await read({ reads: 2_000, writes: 500 }), 1_100);
  });

  it('tells nodes of one name apart, whatever happens to them between', () => {
    const repository = new MemoryRepository();
    for (const name of ['a', 'b']) repository.do(createNode.operation, unstructured('/content', name));
    changing(repository, (change) => {
      const add = (path: string) =>
        createNode.apply(change, unstructured(path, 'x', { allowSameNameSiblings: true })) as { nodeId: string };
      const [first, second] = [add('/content/a'), add('/content/a')];
      const inner = add('/content/a/x');
      const pathOf = ({ nodeId }: { nodeId: string }) => {
        const node = change.tree.get(nodeId);
        return node && change.pathOf(node);
      };
      assert.deepEqual([first, second, inner].map(pathOf), ['/content/a/x', '/content/a/x[2]', '/content/a/x/x']);
      assert.equal(change.at('/content/a/x[2]').id, second.nodeId);
      moveNode.apply(change, { sourcePath: '/content/a/x', destPath: '/content/b' });
      assert.deepEqual([first, second, inner].map(pathOf), ['/content/b/x', '/content/a/x', '/content/b/x/x']);
      assert.equal(change.at('/content/a/x').id, second.nodeId);
      renameNode.apply(change, { path: '/content/b', name: 'c' });
      assert.equal(pathOf(inner), '/content/c/x/x');
      assert.equal(change.find('/content/b/x'), undefined);
      const again = add('/content/a');
      assert.equal(pathOf(again), '/content/a/x[2]');
    });
  });
});
