import assert from 'node:assert/strict';
import { BpmnError, type CallInput, type Handler, Handlers, withOutcome } from '../../src/engine/handlers.js';

/** What becomes of a call of this handler. */
function called(handler: Handler) {
  const handlers = new Handlers();
  handlers.register('worker', handler);
  const place = { workspaceId: 'w', processInstanceId: 'i', businessKey: null, activityId: 'a' };
  const variables = {
    amount: { type: 'Long', value: 2 },
    typed: { type: 'Json', value: { type: 'x', value: 1 } },
  } as const;
  return handlers.call('worker', { id: 'c', fields: {}, variables, ...place });
}

describe('a call of a handler', () => {
  it('gives its variables as plain JSON, and takes its result and what it sets', async () => {
    const outcome = await called(({ variables, setVariable }) => {
      setVariable('set', 1);
      return variables;
    });
    assert.deepEqual(outcome, { result: { amount: 2, typed: { type: 'x', value: 1 } }, variables: { set: 1 } });
  });

  it('takes what it changes of the task', async () => {
    const outcome = await called(({ changeTask }) => changeTask('setAssignee', 'ben'));
    assert.deepEqual(outcome.task, [{ method: 'setAssignee', value: 'ben' }]);
  });

  it('takes the BPMN error that it ends with, and what it set before; whatever else it throws is its failure', async () => {
    const ends = (thrown: unknown) =>
      called(({ setVariable }) => {
        setVariable('set', 1);
        throw thrown;
      });
    const variables = { set: 1 };
    assert.deepEqual(await ends(new BpmnError('E', 'it is')), { error: { code: 'E', message: 'it is' }, variables });
    assert.deepEqual(await ends(new BpmnError('E')), { error: { code: 'E', message: null }, variables });
    await assert.rejects(ends(new Error('away')), /^Error: away$/);
  });

  it('fails where nobody is registered under the name', async () => {
    const place = { workspaceId: null, processInstanceId: null, businessKey: null, activityId: null };
    await assert.rejects(
      new Handlers().call('worker', { id: 'c', fields: {}, variables: {}, ...place }),
      /^Error: no handler is registered under the name 'worker', nor under any other /,
    );
  });

  it('is kept with its outcome up to 65,536 characters of JSON', () => {
    const input: CallInput = { handler: 'worker', fields: {}, variables: {}, tokenId: 1, businessKey: null };
    const around = JSON.stringify({ result: '', variables: {} }).length;
    const outcome = (length: number) => ({ result: 'x'.repeat(length - around), variables: {} });
    assert.deepEqual(withOutcome(input, outcome(65_536)), { ...input, outcome: outcome(65_536) });
    assert.deepEqual(withOutcome(input, outcome(65_537)), input);
  });
});
