import { Histories } from '../../eip/index.js';
import type { DomainClock } from '../../shared/clock.js';
import { Records } from '../../store/index.js';
import { AUDIT_STREAM, Audit } from '../audit/audit.js';
import type { Config } from '../settings/config.js';
import type { Opened } from './domain.js';

/** Closed behind the store, whose last exchanges are theirs, too. */
export function openHistories(
  { dataFolder, exchangesKeptMs, exchangesMax, exchangeCountsKeptMs }: Config,
  now: () => number,
  opened: Opened,
): Histories {
  const retention = { ageMaxMs: exchangesKeptMs, rowsMax: exchangesMax, countsAgeMaxMs: exchangeCountsKeptMs };
  const histories = new Histories({ dataFolder, retention, now });
  opened.push(() => histories.close());
  return histories;
}

/** Closed behind the store, whose last commits are its, too. */
export function openAudit({ dataFolder, auditKeptMs }: Config, clock: DomainClock, opened: Opened): Audit {
  // By the machine's clock: nobody makes entries go by setting a virtual one forward.
  const retention = { [AUDIT_STREAM]: { ageMaxMs: auditKeptMs } };
  const audit = new Audit(new Records({ dataFolder, retention }), clock);
  opened.push(() => audit.close());
  return audit;
}
