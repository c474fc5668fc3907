import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Engine } from '../engine/index.js';
import { type Partition, systemCaller } from '../store/index.js';

/** Deploys the processes of `processes/` into a new workspace. */
export async function deploySamples({ api }: Engine, partition: Partition): Promise<void> {
  const folder = samplesFolder();
  if (folder === undefined) return;
  const resources = readdirSync(folder)
    .filter((file) => file.endsWith('.bpmn'))
    .map((name) => ({ name, content: readFileSync(`${folder}/${name}`, 'utf8') }));
  const input = { name: 'Samples', source: 'processes', resources, enableDuplicateFiltering: true };
  await partition.send(api.deployProcess, input, { caller: systemCaller(partition.workspace) });
}

/** Beside the package's `dist/`, or one further up in a build of the tests. */
function samplesFolder(): string | undefined {
  const places = ['../../processes', '../../../processes'];
  return places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((place) => existsSync(place));
}
