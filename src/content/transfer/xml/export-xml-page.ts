import { badRequest, limitExceeded } from '../../../shared/errors.js';
import { type QueryContext, type ReaderQuery, snapshotState, tableOf } from '../../../store/documents.js';
import { isMounted, mountedChildren } from '../../tree/children.js';
import { ContentView } from '../../tree/content-view.js';
import { type ContentNode, nodes } from '../../tree/node.js';
import { lockOf, withoutLock } from '../../tree/protection.js';
import { DocumentView, SystemView, type XmlPart } from './written-views.js';

export interface ExportXmlQuery {
  readonly partition: string;
  /** ms, domain clock */
  readonly now: number;
  readonly path: string;
  readonly view: 'SYSTEM' | 'DOCUMENT';
  /** Only the node itself. */
  readonly noRecurse: boolean;
  readonly skipBinary: boolean;
  /** The most characters of the whole. */
  readonly charsMax: number;
}

/** The subtree as XML, as far as the caller may read it. What is in blobs is left to whoever puts the parts together. */
export const exportXml: ReaderQuery<ExportXmlQuery, readonly XmlPart[]> = {
  name: 'exportXml',
  run(context, query) {
    const view = new ContentView(snapshotState(context, query.partition, query.now), context.caller);
    const node = view.at(query.path);
    if (node === undefined) throw badRequest(`Node not found: ${query.path}`, { reason: 'node_not_found' });
    return new Export(context, view, query).of(node);
  },
};

/** On average no child is shorter: a text may be one character, but the element that parts it from the next text has 27. */
const CHILD_CHARS_MIN = 14;

/** A node whose element is open, and the ids of its children that are still to come, the next one last. */
interface Open {
  readonly node: ContentNode;
  readonly left: string[];
}

class Export {
  readonly #context: QueryContext;
  readonly #view: ContentView;
  readonly #query: ExportXmlQuery;
  readonly #writer: SystemView | DocumentView;
  readonly #parts: XmlPart[] = [];
  #text = '<?xml version="1.0" encoding="UTF-8"?>\n';
  #left: number;

  constructor(context: QueryContext, view: ContentView, query: ExportXmlQuery) {
    this.#context = context;
    this.#view = view;
    this.#query = query;
    this.#left = query.charsMax - this.#text.length;
    const options = { namespaces: view.types.namespaces, skipBinary: query.skipBinary };
    this.#writer = query.view === 'SYSTEM' ? new SystemView(options) : new DocumentView(options);
  }

  of(root: ContentNode): readonly XmlPart[] {
    const open = [this.#open(root)];
    for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
      const id = at.left.pop();
      const child = id === undefined ? undefined : this.#view.get(id);
      if (child !== undefined) open.push(this.#open(child));
      if (id !== undefined) continue;
      this.#write(this.#writer.close(at.node));
      open.pop();
    }
    return [...this.#parts, this.#text];
  }

  #open(node: ContentNode): Open {
    const children = this.#query.noRecurse ? [] : this.#children(node);
    const shown = lockOf(node, this.#view.now) === undefined ? withoutLock(node) : node;
    for (const part of this.#writer.open(shown, children.length > 0)) this.#write(part);
    return { node, left: children.reverse() };
  }

  /** In their order; whether they may be read is seen when it is their turn. @throws LIMIT_EXCEEDED so many cannot be in it */
  #children(node: ContentNode): string[] {
    const order = this.#view.types.isOrderable(node) ? 'c_order, id' : 'c_name, c_sibling';
    const max = Math.ceil(this.#left / CHILD_CHARS_MIN);
    const sql = `SELECT id FROM ${tableOf(nodes)} WHERE c_parent = ? ORDER BY ${order} LIMIT ${max}`;
    const children = isMounted(this.#view, node)
      ? mountedChildren(this.#view, node, max)
      : this.#context.log.prepare(sql).all(node.id);
    if (children.length === max) throw tooLarge(this.#query);
    return children.map(({ id }) => String(id));
  }

  #write(part: XmlPart): void {
    this.#left -= typeof part === 'string' ? part.length : sizeOf(part);
    if (this.#left < 0) throw tooLarge(this.#query);
    if (typeof part === 'string') this.#text += part;
    else {
      this.#parts.push(this.#text, part);
      this.#text = '';
    }
  }
}

const sizeOf = ({ size, form }: Exclude<XmlPart, string>): number =>
  form === 'base64' ? Math.ceil(size / 3) * 4 : size;

export const tooLarge = ({ path, charsMax }: Pick<ExportXmlQuery, 'path' | 'charsMax'>) =>
  limitExceeded(
    `expected '${path}' to be at most ${charsMax} characters of XML, but it is more: leave binary values out (skipBinary), export parts of it, or download it as an archive`,
    { reason: 'export_too_large' },
  );
