import type { Caller, Cause } from '../../shared/caller.js';
import type { Clock } from '../../shared/clock.js';
import { idSource } from '../../shared/ids.js';
import type { Time } from '../../shared/time.js';
import { activeTraceparent, inSpan } from '../../shared/trace.js';
import type { Aside, Done } from '../decide/accepted.js';
import type { AnyOperation, Command, Operation } from '../decision.js';
import type { Job } from '../job/job.js';
import { SYSTEM_USER } from '../system-caller.js';

export interface SendOptions {
  readonly caller: Caller;
  /** A client's command id, made from its idempotency key. */
  readonly commandId?: string;
  /** Told when the command waits for what it asked, or for another one that does, and when it goes on. */
  readonly aside?: Aside;
}

/** An answered command. */
export interface Sent<A> {
  readonly answer: A;
  readonly revision: number;
  readonly commandId: string;
}

export interface CommandSenderOptions {
  /** The workspace's name. */
  readonly workspace: string;
  /** The domain clock. */
  readonly clock: Clock;
  readonly time: Time;
  /** Groups and roles of whoever a job acts for. */
  readonly callerOf: (userId: string, workspace: string, cause: Cause) => Caller;
  /** Takes the command to the partition's decider; resolves when it is durable and answered. */
  readonly submit: (command: Command, aside?: Aside) => Promise<Done>;
}

/** Makes commands of what is wanted of a partition, each with its id, its caller and its span, and sends them to the decider. */
export class CommandSender {
  readonly #options: CommandSenderOptions;

  constructor(options: CommandSenderOptions) {
    this.#options = options;
  }

  /** Resolves when the command is durable. Rejects with its refusal, or UNAVAILABLE (the same command id may be sent again). */
  send<I, A>(operation: Operation<I, A>, input: I, options: SendOptions): Promise<Sent<A>> {
    return this.#send(operation, input, options);
  }

  /** As {@link send}, for what the server does by itself: no part of whatever trace is active. */
  async sendAsSystem<I, A>(operation: Operation<I, A>, input: I): Promise<A> {
    const caller = this.#callerOf(SYSTEM_USER, {});
    return (await this.#send(operation, input, { caller, root: true })).answer;
  }

  /** As {@link send}, for a job, in the name of whoever started the chain that it belongs to. */
  async sendFor({ id, userId, cause }: Job, operation: AnyOperation, input: unknown): Promise<unknown> {
    const caller = this.#callerOf(userId, { ...cause, jobId: id });
    return (await this.#send(operation, input, { caller })).answer;
  }

  #callerOf(userId: string, cause: Cause): Caller {
    const { workspace, callerOf } = this.#options;
    return callerOf(userId, workspace, cause);
  }

  async #send<I, A>(
    operation: Operation<I, A>,
    input: I,
    { caller, commandId, aside, root = false }: SendOptions & { readonly root?: boolean },
  ): Promise<Sent<A>> {
    const { workspace, clock, time, submit } = this.#options;
    const now = clock.now();
    const id = commandId ?? idSource(time.seed(), now).next();
    const keyed = commandId !== undefined;
    const attributes = { 'app.workspace': workspace, 'app.command.id': id };
    const done = await inSpan(`command ${operation.name}`, { attributes, root }, () => {
      const traced = tracedCaller(caller, now);
      return submit({ id, type: operation.name, input, caller: traced, cause: traced.cause, keyed }, aside);
    });
    return { answer: done.answer as A, revision: done.revision, commandId: id };
  }
}

/** The caller whose cause names the command's own span: what the command sets off continues that. */
function tracedCaller(caller: Caller, now: number): Caller {
  const traceparent = activeTraceparent();
  if (traceparent === undefined) return caller;
  const traceStart = caller.cause.traceStart ?? now;
  return { ...caller, cause: { ...caller.cause, traceparent, traceStart } };
}
