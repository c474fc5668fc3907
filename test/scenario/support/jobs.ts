import assert from 'node:assert/strict';
import type { JobProgressEvent } from '../../../src/graphql/generated/schema.js';
import type { GraphqlClient } from '../../support/graphql-client.js';

const FIGURES =
  'jobId status itemsTotal itemsProcessed itemsDeleted itemsArchived itemsImported itemsNew itemsOverwritten itemsSkipped itemsError errorSamples dryRunHasErrors dryRunNodeCount dryRunBinaryCount dryRunDetail currentPath errorMessage phase targetWorkspace downloadUrl timestamp';
const FOLLOW = `subscription ($jobId: ID!) { jobProgress(jobId: $jobId) { ${FIGURES} } }`;

export const REF = 'jobId status itemsAccepted itemsTotal';

/** A job as a client sees it. */
export type JobSeen = JobProgressEvent;

/** All that a client is told of a job, to its end. */
export async function toldOf(client: GraphqlClient, jobId: string): Promise<JobSeen[]> {
  const response = await fetch(client.url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream', ...client.headers },
    body: JSON.stringify({ query: FOLLOW, variables: { jobId } }),
  });
  const text = await response.text();
  return [...text.matchAll(/^data: *(\{.*\})$/gm)].map(([, data = '']) => JSON.parse(data).data.jobProgress as JobSeen);
}

/** Follows a job to its end; that it is told as it should be is checked on the way. */
export async function endOf(client: GraphqlClient, jobId: string): Promise<JobSeen> {
  const told = await toldOf(client, jobId);
  const last = told.at(-1);
  assert.ok(last !== undefined, 'something is told of the job');
  assert.ok(['completed', 'failed', 'aborted'].includes(last.status ?? ''), `it is told to its end: ${last.status}`);
  for (const name of ['itemsProcessed', 'itemsDeleted', 'itemsArchived', 'itemsImported'] as const) {
    const counts = told.map((one) => Number(one[name] ?? 0));
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
      `${name} never runs backwards`,
    );
  }
  return last;
}

/** Makes a job of the kind, with its paths; gives its id. */
export async function filledJob(
  client: GraphqlClient,
  kind: 'DeleteNodes' | 'DownloadArchive' | 'ImportArchive',
  paths: readonly string[] = [],
): Promise<string> {
  const init = await client.run(`mutation { job: init${kind}(input: {}) { ${REF} } }`);
  const { jobId } = jobIn(init);
  for (let from = 0; from < paths.length; from += 100) {
    const append = `mutation ($jobId: ID!, $paths: [String!]!) { job: append${kind}(input: { jobId: $jobId, paths: $paths }) { ${REF} } }`;
    await client.run(append, { jobId, paths: paths.slice(from, from + 100) });
  }
  return jobId;
}

export interface Ref {
  readonly jobId: string;
  readonly status: string;
  readonly itemsAccepted: string | number | null;
  readonly itemsTotal: string | number | null;
}

export const jobIn = (data: unknown): Ref => (data as { job: Ref }).job;

export async function startJob(
  client: GraphqlClient,
  kind: 'DeleteNodes' | 'DownloadArchive' | 'ImportArchive',
  input: Readonly<Record<string, unknown>>,
): Promise<Ref> {
  const start = `mutation ($input: Start${kind}Input!) { job: start${kind}(input: $input) { ${REF} } }`;
  return jobIn(await client.run(start, { input }));
}

/** Deletes the paths by a job, and gives its end. */
export async function deleteByJob(client: GraphqlClient, paths: readonly string[]): Promise<JobSeen> {
  const jobId = await filledJob(client, 'DeleteNodes', paths);
  await startJob(client, 'DeleteNodes', { jobId });
  return endOf(client, jobId);
}

/** Makes an archive of the paths, and gives its job's end. */
export async function archiveByJob(
  client: GraphqlClient,
  paths: readonly string[],
  input: Readonly<Record<string, unknown>> = {},
): Promise<JobSeen> {
  const jobId = await filledJob(client, 'DownloadArchive', paths);
  await startJob(client, 'DownloadArchive', { jobId, filename: 'all', ...input });
  return endOf(client, jobId);
}

/** Fetches what a job has made. */
export async function download(client: GraphqlClient, path: string): Promise<Response> {
  return fetch(new URL(path, client.url), { headers: client.headers });
}

/** Puts a ZIP into the tree, imports it, and gives the job's end. */
export async function importByJob(
  client: GraphqlClient,
  zip: Uint8Array,
  input: Readonly<Record<string, unknown>>,
): Promise<JobSeen> {
  const archivePath = await uploaded(client, zip);
  const jobId = await filledJob(client, 'ImportArchive');
  await startJob(client, 'ImportArchive', { jobId, archivePath, ...input });
  return endOf(client, jobId);
}

let uploads = 0;

/** Puts a ZIP into the tree; gives its path. */
export async function uploaded(client: GraphqlClient, zip: Uint8Array): Promise<string> {
  const name = `upload-${uploads++}.zip`;
  const file =
    'mutation ($name: String!, $content: Base64!) { createFile(input: { path: "/content/uploads", name: $name, mimeType: "application/zip", content: $content }) { path } }';
  const { createFile } = await client.run(file, { name, content: Buffer.from(zip).toString('base64') });
  return createFile.path;
}
