import { Change, type ContentNode } from '../../content/index.js';
import {
  type CommandContext,
  collection,
  type Decision,
  type Document,
  type Incident,
  incidentMachine,
  incidents,
  type JobAttempt,
  operation,
  put,
  remove,
  type State,
  start,
  takeOutcome,
  type Write,
} from '../../store/index.js';

/** What came of a file: the deployment that its bytes were made, or why they were not. Id: the file's node. */
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

/** What became of a file's bytes. */
export interface DeployedFile {
  readonly nodeId: string;
  readonly path: string;
  readonly hash: string;
  readonly deploymentId: string | null;
  readonly problem: string | null;
  readonly warnings?: readonly string[];
}

export interface NoteDeployments {
  readonly deployed: readonly DeployedFile[];
  /** Nodes that are no file below a watched root any more. What they deployed stays in force. */
  readonly gone: readonly string[];
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
  (state, { deployed, gone, job }: NoteDeployments, { caller }: CommandContext): Decision<null> => {
    const change = new Change(state, caller);
    const write: Write[] = job === undefined ? [] : [takeOutcome(state, job).done];
    for (const file of deployed) {
      const known = state.get(contentDeployments, file.nodeId);
      const incident = incidentOf(state, file, known);
      write.push(...incidentWrites(known, incident));
      const deploymentId = file.deploymentId ?? known?.deploymentId ?? null;
      const { nodeId: id, path, hash, problem, warnings = [] } = file;
      const record = { id, path, hash, problem, deploymentId, incidentId: incident?.id ?? null };
      write.push(put(contentDeployments, { ...record, ...(warnings.length > 0 && { warnings }) }));
      show(change, file);
    }
    for (const id of gone) {
      const known = state.get(contentDeployments, id);
      write.push(...incidentWrites(known, undefined), remove(contentDeployments, id));
    }
    const { write: changed = [], events = [] } = change.decision(null);
    return { write: [...changed, ...write], events, answer: null };
  },
);

function incidentOf(
  state: State,
  { nodeId, path, problem }: DeployedFile,
  known: ContentDeployment | undefined,
): Incident | undefined {
  if (problem === null) return undefined;
  return {
    id: known?.incidentId ?? state.ids.next(),
    type: 'failedDeployment',
    message: `'${path}' was not deployed: ${problem}`,
    stackTrace: null,
    created: state.now,
    activityId: null,
    executionId: null,
    instanceId: null,
    definitionId: null,
    definitionKey: null,
    jobId: null,
    causeIncidentId: null,
    rootCauseIncidentId: null,
    configuration: nodeId,
    actor: start(incidentMachine, { annotation: null }),
  };
}

function incidentWrites(known: ContentDeployment | undefined, incident: Incident | undefined): Write[] {
  if (incident !== undefined) return [put(incidents, incident)];
  return known?.incidentId == null ? [] : [remove(incidents, known.incidentId)];
}

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
