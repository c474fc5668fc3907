import { badRequest } from '../../shared/errors.js';
import { decodeCursor, encodeCursor, type ReaderQuery, type State, snapshotState } from '../../store/documents.js';
import { isMounted } from './children.js';
import { ContentView } from './content-view.js';
import { type ContentNode, nodes } from './node.js';
import { fitting, type NodeFilter } from './node-filter.js';

/** A page of the nodes below a path. */
export interface NodesPage {
  readonly first: number;
  /** Behind which; null: from the first. */
  readonly after: string | null;
}

interface BelowQuery extends NodesPage {
  readonly path: string;
  readonly filter: NodeFilter;
  readonly partition: string;
  /** ms, domain clock */
  readonly now: number;
}

/** A node that fits, and the one that has its properties: its jcr:content, or itself. */
export interface FoundNode {
  readonly node: ContentNode;
  readonly holder: ContentNode;
  readonly path: string;
}

export interface FoundNodes {
  readonly found: readonly FoundNode[];
  /** Where the next page begins; null: that was all. */
  readonly after: string | null;
}

/** How many nodes are looked at for a page. */
const LOOKED_AT_MAX = 5_000;
/** How many children are read at once. */
const CHILDREN_READ = 100;

/** One page of the nodes below a path that fit, and that the caller may read. */
export const contentBelow: ReaderQuery<BelowQuery, FoundNodes> = {
  name: 'contentBelow',
  run(context, { path, filter, partition, now, ...page }) {
    const view = new ContentView(snapshotState(context, partition, now), context.caller);
    const answer = nodesBelow(view, path, filter, page);
    context.room.take(answer);
    return answer;
  },
};

/**
 * The nodes below a path that fit, by their paths: each before what lies below it, siblings by their names. A jcr:content is part of its node. A page looks at no more than `lookedAt`
 * nodes: it may have fewer than were asked for, and go on all the same. What mounts show is not looked at.
 * @throws BAD_REQUEST there is no such node or type, or its children are none that are stored
 */
export function nodesBelow(
  view: ContentView,
  path: string,
  filter: NodeFilter,
  { first, after }: NodesPage,
  lookedAt = LOOKED_AT_MAX,
): FoundNodes {
  const root = storedAt(view, path);
  const holderOf = fitting(view, filter);
  const cursor = (place: readonly Step[]) => encodeCursor(`${root.id}/below`, [textOfPlace(place)]);
  const from = after === null ? [] : placeOf(String(decodeCursor(`${root.id}/below`, 1, after)[0]));
  const found: FoundNode[] = [];
  let last = after;
  let looked = 0;
  for (const { node, place } of walk(view.state, root.id, from)) {
    const holder = holderOf(node);
    if (holder !== undefined) {
      if (found.length === first) return { found, after: last };
      found.push({ node, holder, path: view.tree.pathOf(node) ?? '' });
      last = cursor(place);
    }
    if (++looked === lookedAt) return { found, after: cursor(place) };
  }
  return { found, after: null };
}

function storedAt(view: ContentView, path: string): ContentNode {
  const node = view.require(path);
  if (!isMounted(view, node)) return node;
  throw badRequest(`expected a path below which nodes are stored, but what '${path}' shows is kept elsewhere`);
}

/** Tells a child among its siblings. */
interface Step {
  readonly name: string;
  readonly sibling: string;
}

// No name has a slash.
const textOfPlace = (place: readonly Step[]): string => place.flatMap(({ name, sibling }) => [name, sibling]).join('/');

function placeOf(text: string): Step[] {
  const parts = text.split('/');
  const steps: Step[] = [];
  for (let at = 0; at < parts.length; at += 2) steps.push({ name: parts[at] ?? '', sibling: parts[at + 1] ?? '' });
  return steps;
}

const stepOf = ({ name, sns, order }: ContentNode): Step => ({ name, sibling: sns === true ? (order ?? '') : '' });

/** All that lies below a node and behind a place, be it that what was there is gone, each with its place, which is only so until the next one is asked for. */
function* walk(
  state: State,
  rootId: string,
  from: readonly Step[],
): Generator<{ readonly node: ContentNode; readonly place: readonly Step[] }> {
  const place: Step[] = [];
  const levels: Generator<ContentNode>[] = [];
  let above: string | undefined = rootId;
  for (const step of from) {
    if (above === undefined) break;
    levels.push(childrenBehind(state, above, step));
    place.push(step);
    above = state.find(nodes, 'name', [above, step.name, step.sibling], { limit: 1 })[0]?.id;
  }
  if (above !== undefined) levels.push(childrenBehind(state, above, null));
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const next = level.next();
    place.length = Math.min(place.length, levels.length - 1);
    if (next.done === true) levels.pop();
    else {
      place.push(stepOf(next.value));
      yield { node: next.value, place };
      levels.push(childrenBehind(state, next.value.id, null));
    }
  }
}

function* childrenBehind(state: State, parentId: string, behind: Step | null): Generator<ContentNode> {
  let last = behind;
  for (let limit = CHILDREN_READ; ; ) {
    const read = state.find(nodes, 'name', [parentId], { limit, ...(last !== null && { from: last.name }) });
    const passed: Step | null = last;
    const more = read.filter((node) => passed === null || isBehind(stepOf(node), passed));
    yield* more;
    const end = more.at(-1);
    if (read.length < limit) return;
    if (end === undefined) limit *= 2;
    else last = stepOf(end);
  }
}

/** Of steps at or behind the name of the other. */
const isBehind = (step: Step, other: Step): boolean => step.name !== other.name || step.sibling > other.sibling;
