import { createHash } from 'node:crypto';
import { type SystemNotify, systemNotified } from '../../identity/index.js';
import { systemCaller } from '../../shared/caller.js';
import {
  collection,
  type Decision,
  type Document,
  type Domain,
  type Incident,
  incidents,
  type JobAttempt,
  type JobType,
  jobs,
  type NewJob,
  operation,
  type PartitionPort,
  put,
  type Reaction,
  type State,
  takeOutcome,
} from '../../store/index.js';
import { cut, type OpenedIncidents, withIncident, without } from './incident-kinds.js';

const NAME = 'tellIncidents';
/** Incidents of one workspace are told of at once, then so long not. */
const PAUSE_MS = 60_000;
/** How often it is tried to tell, and how long after one another. */
const TRIES = 1_000;
const RETRY_MS = 10_000;

/** Those who may deal with incidents; of a deployment that failed also those who deploy. */
const ROLES = ['administrator', 'supervisor'];
const DEPLOYMENT = 'failedDeployment';

/** The incidents of a partition that are to be told of. Its id: {@link NAME}. */
interface UntoldIncidents extends Document {
  readonly opened: readonly OpenedIncidents[];
  /** Whose work it is to tell of them; null: nobody's, as there are none. */
  readonly jobId: string | null;
  /** When that may next be done, ms. */
  readonly notBefore: number;
}

export const untoldIncidents = collection<UntoldIncidents>({ name: 'untoldIncident', visible: () => false });

const untoldIn = (state: State): UntoldIncidents =>
  state.get(untoldIncidents, NAME) ?? { id: NAME, opened: [], jobId: null, notBefore: 0 };

/** Notes each incident that opens and is not resolved by then, in the commit that moves the reaction; the first one makes the job that tells of them. */
const reaction: Reaction = {
  name: NAME,
  types: ['incident.created'],
  concerns: ({ data }) => !isOfReaction(data as Incident),
  react(state, { event }) {
    const incident = event.data as Incident;
    const isOver = state.get(incidents, incident.id) === undefined;
    if (isOver || isOfJob(state, incident)) return { answer: null };
    const before = untoldIn(state);
    const untold = { ...before, opened: withIncident(before.opened, incident) };
    const isWaited = before.jobId !== null && state.get(jobs, before.jobId) !== undefined;
    return isWaited ? { write: [put(untoldIncidents, untold)], answer: null } : begun(state, untold);
  },
};

/** That nobody can be told of an incident makes one; nobody is told of that, or it would make another. */
const isOfReaction = ({ configuration }: Incident): boolean => configuration?.startsWith(`${NAME}:`) === true;
const isOfJob = (state: State, { jobId }: Incident): boolean => jobId !== null && state.get(jobs, jobId)?.type === NAME;

/** With the job that tells of them as soon as that may be. */
function begun(state: State, untold: UntoldIncidents): Decision<null> {
  const dueAt = Math.max(state.now, untold.notBefore);
  const id = state.ids.next();
  const job: NewJob = { id, type: NAME, dueAt, immediate: dueAt <= state.now, retries: TRIES, input: null };
  return { write: [put(untoldIncidents, { ...untold, jobId: id })], jobs: [job], answer: null };
}

/** Those of a workspace that are told of by one commit of `system`; gives them again where they were told of before. */
const tellIncidents = operation(
  NAME,
  (state, { workspace, opened }: { workspace: string; opened: readonly OpenedIncidents[] }) => ({
    events: opened.map((one) => systemNotified(state, notificationOf(workspace, one))),
    answer: opened,
  }),
);

/** The job's outcome: what came meanwhile is another job's. */
const toldIncidents = operation(
  'toldIncidents',
  (state, { told, job }: { told: readonly OpenedIncidents[]; job: JobAttempt }): Decision<null> => {
    const { done } = takeOutcome(state, job);
    const before = untoldIn(state);
    const left = {
      ...{ id: NAME, opened: without(before.opened, told), jobId: null },
      notBefore: state.now + PAUSE_MS,
    };
    if (left.opened.length === 0) return { write: [done, put(untoldIncidents, left)], answer: null };
    const { write = [], jobs: next = [] } = begun(state, left);
    return { write: [done, ...write], jobs: next, answer: null };
  },
);

function notificationOf(workspace: string, opened: OpenedIncidents): SystemNotify {
  const { type, definitionKey, count, incidentId, message } = opened;
  const where = definitionKey === null ? `workspace '${workspace}'` : `'${definitionKey}' of workspace '${workspace}'`;
  const isDeployment = type === DEPLOYMENT;
  const [one, many] = isDeployment
    ? ['A deployment failed', 'deployments failed']
    : ['An incident opened', 'incidents opened'];
  return {
    type: 'ERROR',
    severity: 'HIGH',
    title: cut(`${count === 1 ? one : `${count} ${many}`} in ${where}`, TITLE_LENGTH_MAX),
    message: message ?? '',
    data: { kind: isDeployment ? 'deployment' : 'incident', workspace, type, definitionKey, count, incidentId },
    roles: isDeployment ? [...ROLES, 'deployer'] : ROLES,
  };
}

const TITLE_LENGTH_MAX = 255;

/**
 * Tells those who may deal with incidents that some were opened, also where that is a model of the tree that could not be deployed: the first one of a
 * workspace at once, those behind it together, kind by kind, once a minute. None is left out, or told twice, whenever the server dies. `partition`: the open one
 * of the id; `system`: the one in which all are told.
 */
export function incidentNotifications(
  partition: (id: string) => PartitionPort,
  system: () => PartitionPort,
): Pick<Required<Domain>, 'collections' | 'operations' | 'jobTypes' | 'reactions'> {
  const jobType: JobType<{ told: readonly OpenedIncidents[]; job: JobAttempt }> = {
    type: NAME,
    retryAt: (_job, now) => now + RETRY_MS,
    async run({ id, actor }, state) {
      const { workspace } = partition(state.partition);
      const { opened } = untoldIn(state);
      // Told once: another attempt is given what the first one told.
      const commandId = createHash('sha256').update(`${NAME}/${id}`).digest('hex');
      const options = { caller: systemCaller(system().workspace), commandId, compared: id };
      const { answer: told } = await system().send(tellIncidents, { workspace, opened }, options);
      return { operation: toldIncidents, input: { told, job: { jobId: id, attempt: actor.context.attempt } } };
    },
  };
  return {
    collections: [untoldIncidents],
    operations: [tellIncidents, toldIncidents],
    jobTypes: [jobType],
    reactions: [reaction],
  };
}
