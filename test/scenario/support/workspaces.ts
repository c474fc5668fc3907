import assert from 'node:assert/strict';
import type { GraphqlClient } from '../../support/graphql-client.js';
import { type JobSeen, toldOf } from './jobs.js';

export type WorkspaceVerb = 'create' | 'start' | 'stop' | 'restart' | 'delete';

/** Does what the verb says with the workspace by its job; gives how that ended. `as`: an administrator, in another workspace. */
export async function workspaceJob(as: GraphqlClient, verb: WorkspaceVerb, name: string): Promise<JobSeen> {
  const field = `${verb}Workspace`;
  const input = `${field[0]?.toUpperCase()}${field.slice(1)}Input!`;
  const query = `mutation ($input: ${input}) { it: ${field}(input: $input) { jobId errors { code message } } }`;
  const { it } = (await as.run(query, { input: { name } })) as unknown as {
    readonly it: { readonly jobId: string | null; readonly errors: unknown };
  };
  assert.equal(it.errors, null, JSON.stringify(it.errors));
  const end = (await toldOf(as, it.jobId ?? '')).at(-1);
  assert.ok(end);
  return end;
}

/** As {@link workspaceJob}, which is to end well. */
export async function doWorkspace(as: GraphqlClient, verb: WorkspaceVerb, name: string): Promise<void> {
  const { status, errorMessage } = await workspaceJob(as, verb, name);
  assert.deepEqual([status, errorMessage ?? null], ['completed', null], `${verb} ${name}`);
}
