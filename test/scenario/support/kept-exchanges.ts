import assert from 'node:assert/strict';
import { join } from 'node:path';
import { HistoryFile } from '../../../src/eip/history/history-file.js';
import { RecordPacker, type RecordToPack, type StepName } from '../../../src/eip/history/packed-records.js';

/** Puts exchanges where a server that has not yet been asked for any finds them, in its workspace `system`. */
export function keepExchanges(dataFolder: string, steps: readonly StepName[], records: readonly RecordToPack[]): void {
  const packer = new RecordPacker(steps);
  for (const one of records) packer.add(one);
  const file = new HistoryFile(join(dataFolder, 'system', 'history.db'), assert.fail);
  file.append(packer.take());
  file.close();
}

/** An exchange without steps that has ended. */
export const someExchange = (exchangeId: string, createdAt: number): RecordToPack => ({
  ...{ exchangeId, createdAt, routeId: 'orders', completedAt: createdAt, elapsed: 1, status: 'completed' },
  ...{
    exceptionType: null,
    exceptionMessage: null,
    stackTrace: null,
    businessKey: null,
    bodyType: null,
    bodySize: null,
  },
  ...{ headers: null, forgotten: 0, steps: [], stepCount: 0 },
});
