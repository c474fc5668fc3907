import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Content } from '../content/index.js';
import { type BlobStore, type Partition, systemCaller } from '../store/index.js';

/** Where the samples lie in the tree. */
const SAMPLES_PATH = '/etc/bpm/processes';

/** Puts the processes of `processes/` into the tree of a new workspace, from where they are deployed. */
export async function addSamples({ nodes }: Content, blobs: BlobStore, partition: Partition): Promise<void> {
  const folder = samplesFolder();
  if (folder === undefined) return;
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.bpmn'))) {
    const { sha256: blob, size } = await blobs.write(readFileSync(`${folder}/${name}`));
    const input = { path: SAMPLES_PATH, name, mimeType: 'application/xml', content: { blob, size } };
    await partition.send(nodes.createFile.operation, input, { caller: systemCaller(partition.workspace) });
  }
}

/** Beside the package's `dist/`, or one further up in a build of the tests. */
function samplesFolder(): string | undefined {
  const places = ['../../processes', '../../../processes'];
  return places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((place) => existsSync(place));
}
