import assert from 'node:assert/strict';
import { endOnSignals, leaveOnSignals, type Unlisten } from '../../src/server/signals.js';

describe('a signal', () => {
  let unlisten: Unlisten = () => {};
  afterEach(() => unlisten());
  const signal = (name: NodeJS.Signals) => process.emit(name, name);

  /** What the program leaves with, once. */
  const leaving = (end: () => Promise<boolean>) =>
    new Promise<number>((resolve) => {
      unlisten = endOnSignals(end, resolve);
      signal('SIGTERM');
    });

  it('ends the program with 0', async () => assert.equal(await leaving(async () => true), 0));

  it('ends it with 1 when something could not be closed, or the end itself failed', async () => {
    assert.equal(await leaving(async () => false), 1);
    unlisten();
    assert.equal(await leaving(() => Promise.reject(new Error('stuck'))), 1);
  });

  it('ends it at once when it is the second', async () => {
    const left = leaving(() => new Promise(() => {}));
    signal('SIGTERM');
    assert.equal(await left, 143);
  });

  it('breaks off a start at once', async () => {
    const left = new Promise<number>((resolve) => {
      unlisten = leaveOnSignals(resolve);
    });
    signal('SIGINT');
    assert.equal(await left, 130);
  });
});
