import { type ReaderQuery, snapshotState } from '../../store/documents.js';
import { type BlobValue, bytesIn, type InlineValue } from '../value/property.js';
import { ContentView } from './content-view.js';
import { type ContentNode, nodes } from './node.js';

interface FilesQuery {
  readonly partition: string;
  /** ms, domain clock */
  readonly now: number;
  /** Absolute paths. */
  readonly roots: readonly string[];
  /** Endings of names, one of which must fit. */
  readonly endings: readonly string[];
}

/** A file with where its bytes are. */
export interface ContentFile {
  readonly nodeId: string;
  readonly path: string;
  readonly name: string;
  readonly data: BlobValue | InlineValue;
}

/** The files below the roots that the caller may read, by path. */
export const contentFiles: ReaderQuery<FilesQuery, ContentFile[]> = {
  name: 'contentFiles',
  run(context, { partition, now, roots, endings }) {
    const state = snapshotState(context, partition, now);
    const view = new ContentView(state, context.caller);
    const found: ContentFile[] = [];
    const walk = (node: ContentNode, path: string): void => {
      const data = dataOf(view, node);
      if (data !== undefined && endings.some((ending) => node.name.endsWith(ending)))
        found.push({ nodeId: node.id, path, name: node.name, data });
      else for (const child of state.find(nodes, 'name', [node.id])) walk(child, `${path}/${child.name}`);
    };
    for (const root of roots) {
      const node = view.at(root);
      if (node !== undefined) walk(node, root);
    }
    return found.filter(({ nodeId }) => view.get(nodeId) !== undefined);
  },
};

function dataOf(view: ContentView, node: ContentNode): BlobValue | InlineValue | undefined {
  if (!view.types.isA(node, 'nt:file')) return undefined;
  return bytesIn(view.contentOf(node).properties['jcr:data']);
}
