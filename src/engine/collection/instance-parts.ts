import { collection, type Document } from '../../store/documents.js';
import type { Scope, Token } from '../element/instance-state.js';
import type { Path } from '../element/large-scope.js';
import type { SpilledVariable } from './running.js';
import { soughtValues } from './sought-values.js';

/** A token that rests in a large scope, with all that happens in it. Id: `<instance>/<token>`. */
export interface InstancePart extends Document {
  readonly instanceId: string;
  /** The large scope. */
  readonly scope: number;
  /** Where the token is, itself the last. */
  readonly within: Path;
  readonly tokens: Token[];
  readonly scopes: Scope[];
  readonly spilled: readonly SpilledVariable[];
}

export const instanceParts = collection<InstancePart>({
  name: 'instancePart',
  mutable: true, // The interpreter moves the tokens where they are.
  packed: true,
  copy: (it) => ({
    id: it.id,
    instanceId: it.instanceId,
    scope: it.scope,
    within: it.within,
    tokens: it.tokens,
    scopes: it.scopes,
    spilled: it.spilled,
  }),
  implied: {
    instanceId: (it) => it.id.slice(0, it.id.lastIndexOf('/')),
    scopes: () => [],
    spilled: () => [],
  },
  steady: ['instanceId', 'scope'],
  columns: { instanceId: (it) => it.instanceId, scope: (it) => it.scope },
  /** Its variables, where a message may come for one of its tokens. */
  multi: { sought: (it) => soughtValues(it, it.spilled, hasLarge(it.scopes)) },
  indexes: { instance: { columns: ['instanceId', 'scope'] } },
});

/** Whether one of the scopes is large. */
export const hasLarge = (scopes: readonly Scope[]): boolean => scopes.some(({ size }) => size !== undefined);

export const partId = (instanceId: string, token: number): string => `${instanceId}/${token}`;
