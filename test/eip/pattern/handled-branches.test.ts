import assert from 'node:assert/strict';
import { Routes } from '../support/routes.js';
import { boom } from '../support/steps.js';

const PART = `[{ filter: { simple: "\${body} == 'bad'", steps: [{ process: { ref: boom } }] } }, { to: { uri: "mock:part" } }]`;

/** Sends `a,bad,c` through a step, where an onException handles what fails. */
async function handled(step: string) {
  const tested = new Routes();
  tested.context.bind('boom', boom);
  await tested.start(`
- onException: { exception: ["java.lang.RuntimeException"], handled: { constant: "true" }, steps: [{ to: { uri: "mock:handled" } }] }
- from: { uri: "direct:in", steps: [${step}, { to: { uri: "mock:after" } }] }
- from: { uri: "direct:fails", steps: [{ process: { ref: boom } }] }`);
  const { exception } = await tested.send('direct:in', 'a,bad,c');
  const count = (name: string) => tested.mock(name).counter;
  return { exception, parts: count('part'), handled: count('handled'), after: count('after') };
}

describe('branches whose failure is handled', () => {
  it('a part of a split that was handled does not keep the exchange from going on', async () => {
    const told = await handled(`{ split: { simple: "\${body}", steps: ${PART} } }`);
    assert.deepEqual(told, { exception: undefined, parts: 2, handled: 1, after: 1 });
  });

  it('with shareUnitOfWork it is the whole that was handled: the route ends', async () => {
    const told = await handled(`{ split: { simple: "\${body}", shareUnitOfWork: true, steps: ${PART} } }`);
    assert.deepEqual(told, { exception: undefined, parts: 2, handled: 1, after: 0 });
  });

  it('with stopOnException it ends with that part', async () => {
    const told = await handled(`{ split: { simple: "\${body}", stopOnException: true, steps: ${PART} } }`);
    assert.deepEqual(told, { exception: undefined, parts: 1, handled: 1, after: 0 });
  });

  it('a branch of multicast, a recipient or a round of a loop that was handled ends the route', async () => {
    const fails = '{ process: { ref: boom } }';
    const multicast = await handled(`{ multicast: { steps: [${fails}, { to: { uri: "mock:part" } }] } }`);
    assert.deepEqual(multicast, { exception: undefined, parts: 1, handled: 1, after: 0 });
    const recipients = await handled('{ recipientList: { constant: "direct:fails,mock:part" } }');
    assert.deepEqual(recipients, { exception: undefined, parts: 1, handled: 1, after: 0 });
    const loop = await handled(
      `{ loop: { constant: "3", copy: true, steps: [{ to: { uri: "mock:part" } }, ${fails}] } }`,
    );
    assert.deepEqual(loop, { exception: undefined, parts: 1, handled: 1, after: 0 });
  });

  it('what fails when an endpoint cannot be found is handled as a failure of the step', async () => {
    const told = await handled('{ toD: { uri: "none:${body}" } }');
    assert.deepEqual(told, { exception: undefined, parts: 0, handled: 1, after: 0 });
  });
});
