import { bytesIn, Change, type ContentNode } from '../../content/index.js';
import {
  type CommandContext,
  collection,
  type Decision,
  type Document,
  type FeedEvent,
  type Incident,
  type IncidentChanges,
  incidents,
  type JobAttempt,
  moveIncident,
  newIncident,
  openIncident,
  operation,
  put,
  remove,
  type State,
  takeOutcome,
  type Write,
} from '../../store/index.js';
import { hashOf } from './deployment-kind.js';
import { takenBack } from './file-changers.js';

/** Record of a file: the deployment that its bytes were made, or why they were not. Id: the file's node. */
interface ContentDeployment extends Document {
  readonly path: string;
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  /** What is in force: of these bytes, or of the last good ones. */
  readonly deploymentId: string | null;
  /** Why these bytes could not be deployed. */
  readonly problem: string | null;
  /** What they are warned of. Absent where there is nothing. */
  readonly warnings?: readonly string[];
  /** The open incident that says so. */
  readonly incidentId: string | null;
}

export const contentDeployments = collection<ContentDeployment>({
  name: 'contentDeployment',
  columns: { path: (it) => it.path, hash: (it) => it.hash },
  indexes: { path: { columns: ['path'] }, hash: { columns: ['hash'] } },
});

/** A file whose bytes were deployed, or could not be. */
export interface DeployedFile {
  readonly nodeId: string;
  readonly path: string;
  readonly hash: string;
  readonly deploymentId: string | null;
  readonly problem: string | null;
  readonly warnings?: readonly string[];
}

/** A kind of files whose deployments are those of its files as they are now, but for changes of which there is a job. Id: the kind's. */
export const comparedKinds = collection<Document>({ name: 'comparedKind' });

export interface NoteDeployments {
  readonly deployed: readonly DeployedFile[];
  /** Nodes that are no file below a watched root any more. */
  readonly gone: readonly string[];
  /** Who changed files, as far as that was looked at. Default: nobody. */
  readonly changes?: readonly { readonly id: string; readonly revision: number }[];
  /** Kinds that were compared. Default: none. */
  readonly compared?: readonly string[];
  /** Kinds that were not, as their engines are off. Default: none. */
  readonly left?: readonly string[];
  /** The job whose outcome it is. */
  readonly job?: JobAttempt;
}

/** The property of a file's content that shows why it could not be deployed. */
const PROBLEM_PROPERTY = 'mi:deploymentProblem';
/** The one that shows what in it is not executed, a text for each with line and column. */
const WARNINGS_PROPERTY = 'mi:deploymentWarnings';

/** Remembers what became of files, and shows it: as a property of the file, and as an incident as long as it is a problem. */
export const noteDeployments = operation(
  'noteDeployments',
  (
    state,
    { deployed, gone, changes = [], compared = [], left = [], job }: NoteDeployments,
    { caller }: CommandContext,
  ): Decision<null> => {
    const change = new Change(state, caller);
    const write: Write[] = job === undefined ? [] : [takeOutcome(state, job).done];
    write.push(...takenBack(state, changes), ...comparedNow(state, compared, left));
    const toldOf: FeedEvent[] = [];
    for (const file of deployed) {
      // What has other bytes by now is looked at again.
      if (!hasBytes(change, file)) continue;
      const told = noteDeployed(state, change, file);
      write.push(...told.write);
      toldOf.push(...told.events);
    }
    for (const id of gone) {
      const told = noteGone(state, id);
      write.push(...told.write);
      toldOf.push(...told.events);
    }
    const { write: changed = [], events = [] } = change.decision(null);
    return { write: [...changed, ...write], events: [...events, ...toldOf], answer: null };
  },
);

/** Remembers what became of a file, as part of a decision. `change`: that of the tree, by which the file shows it. */
export function noteDeployed(state: State, change: Change, file: DeployedFile): IncidentChanges {
  const known = state.get(contentDeployments, file.nodeId);
  const { incidentId, ...told } = tellProblem(state, file, known);
  const deploymentId = file.deploymentId ?? known?.deploymentId ?? null;
  const { nodeId: id, path, hash, problem, warnings = [] } = file;
  const record = { id, path, hash, problem, deploymentId, incidentId };
  show(change, file);
  return {
    ...told,
    write: [...told.write, put(contentDeployments, { ...record, ...(warnings.length > 0 && { warnings }) })],
  };
}

/** Forgets a file that is gone. */
export function noteGone(state: State, nodeId: string): IncidentChanges {
  const known = state.get(contentDeployments, nodeId);
  const told = withdrawProblem(state, known);
  return known === undefined ? told : { ...told, write: [...told.write, remove(contentDeployments, nodeId)] };
}

function hasBytes(change: Change, { nodeId, hash }: DeployedFile): boolean {
  const file = change.tree.get(nodeId);
  if (file === undefined) return true;
  const data = bytesIn(change.contentOf(file).properties['jcr:data']);
  return data !== undefined && hashOf(data) === hash;
}

function comparedNow(state: State, compared: readonly string[], left: readonly string[]): Write[] {
  const isKnown = (id: string) => state.get(comparedKinds, id) !== undefined;
  return [
    ...compared.filter((id) => !isKnown(id)).map((id) => put(comparedKinds, { id })),
    ...left.filter(isKnown).map((id) => remove(comparedKinds, id)),
  ];
}

/** Says by an incident, as long as it is so, why a file was not deployed. */
function tellProblem(
  state: State,
  { nodeId, path, problem }: DeployedFile,
  known: ContentDeployment | undefined,
): IncidentChanges & { readonly incidentId: string | null } {
  if (problem === null) return { ...withdrawProblem(state, known), incidentId: null };
  const facts = { type: 'failedDeployment', message: `'${path}' was not deployed: ${problem}`, configuration: nodeId };
  const before = openIncidentOf(state, known);
  if (before === undefined) {
    const incident = newIncident(state, known?.incidentId == null ? facts : { ...facts, id: known.incidentId });
    return { ...openIncident(incident), incidentId: incident.id };
  }
  // Of other bytes: what somebody wrote to it was about those before.
  const changed = { ...before, ...facts, created: state.now };
  return { ...moveIncident(changed, { type: 'annotate', annotation: null }), incidentId: before.id };
}

function withdrawProblem(state: State, known: ContentDeployment | undefined): IncidentChanges {
  const before = openIncidentOf(state, known);
  return before === undefined ? { write: [], events: [] } : moveIncident(before, { type: 'resolve' });
}

const openIncidentOf = (state: State, known: ContentDeployment | undefined): Incident | undefined =>
  known?.incidentId == null ? undefined : state.get(incidents, known.incidentId);

function show(change: Change, { nodeId, problem, warnings = [] }: DeployedFile): void {
  const file = change.tree.get(nodeId);
  if (file === undefined) return;
  const content = change.contentOf(file);
  const { [PROBLEM_PROPERTY]: shown, [WARNINGS_PROPERTY]: warned, ...properties } = content.properties;
  if (problem === null && warnings.length === 0 && shown === undefined && warned === undefined) return;
  const made: ContentNode['properties'] = {
    ...properties,
    ...(problem !== null && { [PROBLEM_PROPERTY]: { type: 'String', value: problem } }),
    ...(warnings.length > 0 && { [WARNINGS_PROPERTY]: { type: 'String', values: warnings } }),
  };
  change.put({ ...content, properties: made });
}
