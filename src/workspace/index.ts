import type { Domain } from '../store/index.js';
import { type WorkspaceJobApi, workspaceJobApi, workspaceJobTypes } from './jobs.js';
import type { WorkspaceLifecycle } from './lifecycle.js';
import { ensureWorkspaces, forgetWorkspace, moveWorkspace, noteSamples, updateWorkspace } from './operations.js';
import { workspaces } from './workspace.js';

export { type EngineName, Engines } from './engines.js';
export { WorkspaceLifecycle, type WorkspacePartitions } from './lifecycle.js';
export { ensureWorkspaces, moveWorkspace, noteSamples, workspaceOperations } from './operations.js';
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
export function workspaceDomain(lifecycle: WorkspaceLifecycle): Domain & { readonly api: WorkspaceApi } {
  const longJobTypes = workspaceJobTypes(lifecycle);
  const api = { ...workspaceJobApi(longJobTypes), updateWorkspace };
  return {
    collections: [workspaces],
    operations: [ensureWorkspaces, moveWorkspace, forgetWorkspace, noteSamples, ...Object.values(api)],
    longJobTypes,
    api,
  };
}
