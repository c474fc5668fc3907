import { jobs } from '../../store/index.js';
import { type ProcessDefinition, processDefinitions, type Sweep } from '../collections.js';
import { definitionEvent } from '../events.js';
import type { RunScene } from './run-instance.js';

/** What is ordered for a definition. */
export interface DefinitionSuspension {
  readonly id: string;
  readonly event: Sweep['event'];
  readonly includeInstances: boolean;
}

/** What the job of a sweep knows. */
export interface SweepInput {
  readonly sweepId: string;
  /** The last instance that was reached. */
  readonly after: string;
}

/** Suspends or activates a definition; gives whether there is one. Its instances follow by a job, and count as if they had from now on. */
export function suspendDefinition(scene: RunScene, { id, event, includeInstances }: DefinitionSuspension): boolean {
  const { state, changes } = scene;
  const definition = state.get(processDefinitions, id);
  if (definition === undefined || definition.deleting) return false;
  const suspended = event === 'suspend';
  const sweep: Sweep | null = includeInstances ? { id: state.ids.next(), event } : definition.sweep;
  const changed: ProcessDefinition = { ...definition, suspended, sweep };
  changes.put(processDefinitions, changed);
  for (const jobId of definition.timerJobIds) {
    const job = state.get(jobs, jobId);
    if (job !== undefined && job.actor.value !== 'running') changes.put(jobs, { ...job, suspended });
  }
  if (includeInstances && sweep !== null) sweepOn(scene, changed, { sweepId: sweep.id, after: '' });
  if (definition.suspended !== suspended) {
    changes.event(definitionEvent(suspended ? 'suspended' : 'activated', changed, state.now));
  }
  return true;
}

/** The job that takes a sweep to the next instances. */
export function sweepOn({ state, changes }: RunScene, definition: ProcessDefinition, input: SweepInput): void {
  const { id: definitionId, key: definitionKey } = definition;
  const id = state.ids.next();
  changes.job({ id, type: 'sweep', dueAt: state.now, immediate: true, definitionId, definitionKey, input });
}
