import assert from 'node:assert/strict';
import { type Subscription, subscriptions } from '../../../src/engine/collections.js';
import { findReceiver, receiversOfThrown, remainingOf } from '../../../src/engine/run/message-receiver.js';
import { seedOf } from '../../../src/shared/ids.js';
import { put } from '../../../src/store/index.js';
import { MemoryDocuments, MemoryState } from '../../support/memory-state.js';

const waiting = (id: string, more: Partial<Subscription> = {}): Subscription => ({
  id,
  eventType: 'message',
  eventName: 'paid',
  instanceId: `instance-${id}`,
  businessKey: 'key',
  definitionId: 'd',
  definitionKey: 'p',
  elementId: 'hear',
  executionId: `instance-${id}:1`,
  created: 0,
  revision: 0,
  ...more,
});
const starting = (id: string, more: Partial<Subscription> = {}) =>
  waiting(id, { instanceId: null, businessKey: null, executionId: null, ...more });
const many = (length: number) => Array.from({ length }, (_, n) => waiting(`w${n}`));

function stateOf(all: readonly Subscription[]) {
  const documents = new MemoryDocuments();
  documents.apply(all.map((each) => put(subscriptions, each)));
  return new MemoryState(documents, seedOf('receivers'), 0);
}

describe('the receiver of a message', () => {
  const found = (all: readonly Subscription[], more: object = {}) =>
    idOf(findReceiver(stateOf(all), { messageName: 'paid', ...more }));
  const idOf = (receiver: ReturnType<typeof findReceiver>) =>
    receiver === undefined || 'ask' in receiver ? undefined : receiver.id;

  it('is the one that waits for it, else the start event that it triggers', () => {
    assert.equal(found([starting('s'), waiting('a')]), 'a');
    assert.equal(found([starting('s')]), 's');
    assert.equal(found([starting('s')], { businessKey: 'key' }), 's');
    assert.equal(found([starting('s')], { processInstanceId: 'instance-a' }), undefined);
    assert.equal(found([starting('s', { eventName: 'sent' })]), undefined);
  });

  it('waits for a message of exactly this name', () => {
    for (const how of [{}, { businessKey: 'key' }, { processInstanceId: 'i' }]) {
      const all = [
        waiting('a', { instanceId: 'i', eventType: 'signal' }),
        waiting('b', { instanceId: 'i', eventName: 'paid2' }),
        waiting('c', { instanceId: 'i', eventName: 'pai' }),
        waiting('d', { instanceId: 'ii', businessKey: 'keys', eventName: 'sent' }),
      ];
      assert.equal(found(all, how), undefined);
      assert.equal(found([...all, waiting('e', { instanceId: 'i' })], how), 'e');
    }
  });

  it('is one alone: of several it is said how many, up to 200', () => {
    const refused = (length: number, count: string) =>
      assert.throws(() => found(many(length)), { code: 'CONFLICT', message: new RegExp(`but ${count} wait for it$`) });
    refused(2, '2');
    refused(200, '200');
    refused(201, 'more than 200');
  });

  it('is the one that is left of those that it was for', () => {
    const left = (...ids: string[]) => remainingOf(stateOf(many(2)), ids, { messageName: 'paid' })?.id;
    assert.equal(left('gone', 'w1'), 'w1');
    assert.equal(left('gone'), undefined);
    assert.throws(() => left('w0', 'w1'), { code: 'CONFLICT' });
  });
});

describe('the receivers of a message that a process throws', () => {
  const found = (all: readonly Subscription[], thrower = 'thrower') =>
    receiversOfThrown(stateOf(all), thrower, { messageName: 'paid', businessKey: 'key' }).map(({ id }) => id);

  it('are other instances with its business key, else what the message starts', () => {
    const all = [waiting('a'), waiting('b', { businessKey: 'other' }), starting('s')];
    assert.deepEqual(found(all), ['a']);
    assert.deepEqual(found(all, 'instance-a'), ['s']);
  });

  it('are at most 201', () => {
    assert.equal(found(many(205)).length, 201);
  });
});
