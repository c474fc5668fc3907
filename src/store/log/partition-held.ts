import { ServiceError } from '../../shared/errors.js';

/** Another server holds the partition: its lease is not over. */
export class PartitionHeld extends ServiceError {
  readonly holder: string;
  /** ms, the clock of Redis */
  readonly until: number;

  constructor(partition: string, holder: string, until: number) {
    super('UNAVAILABLE', `expected to decide for partition '${partition}', but server ${holder} does`);
    this.holder = holder;
    this.until = until;
  }
}
