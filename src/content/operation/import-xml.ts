import { badRequest } from '../../shared/errors.js';
import type { Asking } from '../../store/index.js';
import type { BlobValue } from '../model/property.js';
import type { Change } from '../rule/change.js';
import { contentOperation } from '../rule/content-operation.js';
import type { UuidBehavior } from '../rule/import-place.js';
import { type Imported, importTree } from '../rule/import-tree.js';
import { answered, answersOf, asking, refusalOf } from '../rule/large-work.js';
import { spendUpload } from '../rule/spend-upload.js';
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
 * Makes nodes of XML, in either view (JCR 2.0 §11): all of them in one commit.
 * @throws BAD_REQUEST, FORBIDDEN, CONFLICT, ALREADY_EXISTS (with the line of the XML); LIMIT_EXCEEDED (too large for one commit)
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
      const question: XmlQuestion = { blob, size, namespaces, limits };
      return asking(READ_XML, question);
    }
    const { document, problem } = answered<XmlAnswer>(last);
    if (document === null) throw problem === null ? badRequest('expected XML') : refusalOf(problem);
    return importTree(change, target, document, input.uuidBehavior);
  });

function sourceOf(change: Change, { xml, uploadId }: ImportXmlInput): BlobValue {
  if (xml !== null) return xml;
  return spendUpload(change.draft, change.caller, { uploadId: uploadId ?? '' });
}
