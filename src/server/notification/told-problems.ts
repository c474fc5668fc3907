import { type SystemNotify, systemNotified } from '../../identity/index.js';
import {
  collection,
  type Document,
  type Domain,
  operation,
  type PartitionPort,
  put,
  type Reaction,
  remove,
} from '../../store/index.js';
import { WORKSPACE_CHANGED, workspaces } from '../../workspace/index.js';
import type { Warning } from '../http/readiness.js';
import { MINUTE_MS, type RecurringWork } from '../maintenance/recurring.js';

const ROLES = ['administrator'];

/** Problems of the server, or of a workspace, that administrators were told of and that last. Id: `server`, or the workspace's. */
interface ToldProblems extends Document {
  readonly reasons: readonly string[];
}

export const toldProblems = collection<ToldProblems>({ name: 'toldProblem', visible: () => false });

const SERVER = 'server';

/** Tells of each problem of the server when it is found, and forgets those that are over: each is told once as long as it lasts, also by the next server. */
const noteProblems = operation('noteProblems', (state, { problems }: { problems: readonly Warning[] }) => {
  const told = state.get(toldProblems, SERVER)?.reasons ?? [];
  const events = problems
    .filter(({ reason }) => !told.includes(reason))
    .map(({ reason, message }) => systemNotified(state, ofServer(reason, message)));
  const reasons = [...new Set(problems.map(({ reason }) => reason))];
  return { write: [put(toldProblems, { id: SERVER, reasons })], events, answer: null };
});

const ofServer = (reason: string, message: string): SystemNotify => ({
  ...(URGENT[reason] ?? { type: 'WARNING', severity: 'HIGH', title: 'The server has a problem' }),
  message,
  data: { kind: 'server', reason },
  roles: ROLES,
});

const WARNING = { type: 'WARNING', severity: 'HIGH' } as const;
const ERROR = { type: 'ERROR', severity: 'CRITICAL' } as const;

const URGENT: Readonly<Record<string, Pick<SystemNotify, 'type' | 'severity' | 'title'>>> = {
  disk_low: { ...WARNING, title: 'The disk is nearly full' },
  disk_critical: { ...ERROR, title: 'The disk is full but for a little' },
  data_damaged: { ...ERROR, title: 'Stored data is damaged' },
  commits_lost: { ...ERROR, title: 'Changes were lost' },
  log_away: { ...ERROR, title: 'Changes cannot be made durable' },
  log_silent: { ...ERROR, title: 'The log does not answer' },
  commands_wait: { ...ERROR, title: 'Changes wait for too long' },
};

/** Tells that a workspace failed, once as long as it is so. */
const workspaceFailed: Reaction = {
  name: 'tellFailedWorkspace',
  types: [WORKSPACE_CHANGED],
  react(state, { event }) {
    const [workspace] = state.find(workspaces, 'name', [event.ids.workspace ?? '']);
    if (workspace === undefined) return { answer: null };
    const { id, name, actor } = workspace;
    const isTold = state.get(toldProblems, id) !== undefined;
    const isFailed = actor.value === 'FAILED';
    if (isTold === isFailed) return { answer: null };
    if (isTold) return { write: [remove(toldProblems, id)], answer: null };
    const failed: SystemNotify = {
      ...{ ...ERROR, title: `Workspace '${name}' failed`, message: actor.context.message ?? '' },
      ...{ data: { kind: 'workspace', workspace: name }, roles: ROLES },
    };
    return {
      write: [put(toldProblems, { id, reasons: ['FAILED'] })],
      events: [systemNotified(state, failed)],
      answer: null,
    };
  },
};

/** Tells administrators of what is wrong with the server and its workspaces. */
export const problemNotifications: Pick<Required<Domain>, 'collections' | 'operations' | 'reactions'> = {
  collections: [toldProblems],
  operations: [noteProblems],
  reactions: [workspaceFailed],
};

/** Looks, minute by minute, for what administrators are to be told of. `system`: where they are told. */
export const tellProblems = (
  system: () => PartitionPort,
  problems: () => Promise<readonly Warning[]>,
): RecurringWork => ({
  name: 'problems of the server',
  everyMs: MINUTE_MS,
  work: async () => {
    const found = await problems();
    const told = system().replica.read().get(toldProblems, SERVER)?.reasons ?? [];
    const isKnown = found.length === told.length && found.every(({ reason }) => told.includes(reason));
    if (!isKnown) await system().sendAsSystem(noteProblems, { problems: found });
  },
});
