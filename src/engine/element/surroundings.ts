import { type Bean, dateBean, type ExpressionContext } from '../../expression/index.js';
import type { At } from './evaluate.js';
import { ExecutionBean } from './execution-bean.js';
import type { Run } from './run.js';
import { TaskBean } from './task-bean.js';
import { lookUp } from './variables.js';

type Named = ReturnType<ExpressionContext['bean']>;

/** What an expression finds under a name: the variables of its scope, and the beans of Camunda's expressions. */
export class Surroundings implements ExpressionContext {
  readonly #run: Run;
  readonly #at: At;

  constructor(run: Run, at: At) {
    this.#run = run;
    this.#at = at;
  }

  variable(name: string): { readonly value: unknown } | undefined {
    const found = lookUp(this.#run, this.#at.scope, name);
    if (found !== undefined || name !== 'authenticatedUserId') return found;
    return { value: this.#run.context.userId };
  }

  bean(name: string): Named {
    const { context } = this.#run;
    switch (name) {
      case 'execution':
        return new ExecutionBean(this.#run, this.#at);
      case 'task':
        return this.#task();
      case 'now':
      case 'dateTime':
        return () => dateBean(context.now);
      case 'currentUser':
        return () => context.userId;
      case 'currentUserGroups':
        return () => context.groups?.() ?? [];
      default:
        return undefined;
    }
  }

  #task(): Bean | undefined {
    const { task } = this.#at;
    return task === undefined ? undefined : new TaskBean(this.#run, this.#at, task);
  }
}
