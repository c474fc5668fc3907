import assert from 'node:assert/strict';
import { deployments, jobSubject } from '../../../src/engine/collections.js';
import { bpmn, element, flows, timer } from '../../support/bpmn.js';
import { admin, EngineHarness } from '../../support/engine-harness.js';

const waits = bpmn(
  `${element('startEvent', 'start')}${element('intermediateCatchEvent', 'wait', {}, timer('duration', 'PT1H'))}${flows('start', 'wait')}`,
);

describe('the subject of a job', () => {
  it('is an instance, and where in it: its trace tells of them, and what it causes is caused by the instance', async () => {
    const engine = new EngineHarness();
    await engine.deploy(waits);
    const instanceId = await engine.start();
    const job = engine.takeJob(engine.job('timer').id);
    assert.equal(jobSubject.spanName(job), 'wait');
    assert.deepEqual(jobSubject.cause(job), { instanceId });
    assert.deepEqual(jobSubject.spanAttributes(job), {
      'messaging.system': 'bpm',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'bpm.job.id': job.id,
      'bpm.job.attempt': 1,
      'bpm.activity.id': 'wait',
      'bpm.process.instance.id': instanceId,
      'bpm.process.definition.key': 'p',
    });
  });

  it('is nothing of the sort where a deployment is deleted: then nothing is told of it', async () => {
    const engine = new EngineHarness();
    await engine.deploy(waits);
    const [deployment] = engine.all(deployments);
    await engine.run(engine.api.deleteDeployment, { id: deployment?.id ?? '' }, admin);
    const job = engine.takeJob(engine.job('deletion').id);
    assert.equal(jobSubject.spanName(job), '');
    assert.deepEqual(jobSubject.cause(job), {});
    assert.deepEqual(Object.keys(jobSubject.spanAttributes(job)), [
      'messaging.system',
      'messaging.operation.name',
      'messaging.operation.type',
      'bpm.job.id',
      'bpm.job.attempt',
    ]);
  });
});
