import type { Bean } from '../../expression/index.js';
import type { ReportedTask } from './external-facts.js';
import type { At, Run } from './run.js';

/** The bean `externalTask`, in expressions that see a worker's report. */
export class ExternalTaskBean implements Bean {
  readonly #run: Run;
  readonly #at: At;
  readonly #task: ReportedTask;

  constructor(run: Run, at: At, task: ReportedTask) {
    this.#run = run;
    this.#at = at;
    this.#task = task;
  }

  property(name: string): unknown {
    const { context, program } = this.#run;
    const { token, place } = this.#at;
    switch (name) {
      case 'activityId':
        return place.element.id;
      case 'activityInstanceId':
        return `${context.instanceId}:${token.activity}`;
      case 'executionId':
        return `${context.instanceId}:${token.id}`;
      case 'processInstanceId':
        return context.instanceId;
      case 'processDefinitionId':
        return context.definitionId;
      case 'processDefinitionKey':
        return program.key;
      case 'processDefinitionVersionTag':
        return program.versionTag;
      case 'businessKey':
        return this.#run.businessKey;
      case 'topicName':
        return this.#task.topic;
      case 'tenantId':
        return null;
      default:
        return PLAIN.has(name) ? this.#task[name as keyof ReportedTask] : undefined;
    }
  }

  call(method: string, args: readonly unknown[]): unknown {
    if (args.length > 0 || !method.startsWith('get')) return undefined;
    return this.property(method.charAt(3).toLowerCase() + method.slice(4));
  }
}

const PLAIN = new Set(['id', 'workerId', 'priority', 'retries', 'errorMessage', 'errorDetails']);
