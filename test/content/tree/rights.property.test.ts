import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Access } from '../../../src/content/tree/access.js';
import {
  type AccessEntry,
  type ContentNode,
  type Lock,
  nodes,
  ROOT_ID,
  SYSTEM_ID,
} from '../../../src/content/tree/node.js';
import { foreignLockOver, lockOver } from '../../../src/content/tree/protection.js';
import { Tree } from '../../../src/content/tree/tree.js';
import { type Caller, SYSTEM_USER } from '../../../src/shared/caller.js';
import { bitOf, changersOf, privilegeName, privilegeNames, privilegesOf } from '../../../src/shared/rights/nodes.js';
import { Draft } from '../../../src/store/index.js';
import { MemoryDocuments, MemoryState } from '../../support/memory-state.js';

const NOW = 1_000;
const WRITE = ['jcr:modifyProperties', 'jcr:addChildNodes', 'jcr:removeNode', 'jcr:removeChildNodes'];
const SINGLE = [
  'jcr:read',
  ...WRITE,
  'jcr:readAccessControl',
  'jcr:modifyAccessControl',
  'jcr:lockManagement',
  'jcr:versionManagement',
  'jcr:nodeTypeManagement',
  'jcr:retentionManagement',
  'jcr:lifecycleManagement',
];
const MEMBERS: Readonly<Record<string, readonly string[]>> = { 'jcr:write': WRITE, 'jcr:all': SINGLE };

const principal = fc.constantFrom('ann', 'bob', 'clerks', 'guards', 'everyone');
const privilege = fc.constantFrom(...SINGLE, 'jcr:write', 'jcr:all');
const entry: fc.Arbitrary<AccessEntry> = fc.record({
  principal,
  privileges: fc.uniqueArray(privilege, { minLength: 1, maxLength: 4 }),
  allow: fc.boolean(),
});
const lock: fc.Arbitrary<Lock> = fc.record({
  token: fc.constantFrom('t1', 't2', 't3'),
  owner: fc.constantFrom('ann', 'bob'),
  ownerInfo: fc.constant(null),
  deep: fc.boolean(),
  sessionId: fc.constantFrom(null, 's1', 's2'),
  expires: fc.constantFrom(null, NOW - 1, NOW, NOW + 1),
  timeoutMs: fc.constant(null),
});
const caller: fc.Arbitrary<Caller> = fc.record({
  userId: fc.constantFrom('ann', 'bob', SYSTEM_USER),
  groups: fc.constantFrom([], ['everyone'], ['everyone', 'clerks'], ['everyone', 'clerks', 'guards']),
  roles: fc.constantFrom([], [], [], ['administrator'], ['supervisor']),
  sessionId: fc.constantFrom(null, 's1', 's2'),
  lockTokens: fc.constantFrom([], ['t1'], ['t2', 'x']),
  workspace: fc.constant('web'),
  cause: fc.constant({}),
});

/** A node as a choice: which of the nodes before it is its parent; -1: none, it is out of the tree. */
const choice = fc.record({
  above: fc.integer({ min: -1, max: 30 }),
  acl: fc.option(fc.array(entry, { maxLength: 4 }), { nil: undefined, freq: 2 }),
  lock: fc.option(lock, { nil: undefined, freq: 2 }),
  isContent: fc.boolean(),
});
const choices = fc.array(choice, { minLength: 1, maxLength: 20 });
type Choice = typeof choice extends fc.Arbitrary<infer T> ? T : never;

/** The tree of the choices; the second node is the system's. */
function treeOf(chosen: readonly Choice[]): { readonly all: ContentNode[]; readonly tree: Tree } {
  const all = chosen.map((one, at) => {
    const ids = [ROOT_ID, SYSTEM_ID];
    const parent = at === 0 || one.above < 0 ? null : idAt(one.above % at);
    function idAt(index: number): string {
      return ids[index] ?? `n${index}`;
    }
    const made: ContentNode = {
      id: idAt(at),
      parent: at === 1 ? ROOT_ID : parent,
      name: at === 0 ? '' : one.isContent ? 'jcr:content' : `n${at}`,
      order: null,
      type: 'nt:folder',
      mixins: [],
      properties: {},
      version: 1,
      ...(one.acl !== undefined && { acl: one.acl }),
      ...(one.lock !== undefined && { lock: one.lock }),
    };
    return made;
  });
  const documents = new MemoryDocuments();
  for (const node of all) documents.put(nodes, node);
  // A draft reads each node once, however often it is asked for.
  return { all, tree: new Tree(new Draft(new MemoryState(documents, '0'.repeat(32), NOW))) };
}

/** From the root to the node; empty when the node is not in the tree. */
function chainIn(all: readonly ContentNode[], node: ContentNode): ContentNode[] {
  if (node.parent === null) return node.id === ROOT_ID ? [node] : [];
  const parent = all.find(({ id }) => id === node.parent);
  const above = parent === undefined ? [] : chainIn(all, parent);
  return above.length === 0 ? [] : [...above, node];
}

/** What the definition says, word for word. */
function naiveRights(all: readonly ContentNode[], node: ContentNode, who: Caller): Set<string> {
  const chain = chainIn(all, node);
  const granted = new Set<string>();
  const isPowerful = who.userId === SYSTEM_USER || who.roles.includes('administrator');
  if (isPowerful && chain.length > 0) for (const name of SINGLE) granted.add(name);
  if (!isPowerful) {
    for (const { acl = [] } of chain) {
      for (const one of acl) {
        if (![who.userId, 'everyone', ...who.groups].includes(one.principal)) continue;
        for (const name of one.privileges.flatMap((given) => MEMBERS[given] ?? [given])) {
          if (one.allow) granted.add(name);
          else granted.delete(name);
        }
      }
    }
  }
  const isReadOnly = chain.some(({ id }) => id === SYSTEM_ID) && who.userId !== SYSTEM_USER;
  return isReadOnly ? new Set([...granted].filter((name) => /^jcr:read/.test(name))) : granted;
}

/** The node's own lock, or the nearest of those above it that reach down to it. */
function naiveLock(chain: readonly ContentNode[]): ContentNode | undefined {
  const inForce = chain.filter(({ lock: held }) => held && (held.expires === null || held.expires > NOW));
  const last = chain.at(-1);
  return inForce.findLast((holder) => {
    const isParent = holder.id === last?.parent;
    return holder === last || holder.lock?.deep === true || (isParent && last?.name === 'jcr:content');
  });
}

const naiveHolds = ({ token, owner, sessionId }: Lock, who: Caller): boolean =>
  (who.lockTokens ?? []).includes(token) ||
  (owner === who.userId && (sessionId === null || sessionId === who.sessionId));

const isNamed = (chain: readonly ContentNode[], name: string): boolean =>
  name === 'everyone' || chain.some(({ acl = [] }) => acl.some(({ principal: named }) => named === name));

describe('rights and locks in any tree', () => {
  it("to change something are somebody's just where a name is told who has them", () => {
    const names = ['ann', 'bob', 'clerks', 'guards'];
    const inAll = Array.from({ length: 16 }, (_, bits) => names.filter((_name, at) => bits & (1 << at)));
    fc.assert(
      fc.property(choices, (chosen) => {
        const { all, tree } = treeOf(chosen);
        const mayChange = (node: ContentNode, groups: readonly string[]) => {
          const who = { userId: 'zoe', groups, roles: [], sessionId: null, workspace: 'web', cause: {} };
          return [...naiveRights(all, node, who)].some((name) => !/^jcr:read/.test(name));
        };
        for (const node of all.filter(({ id, parent }) => id !== SYSTEM_ID && parent !== SYSTEM_ID)) {
          const chain = tree.chainOf(node) ?? [];
          if (chain.some(({ id }) => id === SYSTEM_ID)) continue;
          const told = changersOf(chain);
          const expected = [
            ...names.filter((name) => mayChange(node, [name])),
            ...(mayChange(node, []) ? ['everyone'] : []),
          ];
          // Whom no list names has what everyone has.
          assert.deepEqual([...new Set(told)].sort(), expected.filter((name) => isNamed(chain, name)).sort());
          assert.equal(
            told.length > 0,
            inAll.some((groups) => mayChange(node, groups)),
          );
        }
      }),
    );
  });

  it('are what the definition says, in whatever order nodes are asked', () => {
    fc.assert(
      fc.property(choices, caller, fc.infiniteStream(fc.nat()), (chosen, who, order) => {
        const { all, tree } = treeOf(chosen);
        const access = new Access(tree, who);
        const sorted = all.map((node) => ({ node, at: order.next().value })).sort((a, b) => a.at - b.at);
        for (const { node } of [...sorted, ...sorted]) {
          const expected = naiveRights(all, node, who);
          assert.deepEqual(
            SINGLE.filter((name) => (access.of(node) & privilegesOf([name])) !== 0),
            SINGLE.filter((name) => expected.has(name)),
          );
          assert.equal(access.canRead(node), expected.has('jcr:read'));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('of a child are those of its parent with its own list, as lists of children take it', () => {
    fc.assert(
      fc.property(choices, caller, (chosen, who) => {
        const { all, tree } = treeOf(chosen);
        const access = new Access(tree, who);
        for (const node of all) {
          const parent = all.find(({ id }) => id === node.parent);
          if (parent === undefined || chainIn(all, node).length === 0) continue;
          const isRead = (access.below(access.of(parent), node.acl) & bitOf('jcr:read')) !== 0;
          assert.equal(isRead, naiveRights(all, node, who).has('jcr:read'));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('find the lock that protects a node, and whom it keeps out', () => {
    fc.assert(
      fc.property(choices, caller, (chosen, who) => {
        const { all } = treeOf(chosen);
        for (const node of all) {
          const chain = chainIn(all, node);
          const holder = naiveLock(chain);
          assert.equal(lockOver(chain, NOW)?.holder.id, holder?.id);
          const held = holder?.lock;
          const isKeptOut = held !== undefined && who.userId !== SYSTEM_USER && !naiveHolds(held, who);
          assert.equal(foreignLockOver(chain, who, NOW)?.holder.id, isKeptOut ? holder?.id : undefined);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('privileges have one stored name and several given ones', () => {
    fc.assert(
      fc.property(privilege, (name) => {
        const local = name.slice('jcr:'.length);
        for (const given of [name, local, `{http://www.jcp.org/jcr/1.0}${local}`])
          assert.equal(privilegeName(given), name);
        assert.deepEqual(
          privilegeNames(privilegesOf([name])).filter((one) => SINGLE.includes(one)),
          SINGLE.filter((one) => one === name || MEMBERS[name]?.includes(one)),
        );
      }),
    );
    for (const unknown of ['', 'jcr:', 'rep:write', 'READ', '{x}read', 'constructor', 'jcr:toString'])
      assert.throws(() => privilegeName(unknown), { code: 'BAD_REQUEST' }, unknown);
  });
});
