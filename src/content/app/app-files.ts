import {
  cursorsOf,
  Keyset,
  type KeysetPage,
  type KeysetRequest,
  type ReaderQuery,
  snapshotState,
  tableOf,
} from '../../store/documents.js';
import { ContentView } from '../tree/content-view.js';
import { type ContentNode, nodes } from '../tree/node.js';
import { BELOW } from '../tree/subtree.js';
import { type BlobValue, bytesIn, type InlineValue } from '../value/property.js';

interface AppFilesQuery extends KeysetRequest {
  readonly partition: string;
  /** ms, domain clock */
  readonly now: number;
  /** Below which node they are looked for. */
  readonly rootId: string;
}

/** A folder of a web application, by the file `app.yml` that describes it. */
export interface AppFile {
  /** Of the folder. */
  readonly name: string;
  readonly path: string;
  /** From where it was looked for; of that folder itself its name. */
  readonly relPath: string;
  /** The descriptor's bytes; null: it has none that the caller may read. */
  readonly data: BlobValue | InlineValue | null;
  /** Whether a file `icon.svg` lies beside it. */
  readonly hasIcon: boolean;
  /** When its page `index.html` was changed, or the descriptor where it has none: ISO 8601. */
  readonly modified: string | null;
}

/** The web applications below a node, by the paths of their descriptors, as far as the caller may read these. */
export const contentApps: ReaderQuery<AppFilesQuery, KeysetPage<AppFile>> = {
  name: 'contentApps',
  run(context, { partition, now, rootId, ...request }) {
    const view = new ContentView(snapshotState(context, partition, now), context.caller);
    const keyset = new Keyset(cursorsOf(`apps/${rootId}`, 1), request);
    const root = view.get(rootId);
    if (root === undefined) return keyset.page([], () => 0);
    const all: Described[] = [];
    for (const { id } of context.log.prepare(DESCRIPTORS).iterate(rootId)) {
      const file = view.get(String(id));
      const path = file && view.types.isA(file, 'nt:file') ? view.tree.pathOf(file) : undefined;
      if (file !== undefined && path !== undefined && file.id !== rootId) all.push({ file, path });
    }
    all.sort((a, b) => (a.path < b.path ? -1 : 1));
    const behind = all.filter(({ path }) => keyset.after === undefined || path > String(keyset.after[0]));
    const found = behind.slice(0, keyset.wanted).map(({ file, path }) => {
      const node = appOf(view, root, file);
      context.room.take(JSON.stringify(node));
      return { key: [path], node };
    });
    return keyset.page(found, () => all.length);
  },
};

const DESCRIPTORS = `${BELOW} SELECT b.id FROM below b JOIN ${tableOf(nodes)} d ON d.id = b.id WHERE d.c_name = 'app.yml'`;

interface Described {
  readonly file: ContentNode;
  readonly path: string;
}

function appOf(view: ContentView, root: ContentNode, file: ContentNode): AppFile {
  const folder = view.tree.parentOf(file) ?? root;
  const path = view.tree.pathOf(folder) ?? '';
  const above = view.tree.pathOf(root) ?? '';
  const beside = (name: string) => view.readable(view.tree.child(folder, name));
  const page = beside('index.html');
  return {
    name: folder.name,
    path,
    relPath: folder.id === root.id ? folder.name : path.slice(above === '/' ? 1 : above.length + 1),
    data: bytesIn(view.contentOf(file).properties['jcr:data']) ?? null,
    hasIcon: beside('icon.svg') !== undefined,
    modified: (page && modifiedOf(view, page)) ?? modifiedOf(view, file),
  };
}

function modifiedOf(view: ContentView, file: ContentNode): string | null {
  const modified = view.contentOf(file).properties['jcr:lastModified'];
  return modified !== undefined && 'value' in modified ? String(modified.value) : null;
}
