import type { Caller } from '../../../src/shared/caller.js';
import { RightsOfNow } from '../../../src/shared/rights-of-now.js';
import type { Operation } from '../../../src/store/index.js';
import type { Random } from '../../support/random.js';
import { MemoryIdentity } from '../support/memory-identity.js';
import { type ModelNested, type ModelNode, type ModelUser, RightsModel } from './model.js';

/** The real users, groups, roles and nodes, and the plain model of them, which take the same steps. */
export class Scene {
  readonly random: Random;
  readonly model = new RightsModel();
  readonly real = new MemoryIdentity();
  readonly rights = new RightsOfNow(this.real.directory);
  readonly #root: Caller = this.real.caller('admin');
  #named = 0;

  constructor(random: Random) {
    this.random = random;
  }

  /** A name that nothing has. */
  name(letter: string): string {
    return `${letter}${++this.#named}`;
  }

  /** `by`: default an administrator. */
  do<I, A>(operation: Operation<I, A>, input: I, by = this.#root): A {
    return this.real.send(operation, input, by);
  }

  refused<I, A>(operation: Operation<I, A>, input: I, by = this.#root): string {
    return this.real.refused(operation, input, by);
  }

  user(): ModelUser {
    return this.random.pick(this.model.users);
  }

  group(): ModelNested {
    return this.random.pick(this.model.groups);
  }

  node(): ModelNode {
    return this.random.pick(this.model.nodes);
  }

  /** The user with the rights of now, whatever it has brought; undefined: it may nothing. */
  now(userId: string): Caller | undefined {
    const brought = { ...this.#root, userId, groups: ['staff'], roles: ['administrator'] };
    return this.isThere(brought) ? this.rights.of(brought) : undefined;
  }

  /** Whether the caller may act at all; both say the same. */
  isThere(caller: Caller): boolean {
    const isKnown = this.model.user(caller.userId) !== undefined;
    try {
      this.rights.of(caller);
    } catch (thrown) {
      if (isKnown) throw thrown;
      return false;
    }
    if (!isKnown) throw new Error(`expected '${caller.userId}' to be disabled or gone`);
    return true;
  }
}
