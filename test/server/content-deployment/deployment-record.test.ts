import assert from 'node:assert/strict';
import '../../../src/content/index.js';
import { ensureStandardTree } from '../../../src/content/tree/standard-tree.js';
import { setIncidentAnnotation } from '../../../src/engine/operation/incident.js';
import {
  contentDeployments,
  type DeployedFile,
  noteDeployments,
} from '../../../src/server/content-deployment/deployment-record.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { incidents, remove } from '../../../src/store/index.js';
import { callerNamed, Harness } from '../../support/harness.js';

const system = systemCaller('test');
const supervisor = { ...callerNamed('ann'), roles: ['supervisor'] };

describe('the problem of a file that cannot be deployed', () => {
  let harness: Harness;
  beforeEach(async () => {
    harness = new Harness();
    await harness.run(ensureStandardTree, null, system);
    harness.events.length = 0;
  });

  const note = (problem: string | null) => {
    const file: DeployedFile = {
      nodeId: 'file',
      path: '/bad.bpmn',
      hash: String(problem),
      deploymentId: null,
      problem,
    };
    return harness.run(noteDeployments, { deployed: [file], gone: [] }, system);
  };
  const open = () => [...harness.state('').range(incidents, 'created', [0], 10)];
  const told = () => harness.events.map(({ type }) => type);

  it('is one incident, which says what is wrong now and goes with it', async () => {
    await note('no model');
    const [first] = open();
    assert.equal(first?.message, "'/bad.bpmn' was not deployed: no model");
    assert.equal(harness.state('').get(contentDeployments, 'file')?.incidentId, first?.id);
    await harness.run(setIncidentAnnotation, { id: first?.id ?? '', annotation: 'ask Bob' }, supervisor);
    harness.now += 1_000;
    await note('no end');
    const [second] = open();
    assert.deepEqual(second, {
      ...first,
      message: "'/bad.bpmn' was not deployed: no end",
      created: harness.now,
    });
    await note(null);
    assert.deepEqual(open(), []);
    assert.deepEqual(told(), ['incident.created', 'incident.updated', 'incident.updated', 'incident.resolved']);
  });

  it('goes with the file', async () => {
    await note('no model');
    await harness.run(noteDeployments, { deployed: [], gone: ['file'] }, system);
    assert.deepEqual([open(), told()], [[], ['incident.created', 'incident.resolved']]);
  });

  it('that somebody resolved comes back with other bytes', async () => {
    await note('no model');
    const [first] = open();
    harness.documents.apply([remove(incidents, first?.id ?? '')]);
    await note('no end');
    assert.deepEqual(
      open().map(({ id, message }) => [id, message]),
      [[first?.id, "'/bad.bpmn' was not deployed: no end"]],
    );
  });
});
