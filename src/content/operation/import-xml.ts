import { badRequest } from '../../shared/errors.js';
import type { Asking } from '../../store/index.js';
import type { BlobValue } from '../model/property.js';
import type { Change } from '../rule/change.js';
import { contentOperation } from '../rule/content-operation.js';
import type { UuidBehavior } from '../rule/import-place.js';
import { type Imported, importTree } from '../rule/import-tree.js';
import { answered, answersOf, asking, refusalOf } from '../rule/large-work.js';
import { publishXml } from '../rule/publish-xml.js';
import { spendUpload } from '../rule/spend-upload.js';
import { typesStampOf } from '../rule/types.js';
import { READ_XML, type XmlAnswer, type XmlQuestion } from '../rule/xml-question.js';
import type { XmlLimits } from '../xml/xml-document.js';

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
export const importXml = (limits: XmlLimits) =>
  contentOperation('importXml', (change, input: ImportXmlInput): Imported | Asking => {
    const target = change.at(input.path);
    change.require(target, 'jcr:addChildNodes');
    change.requireChangeable(target);
    const { blob, size } = sourceOf(change, input);
    const answers = answersOf(change, READ_XML, (question) => (question as XmlQuestion).blob === blob);
    const last = answers.at(-1);
    if (last === undefined) {
      const namespaces = Object.fromEntries(change.types.namespaces.entries());
      const { partition } = change.draft;
      const stamp = typesStampOf(change.draft);
      const place = { partition, targetId: target.id, behavior: input.uuidBehavior, stamp, now: change.now };
      const question: XmlQuestion = { blob, size, namespaces, limits, place };
      return asking(READ_XML, question);
    }
    const { document, staged, problem } = answered<XmlAnswer>(last);
    if (staged !== null) return publishXml(change, target, staged);
    if (document === null) throw problem === null ? badRequest('expected XML') : refusalOf(problem);
    return importTree(change, target, document, input.uuidBehavior);
  });

function sourceOf(change: Change, { xml, uploadId }: ImportXmlInput): BlobValue {
  if (xml !== null) return xml;
  return spendUpload(change.draft, change.caller, { uploadId: uploadId ?? '' });
}
