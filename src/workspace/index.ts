import type { Domain } from '../store/index.js';
import { type WorkspacePartitions, workspaceJobTypes } from './jobs.js';
import { ensureWorkspace, forgetWorkspace, moveWorkspace, noteSamples, updateWorkspace } from './operations.js';
import { workspaces } from './workspace.js';

export type { WorkspacePartitions } from './jobs.js';
export { ensureWorkspace, moveWorkspace, noteSamples } from './operations.js';
export { SYSTEM_WORKSPACE, WORKSPACE_CHANGED, type Workspace, workspaces } from './workspace.js';

/** The workspaces, which `system` knows. */
export const workspaceDomain = (partitions: WorkspacePartitions): Domain => ({
  collections: [workspaces],
  operations: [ensureWorkspace, updateWorkspace, moveWorkspace, forgetWorkspace, noteSamples],
  longJobTypes: workspaceJobTypes(partitions),
});
