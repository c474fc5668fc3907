import assert from 'node:assert/strict';
import { setAccessControl } from '../../../src/content/edit/access-control.js';
import { createNode } from '../../../src/content/edit/create-node.js';
import { moveNode } from '../../../src/content/edit/move-node.js';
import { deleteNode } from '../../../src/content/large/delete-node.js';
import { isBelow, type ModelEntry, type ModelNode, pathOf } from './model.js';
import type { Scene } from './scene.js';

const NODES_MAX = 14;
const PRIVILEGES = ['jcr:read', 'jcr:addChildNodes', 'jcr:modifyAccessControl'];

/** What a step did to a node. */
export interface Changed {
  readonly node: ModelNode;
  /** Null: it was not there. */
  readonly was: {
    readonly parent: ModelNode | null;
    readonly acl: readonly ModelEntry[];
    readonly path: string;
  } | null;
  /** Where it is; null: it is gone. */
  readonly path: string | null;
}

const placeOf = (node: ModelNode): Changed['was'] & object => ({
  parent: node.parent,
  acl: node.acl,
  path: pathOf(node),
});

/** The node that all others are made in. */
export function addRoot(scene: Scene): void {
  const { nodeId } = scene.do(createNode.operation, { path: '/content', name: 'lab', nodeType: 'nt:unstructured' });
  scene.model.nodes.push({ id: nodeId, name: '/content/lab', parent: null, acl: [] });
}

/** Somebody makes a node with the rights of now: refused or not as the model says. */
function addNode(scene: Scene): Changed | undefined {
  const { model } = scene;
  const [{ name: userId }, parent, name] = [scene.user(), scene.node(), scene.name('n')];
  const by = scene.now(userId);
  if (by === undefined) return undefined;
  const input = { path: pathOf(parent), name, nodeType: 'nt:unstructured' };
  const isSeen = model.mayAt(userId, parent, 'jcr:read');
  if (!isSeen || !model.mayAt(userId, parent, 'jcr:addChildNodes')) {
    assert.equal(scene.refused(createNode.operation, input, by), isSeen ? 'FORBIDDEN' : 'BAD_REQUEST');
    return undefined;
  }
  const { nodeId } = scene.do(createNode.operation, input, by);
  const node = { id: nodeId, name, parent, acl: [] };
  model.nodes.push(node);
  return { node, was: null, path: pathOf(node) };
}

function removeNode(scene: Scene): Changed | undefined {
  const node = scene.node();
  if (node.parent === null) return undefined;
  const was = placeOf(node);
  scene.do(deleteNode.operation, { path: was.path });
  const { nodes } = scene.model;
  for (const one of nodes.filter((other) => isBelow(other, node))) nodes.splice(nodes.indexOf(one), 1);
  return { node, was, path: null };
}

function move(scene: Scene): Changed | undefined {
  const [node, parent] = [scene.node(), scene.node()];
  if (node.parent === null || isBelow(parent, node) || node.parent === parent) return undefined;
  const was = placeOf(node);
  scene.do(moveNode.operation, { sourcePath: was.path, destPath: pathOf(parent) });
  node.parent = parent;
  return { node, was, path: pathOf(node) };
}

function setList(scene: Scene): Changed | undefined {
  const { random, model } = scene;
  const node = scene.node();
  const principals = ['everyone', ...[...model.users, ...model.groups].map(({ name }) => name)];
  const acl = Array.from({ length: random.below(6) }, () => ({
    principal: random.pick(principals),
    allow: random.chance(0.6),
    privileges: random.some(PRIVILEGES, 0.6),
  }));
  const was = placeOf(node);
  if (JSON.stringify(acl) === JSON.stringify(was.acl)) return undefined;
  scene.do(setAccessControl.operation, { path: was.path, entries: acl });
  node.acl = acl;
  return { node, was, path: was.path };
}

const addOrRemove = (scene: Scene): Changed | undefined =>
  scene.model.nodes.length < NODES_MAX ? addNode(scene) : removeNode(scene);

/** Changes of nodes. */
export const nodeSteps: readonly ((scene: Scene) => Changed | undefined)[] = [
  ...[addOrRemove, addOrRemove, addOrRemove, move, move, setList, setList, setList, setList, setList],
];
