import type { Time } from '../../shared/time.js';
import { systemTime } from '../../shared/time.js';
import type { Operation } from '../decision.js';
import { type CommitFollower, LandedCommits } from '../feed/landed-commits.js';
import type { AnyCollection } from '../log/schema.js';
import { CommandSender, type CommandSenderOptions, type SendOptions, type Sent } from './command-sender.js';
import { DeciderSide, type DeciderSideOptions } from './decider-side.js';
import { ReplicaSide } from './replica-side.js';

export interface PartitionOptions
  extends Omit<DeciderSideOptions, 'time' | 'commits' | 'feed' | 'sender'>,
    Pick<CommandSenderOptions, 'workspace' | 'callerOf'> {
  /** Whatever the partition's documents are of, those of the store included. */
  readonly collections: readonly AnyCollection[];
  /** Default: the machine's. */
  readonly time?: Time;
  /** Who follows its commits, behind the partition itself. Default: nobody. */
  readonly followers?: readonly CommitFollower[];
}

/**
 * One partition, open on this server, in two sides: one is read, one decides. Nothing comes from one to the other but commands, and commits that
 * have landed.
 */
export class Partition {
  readonly id: string;
  /** The workspace's name. */
  readonly workspace: string;
  /** To whoever only reads this alone is given. */
  readonly replica: ReplicaSide;
  readonly decider: DeciderSide;
  readonly #options: Pick<PartitionOptions, 'log' | 'replica'>;
  readonly #sender: CommandSender;

  constructor({ time = systemTime, ...options }: PartitionOptions) {
    const { id, workspace, replica, collections, clock, callerOf, followers = [] } = options;
    this.#options = options;
    this.id = id;
    this.workspace = workspace;
    const commits = new LandedCommits({ replica, collections, time });
    const known = () => this.decider.known;
    this.replica = new ReplicaSide({ id, workspace, replica, commits, clock, time, known });
    const submit: CommandSenderOptions['submit'] = (command, aside) => this.decider.submit(command, aside);
    this.#sender = new CommandSender({ workspace, clock, time, callerOf, submit });
    this.decider = new DeciderSide({ ...options, time, commits, feed: this.replica.feed, sender: this.#sender });
    for (const follower of followers) commits.follow(follower);
  }

  /** Takes back what a dead server was running; then jobs and reactions go on. */
  begin(): Promise<void> {
    return this.decider.begin();
  }

  /** Resolves when the command is durable. Rejects with its refusal, or UNAVAILABLE (the same command id may be sent again). */
  send<I, A>(operation: Operation<I, A>, input: I, options: SendOptions): Promise<Sent<A>> {
    return this.#sender.send(operation, input, options);
  }

  /** As {@link send}, for what the server does by itself: no part of whatever trace is active. */
  sendAsSystem<I, A>(operation: Operation<I, A>, input: I): Promise<A> {
    return this.#sender.sendAsSystem(operation, input);
  }

  /** Takes no more commands, lets those in flight finish, gives running jobs back, closes the log. */
  async close(drainMs: number): Promise<void> {
    await this.decider.close(drainMs);
    await this.#options.log.close();
    this.#options.replica.close();
  }
}
