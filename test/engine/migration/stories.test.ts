import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { processDefinitions, tasks } from '../../../src/engine/collections.js';
import { admin, ann, type EngineHarness, inputs } from '../../support/engine-harness.js';
import { type FormerInstance, goOn, opened, type StoryEnd } from '../former/former-instances.js';
import { engineOfStories, STORIES, type Story, Told } from '../former/stories.js';

/** The model with an element before all others: each has another position. */
const shifted = (model: string): string => model.replace(/(<bpmn:process [^>]*>)/, '$1<bpmn:task id="before-all"/>');

async function told(engine: EngineHarness, key: string, { variables = {}, before }: Story): Promise<string> {
  const id = await engine.run(engine.api.startProcess, { definitionKey: key, variables: inputs(variables) }, ann);
  await before?.(new Told(engine, id));
  return id;
}

/** Deploys the other version, and migrates the instance to it. */
async function migrate(engine: EngineHarness, key: string, id: string): Promise<void> {
  const [source] = engine.all(processDefinitions).filter((definition) => definition.key === key);
  const [target] = await engine.deploy(shifted(STORIES[key]?.model ?? ''), `${key}2`);
  await engine.run(
    engine.engine.jobs.migrateInstance,
    { processInstanceId: id, sourceProcessDefinitionId: source?.id ?? '', targetProcessDefinitionId: target ?? '' },
    admin,
  );
  assert.equal(engine.instance(id).definitionId, target);
  // What rests in a large scope follows by a job.
  if (engine.instance(id).away !== undefined) await engine.settle();
  for (const task of engine.all(tasks)) if (task.instanceId === id) assert.equal(task.definitionId, target);
  assertReplays(engine, id);
}

function assertReplays(engine: EngineHarness, id: string): void {
  const { stored, again } = engine.replayed(id);
  assert.deepEqual(again, stored);
}

async function ending(engine: EngineHarness, key: string, id: string): Promise<StoryEnd> {
  const end = await goOn(engine, key, id);
  assertReplays(engine, id);
  return end;
}

describe('an instance that migrates ends as it would have', () => {
  for (const [key, story] of Object.entries(STORIES)) {
    if (key === 'ended') continue;
    it(key, async () => {
      const [stays, goes] = [engineOfStories(), engineOfStories()];
      for (const engine of [stays, goes]) await engine.deploy(story.model, key);
      const expected = await ending(stays, key, await told(stays, key, story));
      const id = await told(goes, key, story);
      await migrate(goes, key, id);
      assert.deepEqual(await ending(goes, key, id), expected);
    });
  }
});

describe('an instance that a former version stored migrates, and ends as it did', () => {
  const former: Readonly<Record<string, FormerInstance>> = JSON.parse(
    readFileSync('test/engine/former/rules-3.json', 'utf8'),
  );
  for (const [key, data] of Object.entries(former)) {
    if (key === 'ended') continue;
    it(key, async () => {
      const engine = opened(data);
      await migrate(engine, key, data.id);
      assert.deepEqual(await ending(engine, key, data.id), data.end);
    });
  }
});
