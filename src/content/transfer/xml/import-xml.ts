import { type Asking, type Operation, steppedOperation } from '../../../store/index.js';
import { busyTree, LargeKind, type Ready } from '../../large/large-work.js';
import { attachStaged, beingMade, stagedNode } from '../../large/staging.js';
import { registerNamespaces } from '../../registration/namespaces.js';
import { Change } from '../../tree/change.js';
import { isAsking } from '../../tree/content-operation.js';
import { detachedTrees } from '../../tree/detached.js';
import { type ContentNode, nodes } from '../../tree/node.js';
import { typesStampOf } from '../../tree/stored-types.js';
import { spendUpload } from '../../upload/sealed-upload.js';
import type { BlobValue } from '../../value/property.js';
import { REPLACING_MAX, type UuidBehavior } from './import-place.js';
import { type Imported, importTree } from './import-tree.js';
import { typesChanged, type XmlStage } from './staged-xml.js';
import type { XmlDocument, XmlLimits } from './xml-document.js';
import { atLine } from './xml-line.js';

export interface ImportXmlInput {
  /** The node that it becomes part of. */
  readonly path: string;
  /** The XML as a blob; null: it is an upload. */
  readonly xml: BlobValue | null;
  readonly uploadId: string | null;
  readonly uuidBehavior: UuidBehavior;
}

/** Asked for what the XML of an import says. */
export interface XmlQuestion {
  /** The blob that is the XML. */
  readonly blob: string;
  /** bytes */
  readonly size: number;
  /** Registered namespaces, by prefix. */
  readonly namespaces: Readonly<Record<string, string>>;
  readonly limits: XmlLimits;
  /** Where its nodes are staged, if they are many. */
  readonly place: ImportPlace;
}

/** Place of a staged import. */
interface ImportPlace extends Pick<XmlStage, 'targetId' | 'behavior' | 'stamp'> {
  readonly partition: string;
  /** ms, domain clock */
  readonly now: number;
}

/** The document of the XML, its large values as blobs; or its nodes, staged, where they are more than one decision makes. */
export type XmlAnswer = Ready &
  ({ readonly document: XmlDocument; readonly staged: null } | { readonly document: null; readonly staged: StagedXml });

export const importing = new LargeKind<XmlQuestion, XmlAnswer>('readXml', ({ blob }) => blob);

/** An import that waits out of the tree to be published: whole, and sound by itself. */
interface StagedXml extends Pick<XmlStage, 'rootId' | 'targetId' | 'stamp' | 'namespaces'> {
  /** The topmost nodes in their order, with their lines. */
  readonly top: readonly { readonly id: string; readonly line: number }[];
  readonly created: number;
}

/**
 * Makes nodes of XML, in either view (JCR 2.0 §11): all of them, or none. Many are staged out of the tree first, and then there by one commit.
 * @throws BAD_REQUEST, FORBIDDEN, CONFLICT, ALREADY_EXISTS (with the line of the XML); LIMIT_EXCEEDED
 */
export const importXml = (limits: XmlLimits): Operation<ImportXmlInput, Imported> => ({
  ...steppedOperation('importXml', function* (state, input: ImportXmlInput, { caller, answers }) {
    const change = new Change(state, caller, answers);
    const answer = yield* imported(change, input, limits);
    return isAsking(answer) ? answer : yield* change.decisionSteps(answer);
  }),
  limits: DECISION_LIMITS,
});

/** What is replaced is read with all that is above it, below it, and refers to it. */
const DECISION_LIMITS = { reads: 1_000_000, writes: 2 * REPLACING_MAX + 500 };

function* imported(change: Change, input: ImportXmlInput, limits: XmlLimits): Generator<void, Imported | Asking, void> {
  const target = change.at(input.path);
  change.require(target, 'jcr:addChildNodes');
  change.requireOpenFor(target, null);
  const { blob, size } = sourceOf(change, input);
  const read = importing.decide(change, {
    about: blob,
    path: () => input.path,
    question: (): XmlQuestion => {
      const { partition } = change.draft;
      const stamp = typesStampOf(change.draft);
      const place = { partition, targetId: target.id, behavior: input.uuidBehavior, stamp, now: change.now };
      return { blob, size, namespaces: Object.fromEntries(change.types.namespaces.entries()), limits, place };
    },
    take: (answer) => answer,
  });
  if (isAsking(read)) return read;
  if (read.staged !== null) return yield* publish(change, target, read.staged);
  return yield* importTree(change, target, read.document, input.uuidBehavior);
}

function sourceOf(change: Change, { xml, uploadId }: ImportXmlInput): BlobValue {
  if (xml !== null) return xml;
  return spendUpload(change.draft, change.caller, { uploadId: uploadId ?? '' });
}

/**
 * Puts the topmost nodes of a staged import in their places, and with them all of it.
 * @throws ALREADY_EXISTS, BAD_REQUEST (with the line); UNAVAILABLE (given up, or what it rests on has changed)
 */
function* publish(change: Change, target: ContentNode, staged: StagedXml): Generator<void, Imported, void> {
  const { draft } = change;
  beingMade(draft, staged.rootId, 'import');
  if (target.id !== staged.targetId) throw busyTree(change.pathOf(target));
  if (typesStampOf(draft) !== staged.stamp) throw typesChanged();
  registerNamespaces(change, staged.namespaces);
  for (const { id, line } of staged.top) {
    atLine(line, () => attachStaged(change, target, stagedNode(change, id, 'import')));
    yield;
  }
  draft.remove(nodes, staged.rootId);
  draft.remove(detachedTrees, staged.rootId);
  return { nodeIds: staged.top.map(({ id }) => id), created: staged.created, replaced: 0 };
}
