import { maySupervise } from '../../shared/rights/roles.js';
import { collection, type Document } from '../../store/documents.js';
import type { Path } from '../element/large-scope.js';
import { leavingBehind, outermost } from './gone.js';

/** Something that waits for a message or signal: a token, or (`instanceId` null) a start event of a definition, which may wait for a condition too. */
export interface Subscription extends Document {
  readonly eventType: 'message' | 'signal' | 'conditional';
  /** Of a condition: empty. */
  readonly eventName: string;
  readonly instanceId: string | null;
  readonly businessKey: string | null;
  readonly definitionId: string;
  readonly definitionKey: string;
  readonly elementId: string;
  readonly executionId: string | null;
  /** Of a multiple start event: which of its parts. */
  readonly part?: number;
  /** ms */
  readonly created: number;
  /** Where its token is, if that is in a large scope. */
  readonly within?: Path;
  /** The revision that it came with: what is thrown later is for it. Absent: a former version wrote it. */
  readonly revision?: number;
}

export const subscriptions = collection<Subscription>({
  name: 'subscription',
  columns: {
    id: (it) => it.id,
    eventType: (it) => it.eventType,
    eventName: (it) => it.eventName,
    receiver: (it) => (it.instanceId === null ? 'start' : 'instance'),
    instanceId: (it) => it.instanceId,
    scope: (it) => outermost(it.within),
    businessKey: (it) => it.businessKey,
    startOf: (it) => (it.instanceId === null ? it.definitionId : null),
  },
  indexes: {
    name: { columns: ['eventType', 'eventName', 'receiver', 'id'] },
    business: { columns: ['businessKey', 'eventType', 'eventName'] },
    instance: { columns: ['instanceId', 'eventName'], few: true },
    start: { columns: ['startOf'] },
  },
  visible: maySupervise,
  seesAll: maySupervise,
  leftBehind: leavingBehind((it) => it),
});

/** Since when all instances that wait are found by their variables: those that came to wait before are of a former version. */
export interface SoughtSince extends Document {
  /** The first subscription since then. */
  readonly subscriptionId: string;
  /** The revision that it came with. */
  readonly revision: number;
}

export const soughtSince = collection<SoughtSince>({ name: 'soughtSince' });

/** The id of the one document of {@link soughtSince}. Without it, no subscription is known to be found so. */
export const SOUGHT_SINCE = 'messages';
