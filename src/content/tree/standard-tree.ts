import { collection, type Document, operation, put, remove } from '../../store/documents.js';
import { placeNode } from './add-node.js';
import { Change } from './change.js';
import {
  type AccessEntry,
  type ContentNode,
  EIP_ID,
  EXCHANGES_ID,
  JOBS_ID,
  nodes,
  ROOT_ID,
  SYSTEM_ID,
  VERSION_STORAGE_ID,
} from './node.js';

/** The mark of a new tree whose first content is being put in; gone when all of it is there. Id: {@link TEMPLATE}. */
interface TreeSetup extends Document {
  /** ms, domain clock */
  readonly since: number;
}

export const treeSetups = collection<TreeSetup>({ name: 'treeSetup' });

const TEMPLATE = 'template';

/** A folder that every workspace has. */
interface StandardFolder {
  readonly path: string;
  /** Where others must find it without its path. */
  readonly id?: string;
  readonly type?: string;
  /** Default: those that let it take any child. */
  readonly mixins?: readonly string[];
  readonly acl?: readonly AccessEntry[];
}

const everyone = (allow: boolean, ...privileges: string[]): AccessEntry => ({
  principal: 'everyone',
  privileges,
  allow,
});

/** Those that workspaces of former versions do not have. */
const ADDED: readonly StandardFolder[] = [
  { path: '/var/eip', id: EIP_ID, acl: [everyone(false, 'jcr:read')] },
  { path: '/var/eip/history', id: EXCHANGES_ID },
];

/** Whoever is signed in reads the tree; homes and what the server keeps for itself are shown to those that they were granted to. */
const FOLDERS: readonly StandardFolder[] = [
  { path: '/content' },
  { path: '/content/WEB-INF' },
  { path: '/content/WEB-INF/processes' },
  { path: '/content/WEB-INF/routes' },
  { path: '/etc' },
  { path: '/etc/bpm' },
  { path: '/etc/bpm/processes' },
  { path: '/etc/eip' },
  { path: '/etc/eip/routes' },
  { path: '/etc/i18n' },
  { path: '/etc/metadata' },
  { path: '/etc/metadata/schemas' },
  { path: '/etc/metadata/mixins' },
  { path: '/home' },
  { path: '/home/users', acl: [everyone(false, 'jcr:read')] },
  { path: '/home/groups' },
  { path: '/home/roles' },
  { path: '/var', acl: [everyone(false, 'jcr:read')] },
  { path: '/var/jobs', id: JOBS_ID },
  ...ADDED,
  { path: '/jcr:system', id: SYSTEM_ID, type: 'mi:system' },
  { path: '/jcr:system/jcr:versionStorage', id: VERSION_STORAGE_ID, type: 'mi:versionStorage' },
];

/**
 * Makes the root and the standard folders, as far as they are not there. Run at every start. True as long as what a new tree begins with has
 * to be put in: until {@link endTreeSetup}.
 */
export const ensureStandardTree = operation('ensureStandardTree', (state, _: null, { caller }) => {
  const change = new Change(state, caller);
  if (change.tree.get(ROOT_ID) === undefined) change.put(newRoot());
  if (state.get(nodes, VERSION_STORAGE_ID) !== undefined) {
    const isNew = state.get(treeSetups, TEMPLATE) !== undefined;
    if (state.get(nodes, EXCHANGES_ID) !== undefined) return { answer: isNew };
    for (const folder of ADDED) ensureFolder(change, folder);
    return { ...change.decision(isNew) };
  }
  for (const folder of FOLDERS) ensureFolder(change, folder);
  const { write = [], ...made } = change.decision(true);
  return { ...made, write: [...write, put(treeSetups, { id: TEMPLATE, since: state.now })] };
});

/** All that a new tree begins with is there: from now on it is the users', to keep or to delete. */
export const endTreeSetup = operation('endTreeSetup', () => ({ write: [remove(treeSetups, TEMPLATE)], answer: null }));

const newRoot = (): ContentNode => ({
  id: ROOT_ID,
  parent: null,
  name: '',
  order: null,
  type: 'mi:root',
  mixins: [],
  properties: {},
  acl: [everyone(true, 'jcr:read')],
  version: 0,
});

function ensureFolder(
  change: Change,
  { path, id, type = 'nt:folder', mixins = ['mi:anyChildren'], acl }: StandardFolder,
): void {
  if (change.find(path) !== undefined) return;
  const at = path.lastIndexOf('/');
  const parent = change.at(path.slice(0, at) || '/');
  const made = placeNode(change, parent, { name: path.slice(at + 1), type, mixins, ...(id !== undefined && { id }) });
  if (acl !== undefined) change.put({ ...made, acl });
}
