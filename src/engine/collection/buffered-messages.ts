import { seedOf } from '../../shared/ids.js';
import { maySupervise } from '../../shared/rights/roles.js';
import { collection, type Document } from '../../store/documents.js';
import type { Variables } from '../element/typed-value.js';
import type { CorrelationKey } from '../rule/correlation-key.js';

/** A message that nobody waited for when it came: the first that does gets it. */
export interface BufferedMessage extends Document {
  readonly messageName: string;
  /** By which the same message is known again; null: it is not. */
  readonly messageId: string | null;
  /** Only for instances with this business key; an instance that it starts gets it. */
  readonly businessKey: string | null;
  /** Only for this instance. */
  readonly instanceId: string | null;
  readonly keys: readonly CorrelationKey[];
  readonly localKeys: readonly CorrelationKey[];
  readonly variables: Variables;
  readonly localVariables: Variables;
  /** For the scope that begins by it. Absent: there are none. */
  readonly scopeVariables?: Variables | undefined;
  /** Who has sent it, and what that allowed then. */
  readonly userId: string;
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  /** ms */
  readonly created: number;
  /** When it ends, ms. */
  readonly expires: number;
  /** Somebody has it: it is kept so that it is known again. */
  readonly taken: boolean;
}

/** What tells one message of a name from the others, as far as that is found by an index: the kind of it, and its value there. */
export function aimOf(message: Aimed): readonly [aim: string, value: string] {
  const [aim, value] = aimedAt(message);
  return [aim, aimValue(value)];
}

function aimedAt({ instanceId, businessKey, keys, localKeys }: Aimed): readonly [aim: string, value: unknown] {
  if (instanceId !== null) return ['instance', instanceId];
  if (businessKey !== null) return ['business', businessKey];
  const [key, local] = [keys[0], localKeys[0]];
  if (key !== undefined) return [`key ${key.name}`, key.value];
  return local === undefined ? ['', null] : [`local ${local.name}`, local.value];
}

type Aimed = Pick<BufferedMessage, 'instanceId' | 'businessKey' | 'keys' | 'localKeys'>;

/** The value of an aim, as the index has it. */
export const aimValue = (value: unknown): string => seedOf(JSON.stringify(value) ?? '');

export const bufferedMessages = collection<BufferedMessage>({
  name: 'bufferedMessage',
  principals: { userId: 'sender' },
  columns: {
    id: (it) => it.id,
    messageName: (it) => it.messageName,
    created: (it) => it.created,
    sender: (it) => it.userId,
    messageId: (it) => it.messageId,
    waits: (it) => (it.taken ? null : it.messageName),
    aim: (it) => aimOf(it)[0],
    value: (it) => aimOf(it)[1],
  },
  indexes: {
    /** Those that wait, by what they are for; the oldest first. */
    waits: { columns: ['waits', 'aim', 'value', 'created'] },
    messageId: { columns: ['messageId', 'messageName', 'aim', 'value'] },
    created: { columns: ['created'] },
    sender: { columns: ['sender'] },
  },
  visible: (caller, it) => !it.taken && maySupervise(caller),
});
