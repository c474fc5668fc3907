import type { Domain } from '../store/index.js';
import { type WorkspaceJobApi, type WorkspacePartitions, workspaceJobApi, workspaceJobTypes } from './jobs.js';
import { ensureWorkspace, forgetWorkspace, moveWorkspace, noteSamples, updateWorkspace } from './operations.js';
import { workspaces } from './workspace.js';

export type { WorkspacePartitions } from './jobs.js';
export { ensureWorkspace, moveWorkspace, noteSamples, workspaceOperations } from './operations.js';
export { type RefusalDetails, workspaceAway } from './refusal.js';
export {
  allWorkspaces,
  SYSTEM_WORKSPACE,
  WORKSPACE_CHANGED,
  type Workspace,
  type WorkspaceSettings,
  workspaceNamed,
  workspaces,
} from './workspace.js';

/** Operations on workspaces that the API offers, by their names. */
export type WorkspaceApi = WorkspaceJobApi & { readonly updateWorkspace: typeof updateWorkspace };

/** The workspaces, which `system` knows. */
export function workspaceDomain(partitions: WorkspacePartitions): Domain & { readonly api: WorkspaceApi } {
  const longJobTypes = workspaceJobTypes(partitions);
  const api = { ...workspaceJobApi(longJobTypes), updateWorkspace };
  return {
    collections: [workspaces],
    operations: [ensureWorkspace, moveWorkspace, forgetWorkspace, noteSamples, ...Object.values(api)],
    longJobTypes,
    api,
  };
}
