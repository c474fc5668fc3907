import { createRequire } from 'node:module';
import {
  BpmnModdle,
  type ElementHandler,
  type ParseResult,
  type ParsingContext,
  type Reader,
  type ReaderOptions,
} from 'bpmn-moddle';
import { messageOf } from '../../shared/errors.js';
import type { ModdleElement } from './moddle-element.js';
import { CAMUNDA_NAMESPACES } from './namespaces.js';
import { judgeWarnings, unparsable } from './parser-warnings.js';
import type { Report } from './report.js';
import type { CreateElement } from './zeebe-words.js';

const camunda: unknown = createRequire(import.meta.url)('camunda-bpmn-moddle/resources/camunda.json');

const moddle = new BpmnModdle(
  { camunda },
  { nsMap: Object.fromEntries([...CAMUNDA_NAMESPACES].map((name) => [name, 'camunda'])) },
);

/** Makes an element as the reader does. */
export const createElement: CreateElement = (type, values, parent) =>
  Object.assign(moddle.create(type, values), { $parent: parent });

/** Reads BPMN 2.0 XML; what the parser could not read goes to the report. Null: it is no BPMN document at all, and the report says why. */
export async function readXml(xml: string, report: Report): Promise<ModdleElement | null> {
  let result: ParseResult;
  try {
    result = await moddle.fromXML(xml, anyNcName);
  } catch (thrown) {
    for (const { message } of warningsOf(thrown)) report.add(report.problems, unparsable(message, report));
    if (report.problems.length === 0) report.add(report.problems, unparsable(messageOf(thrown), report));
    return null;
  }
  judgeWarnings(result, report);
  return result.rootElement;
}

function warningsOf(thrown: unknown): readonly { message: string }[] {
  const { warnings } = Object(thrown) as { readonly warnings?: unknown };
  return Array.isArray(warnings) ? warnings : [];
}

// https://www.w3.org/TR/xml-names/#NT-NCName, and for the letters https://www.w3.org/TR/xml/#NT-NameStartChar.
const START =
  'A-Z_a-z\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const NAME = `[${START}][${START}\\-.0-9\\xB7\\u0300-\\u036F\\u203F\\u2040]*`;
/** A prefix is none of XML's ids, but the parser has always let it pass. */
const ID = new RegExp(`^(?:${NAME}:)?${NAME}$`, 'u');

/**
 * BPMN's ids are of the type xsd:ID: any NCName of XML, in whatever alphabet. The parser by itself takes ASCII letters alone, so its check, and what
 * it keeps by id, are put in the place of its own.
 */
const anyNcName: ReaderOptions = {
  handler(this: Reader, type: string): ElementHandler {
    const parser: Reader = Object.getPrototypeOf(this);
    const root = parser.handler.call(this, type);
    let context: ParsingContext | undefined;
    Object.defineProperty(root, 'context', {
      get: () => context,
      set: (given: ParsingContext) => {
        context = Object.assign(given, { addElement: (element: ModdleElement) => addElement(given, element) });
      },
    });
    return root;
  },
};

/** Keeps an element by its id, where its kind has one. The messages are the parser's. */
function addElement({ elementsById }: ParsingContext, element: ModdleElement): void {
  const { idProperty } = element.$descriptor;
  if (idProperty === undefined) return;
  const written = element.get(idProperty.name);
  // White space around it is none of an xsd:ID.
  const id = typeof written === 'string' ? written.trim() : '';
  if (id === '') return;
  if (!ID.test(id)) throw new Error(`illegal ID <${id}>`);
  if (elementsById[id] !== undefined) throw new Error(`duplicate ID <${id}>`);
  elementsById[id] = element;
}
