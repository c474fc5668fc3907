import { badRequest } from '../../../shared/errors.js';
import { type Asking, type Operation, steppedOperation } from '../../../store/index.js';
import { answered, answersOf, asking, refusalOf } from '../../large/large-work.js';
import { Change } from '../../tree/change.js';
import { isAsking } from '../../tree/content-operation.js';
import { typesStampOf } from '../../tree/stored-types.js';

import { spendUpload } from '../../upload/sealed-upload.js';
import type { BlobValue } from '../../value/property.js';
import { REPLACING_MAX, type UuidBehavior } from './import-place.js';
import { type Imported, importTree } from './import-tree.js';
import { publishXml } from './publish-xml.js';
import type { XmlLimits } from './xml-document.js';
import { READ_XML, type XmlAnswer, type XmlQuestion } from './xml-question.js';

export interface ImportXmlInput {
  /** The node that it becomes part of. */
  readonly path: string;
  /** The XML as a blob; null: it is an upload. */
  readonly xml: BlobValue | null;
  readonly uploadId: string | null;
  readonly uuidBehavior: UuidBehavior;
}

/**
 * Makes nodes of XML, in either view (JCR 2.0 §11): all of them, or none. Many are staged out of the tree first, and then there by one commit.
 * @throws BAD_REQUEST, FORBIDDEN, CONFLICT, ALREADY_EXISTS (with the line of the XML); LIMIT_EXCEEDED
 */
export const importXml = (limits: XmlLimits): Operation<ImportXmlInput, Imported> => ({
  ...steppedOperation('importXml', function* (state, input: ImportXmlInput, { caller, answers }) {
    const change = new Change(state, caller, answers);
    const imported = yield* importing(change, input, limits);
    return isAsking(imported) ? imported : yield* change.decisionSteps(imported);
  }),
  limits: DECISION_LIMITS,
});

/** What is replaced is read with all that is above it, below it, and refers to it. */
const DECISION_LIMITS = { reads: 1_000_000, writes: 2 * REPLACING_MAX + 500 };

function* importing(
  change: Change,
  input: ImportXmlInput,
  limits: XmlLimits,
): Generator<void, Imported | Asking, void> {
  const target = change.at(input.path);
  change.require(target, 'jcr:addChildNodes');
  change.requireOpenFor(target, null);
  const { blob, size } = sourceOf(change, input);
  const known = answersOf(change, READ_XML, (question) => (question as XmlQuestion).blob === blob);
  const last = known.at(-1);
  if (last === undefined) {
    const namespaces = Object.fromEntries(change.types.namespaces.entries());
    const { partition } = change.draft;
    const stamp = typesStampOf(change.draft);
    const place = { partition, targetId: target.id, behavior: input.uuidBehavior, stamp, now: change.now };
    const question: XmlQuestion = { blob, size, namespaces, limits, place };
    return asking(READ_XML, question);
  }
  const { document, staged, problem } = answered<XmlAnswer>(last);
  if (staged !== null) return yield* publishXml(change, target, staged);
  if (document === null) throw problem === null ? badRequest('expected XML') : refusalOf(problem);
  return yield* importTree(change, target, document, input.uuidBehavior);
}

function sourceOf(change: Change, { xml, uploadId }: ImportXmlInput): BlobValue {
  if (xml !== null) return xml;
  return spendUpload(change.draft, change.caller, { uploadId: uploadId ?? '' });
}
