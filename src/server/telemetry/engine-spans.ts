import {
  activityOf,
  type HistoryEntry,
  type ProcessEventData,
  type Program,
  processEventData,
  processInstances,
  type Run,
  runId,
  runs,
  type TaskEventData,
  taskEventData,
  tasks,
} from '../../engine/index.js';
import { log } from '../../shared/log.js';
import { processInstanceDuration, taskAge } from '../../shared/metrics.js';
import { continued, isTracing, recordSpan } from '../../shared/trace.js';
import type { CommitFollower, Committed, FeedEvent, State } from '../../store/index.js';
import { type OpenVisit, OpenVisits, type RunsOf } from './open-visits.js';

/** Sources of the spans of the engine beside the commits. */
interface EngineSpanSource {
  /** The durable state of a partition. */
  readonly state: (partition: string) => Pick<State, 'get' | 'range'>;
  /** The program of a definition; undefined when it is gone. */
  readonly program: (state: Pick<State, 'get'>, definitionId: string) => Program | undefined;
  /** The domain clock. */
  readonly now: () => number;
}

/** Runs of an instance that are looked through for where an activity began. */
const RUNS_READ_MAX = 900;

/**
 * Tells of process instances, activities and user tasks in spans and metrics, from durable commits alone. No span is open while something
 * waits: an instance has a short one at its start and one at its end, an activity one that is told when it is over. Times are those of the
 * domain clock, as in the history. Never throws. Where nobody collects any of it, it is not asked for.
 */
export function engineSpans(source: EngineSpanSource): (partition: string) => CommitFollower {
  const teller = new EngineTeller(source);
  const tell = (partition: string, committed: Committed) => {
    try {
      teller.tell(partition, committed);
    } catch (thrown) {
      log.warn({ err: thrown, command: committed.command.type }, 'the spans of a commit could not be made');
    }
  };
  return (partition) => ({
    collections: [processInstances, tasks, runs],
    committed: (committed) => tell(partition, committed),
  });
}

/** A commit that is told of. */
interface Scene {
  readonly state: () => Pick<State, 'get' | 'range'>;
  /** When it was decided, ms of the domain clock. */
  readonly at: number;
  /** The command's span; what the commit began continues it. */
  readonly command: string | undefined;
  /** Anchors of the instances that it started. */
  readonly anchors: Map<string, string | undefined>;
}

class EngineTeller {
  readonly #source: EngineSpanSource;
  readonly #visits = new OpenVisits();

  constructor(source: EngineSpanSource) {
    this.#source = source;
  }

  tell(partition: string, { record, command, events, writes }: Committed): void {
    const state = () => this.#source.state(partition);
    const scene: Scene = { state, at: record.at, command: command.cause.traceparent, anchors: new Map() };
    for (const event of events) if (event.type === 'process.started') this.#started(scene, event);
    const isTraced = isTracing();
    // Tasks first: the activities of those that are done are forgotten below.
    for (const event of events) this.#event(scene, event);
    for (const { collection, document } of writes)
      if (isTraced && collection.name === runs.name && document !== null) this.#run(scene, document as Run);
  }

  #started(scene: Scene, event: FeedEvent): void {
    const { processInstance: instance } = processEventData(event);
    const anchor = recordSpan(`start ${instance.definitionKey}`, {
      traceparent: scene.command,
      attributes: instanceAttributes(instance),
      ...this.#moment(scene),
    });
    scene.anchors.set(instance.id, anchor);
  }

  #event(scene: Scene, event: FeedEvent): void {
    const { type } = event;
    if (type === 'process.ended') this.#ended(scene, processEventData(event));
    const verb = TASK_SPANS[type];
    if (verb !== undefined) this.#task(scene, verb, taskEventData(event));
    if (type === 'task.completed') {
      const { task, at } = taskEventData(event);
      taskAge.record((at - task.created) / 1000, { 'bpm.task.definition.key': task.elementId });
    }
  }

  #ended(scene: Scene, { processInstance: instance }: ProcessEventData): void {
    const outcome = { 'bpm.process.instance.outcome': instance.actor.value };
    const lifeMs = (instance.endTime ?? scene.at) - instance.startTime;
    const key = { 'bpm.process.definition.key': instance.definitionKey };
    processInstanceDuration.record(lifeMs / 1000, { ...key, ...outcome });
    if (!isTracing()) return;
    const anchor = scene.anchors.get(instance.id);
    const [first] = anchor === undefined ? this.#runs(scene)(instance.id) : [];
    const began = anchor ?? first?.traceparent;
    recordSpan(`end ${instance.definitionKey}`, {
      traceparent: scene.command,
      links: [began],
      attributes: { ...instanceAttributes(instance), ...outcome },
      ...this.#moment(scene),
      ...(instance.actor.value === 'failed' && { error: new Error('the process ended with an error') }),
    });
  }

  #task(scene: Scene, verb: string, { task }: TaskEventData): void {
    if (!isTracing()) return;
    const begins = verb === 'create';
    const visit = begins ? undefined : this.#visits.find(task.instanceId, task.activity, this.#runs(scene));
    recordSpan(`${verb} task`, {
      traceparent: (begins ? scene.anchors.get(task.instanceId) : undefined) ?? scene.command,
      links: [visit?.traceparent],
      attributes: {
        'bpm.task.id': task.id,
        'bpm.task.definition.key': task.elementId,
        ...placeAttributes(task.instanceId, task.definitionId),
      },
      ...this.#moment(scene),
    });
  }

  #run(scene: Scene, run: Run): void {
    if (run.history.length === 0) return;
    const program = this.#source.program(scene.state(), run.definitionId);
    if (program === undefined) return;
    for (const entry of run.history) this.#entry(scene, { run, program }, entry);
  }

  #entry(scene: Scene, told: Told, entry: HistoryEntry): void {
    const { run } = told;
    const traceparent = scene.anchors.get(run.instanceId) ?? scene.command;
    const n = entry[1];
    switch (entry[0]) {
      case 0:
      case 4: {
        const visit = { position: entry[2], isBody: entry[0] === 4, startTime: run.at, traceparent };
        this.#visits.add(`${run.instanceId}:${n}`, visit);
        break;
      }
      case 3:
      case 5: {
        const visit = { position: entry[2], isBody: entry[0] === 5, startTime: run.at, traceparent };
        this.#activity(visit, n, told, { scene });
        break;
      }
      default: {
        const visit = this.#visits.take(run.instanceId, n, this.#runs(scene));
        if (visit !== undefined) this.#activity(visit, n, told, { scene, canceled: entry[0] === 2 });
      }
    }
  }

  /** A span in the trace that the activity began in, or, when it waited for long, in that of its end; linked to the other. */
  #activity(
    visit: OpenVisit,
    n: number,
    { run, program }: Told,
    { scene, canceled = false }: { readonly scene: Scene; readonly canceled?: boolean },
  ): void {
    const { activityId, activityType } = activityOf(program.elements[visit.position], visit.isBody);
    const began = continued(visit.traceparent, run.at - visit.startTime);
    const place = began.root === true ? { traceparent: scene.command, links: began.links ?? [] } : began;
    const across = began.root !== true && visit.startTime < run.at ? { links: [scene.command] } : {};
    recordSpan(`${activityType} ${activityId}`, {
      ...place,
      ...across,
      attributes: {
        'bpm.activity.id': activityId,
        'bpm.activity.type': activityType,
        'bpm.activity.instance.id': `${run.instanceId}:${n}`,
        ...(canceled && { 'bpm.activity.canceled': true }),
        ...placeAttributes(run.instanceId, run.definitionId),
      },
      startTime: visit.startTime,
      endTime: run.at,
    });
  }

  /** From when it was decided until it was durable. */
  #moment({ at }: Scene) {
    return { startTime: at, endTime: this.#source.now() };
  }

  #runs(scene: Scene): RunsOf {
    return function* (instanceId) {
      const state = scene.state();
      const newest = state.get(processInstances, instanceId)?.runs ?? 0;
      for (let n = 1; n <= Math.min(newest, RUNS_READ_MAX); n++) {
        const run = state.get(runs, runId(instanceId, n));
        if (run !== undefined) yield run;
      }
    };
  }
}

/** A run with the program that its history refers to. */
interface Told {
  readonly run: Run;
  readonly program: Program;
}

/** The events of user tasks that are told of in spans, as `<verb> task`. */
const TASK_SPANS: Readonly<Record<string, string>> = {
  'task.created': 'create',
  'task.assigned': 'assign',
  'task.completed': 'complete',
  'task.deleted': 'cancel',
};

const instanceAttributes = ({ id, definitionId }: ProcessEventData['processInstance']) =>
  placeAttributes(id, definitionId);

/** A definition's id is `key:version:uuid`. */
function placeAttributes(instanceId: string, definitionId: string) {
  const [key = '', version = ''] = definitionId.split(':');
  return {
    'bpm.process.instance.id': instanceId,
    'bpm.process.definition.key': key,
    'bpm.process.definition.version': Number(version),
  };
}
