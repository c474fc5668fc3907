import assert from 'node:assert/strict';
import { NODE_CHANGED, type NodeChanged, seenChange } from '../../../src/content/tree/change-event.js';
import { ContentView } from '../../../src/content/tree/content-view.js';
import { type Task, tasks } from '../../../src/engine/collections.js';
import { completeRight, requireDeployer, requireTaskRight } from '../../../src/engine/rule/rights.js';
import type { Caller } from '../../../src/shared/caller.js';
import { ServiceError } from '../../../src/shared/errors.js';
import type { Random } from '../../support/random.js';
import { addGroup, addRole, addUser, identitySteps } from './identity-steps.js';
import { type ModelTask, pathOf } from './model.js';
import { addRoot, type Changed, nodeSteps } from './node-steps.js';
import { Scene } from './scene.js';

const STREAMS_MAX = 10;

/** A stream that is open: its caller is who it was when the stream began. */
interface Stream {
  readonly caller: Caller;
  readonly path: string;
}

/** Random steps in the real rights and in the model of them; behind each both say the same of some user, and of all open streams. */
export class RightsLockstep {
  readonly #scene: Scene;
  #streams: Stream[] = [];

  constructor(random: Random) {
    this.#scene = new Scene(random);
    const { roles } = this.#scene.model;
    for (const name of ['administrator', 'supervisor', 'operator', 'deployer'])
      roles.push({ name, parent: null, roles: new Set() });
    addRole(this.#scene, null);
    // Its id counts, not its name.
    addRole(this.#scene, roles.at(-1) ?? null, 'administrator');
    addRoot(this.#scene);
    for (let n = 0; n < 4; n++) {
      addUser(this.#scene);
      addGroup(this.#scene);
    }
  }

  step(): void {
    const { random } = this.#scene;
    if (random.chance(0.1)) this.#open();
    if (random.chance(0.5)) random.pick(identitySteps)(this.#scene);
    else {
      const changed = random.pick(nodeSteps)(this.#scene);
      if (changed !== undefined) this.#deliver(changed);
    }
    this.#compare();
  }

  #open(): void {
    const caller = this.#scene.now(this.#scene.user().name);
    if (caller === undefined) return;
    if (this.#streams.length >= STREAMS_MAX) this.#streams.shift();
    this.#streams.push({ caller, path: pathOf(this.#scene.node()) });
  }

  /** Each open stream is told what its user may know now, and nothing else; those of users who are disabled or gone are over. */
  #deliver(changed: Changed): void {
    const { real, rights } = this.#scene;
    const [event, another] = real.repository.events.filter(({ type }) => type === NODE_CHANGED);
    assert.ok(event !== undefined && another === undefined);
    this.#streams = this.#streams.filter(({ caller }) => this.#scene.isThere(caller));
    for (const { caller, path } of this.#streams) {
      const viewNow = () => new ContentView(real.repository.state(), rights.of(caller));
      const told = seenChange(event.data as NodeChanged, { path, deep: true }, viewNow);
      const seen = told && `${told.eventType} ${told.path} ${told.sourcePath}`;
      assert.equal(seen, this.#told(caller.userId, path, changed), `to ${caller.userId} at ${path}`);
    }
  }

  #told(userId: string, followed: string, { node, was, path }: Changed): string | undefined {
    const { model } = this.#scene;
    const isFollowed = (at: string | null) => at !== null && (at === followed || at.startsWith(`${followed}/`));
    if (!isFollowed(path) && !isFollowed(was?.path ?? null)) return undefined;
    const isMoved = was !== null && path !== null && was.path !== path;
    const couldRead = was !== null && model.mayReadBelow(userId, was.parent, was.acl);
    if (path !== null && model.mayAt(userId, node, 'jcr:read')) {
      if (was === null) return `CREATED ${path} null`;
      return isMoved ? `MOVED ${path} ${couldRead ? was.path : null}` : `MODIFIED ${path} null`;
    }
    if (!couldRead) return undefined;
    const hasLeft = isMoved || path === null;
    const mayLook = hasLeft && was.parent !== null && model.mayAt(userId, was.parent, 'jcr:read');
    return `DELETED ${mayLook ? was.path : null} null`;
  }

  /** Of one user: whether it is there, its groups and roles, a node, a task, deploying. */
  #compare(): void {
    const { random, model, real } = this.#scene;
    const userId = random.chance(0.95) ? this.#scene.user().name : 'nobody';
    const caller = this.#scene.now(userId);
    if (caller === undefined) return;
    assert.deepEqual([...caller.groups].sort(), model.groupsOf(userId));
    assert.deepEqual([...caller.roles].sort(), model.rolesOf(userId));
    const node = this.#scene.node();
    const isRead = new ContentView(real.repository.state(), caller).get(node.id) !== undefined;
    assert.equal(isRead, model.mayAt(userId, node, 'jcr:read'), `${userId} reads ${pathOf(node)}`);
    assert.equal(
      refusalOf(() => requireDeployer(caller, 'deploy')),
      model.mayDeploy(userId) ? null : 'FORBIDDEN',
    );
    this.#compareTask(caller);
  }

  #compareTask(caller: Caller): void {
    const { random, model } = this.#scene;
    const somebody = (share: number) => (random.chance(share) ? this.#scene.user().name : null);
    const [assignee, owner, candidate] = [somebody(0.4), somebody(0.4), somebody(0.3)];
    const users = candidate === null ? [] : [candidate];
    const groups = random.chance(0.5) ? [this.#scene.group().name] : [];
    const one: ModelTask = { assignee, owner, users, groups };
    const actor = { value: 'created', context: { assignee, owner } };
    const task = { id: 't', candidateUsers: users, candidateGroups: groups, actor } as unknown as Task;
    const sees = model.seesTask(caller.userId, one);
    assert.equal(tasks.visible?.(caller, task), sees);
    const code = model.mayComplete(caller.userId, one) ? null : sees ? 'FORBIDDEN' : 'NOT_FOUND';
    assert.equal(
      refusalOf(() => requireTaskRight(caller, task, completeRight('complete'))),
      code,
    );
  }
}

/** The code with which it is refused; null: it is not. */
function refusalOf(require: () => void): string | null {
  try {
    require();
    return null;
  } catch (thrown) {
    if (thrown instanceof ServiceError) return thrown.code;
    throw thrown;
  }
}
