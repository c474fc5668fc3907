import { SaxesParser, type SaxesTagNS } from 'saxes';
import { badRequest, limitExceeded, refuse, ServiceError } from '../../../shared/errors.js';
import type { ThreadService } from '../../../shared/thread-service.js';
import { namespacesOf } from '../../value/names.js';
import { DocumentReader, SV, SystemReader } from './read-views.js';
import {
  pagedXml,
  type ViewReader,
  type XmlDocument,
  type XmlElement,
  type XmlLimits,
  type XmlPages,
} from './xml-document.js';
import { XmlNames } from './xml-names.js';

export interface XmlSource {
  readonly bytes: Uint8Array;
  /** Registered namespaces of the workspace, by prefix. */
  readonly namespaces: Readonly<Record<string, string>>;
  readonly limits: XmlLimits;
}

/** The thread of `XmlParser`. */
export const inThread = (): ThreadService<XmlSource, XmlPages> => ({ answer: (source) => pagedXml(readXml(source)) });

const XMLNS = 'http://www.w3.org/2000/xmlns/';

/**
 * Reads what an import gives: the system view or the document view (JCR 2.0 §7.2, §7.3), whichever it is. Takes its time: not for the main thread.
 * @throws BAD_REQUEST (line, column; a DOCTYPE), LIMIT_EXCEEDED
 */
export function readXml({ bytes, namespaces, limits }: XmlSource): XmlDocument {
  const names = new XmlNames(namespacesOf(namespaces));
  const parser = new SaxesParser({ xmlns: true, position: true });
  const reading = new Reading(parser, names, limits);
  try {
    parser.write(textOf(bytes)).close();
  } catch (thrown) {
    throw thrown instanceof ServiceError && placeIn(thrown) === undefined ? placed(thrown, parser) : thrown;
  }
  return { ...reading.result, namespaces: names.added, renamed: names.renamed };
}

/** What is read: all of ASCII is UTF-8. */
const READ_ENCODINGS: ReadonlySet<string> = new Set(['utf-8', 'us-ascii']);

const DECLARED = /^(?:\xef\xbb\xbf)?<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]*)["']/;

/** @throws BAD_REQUEST another encoding, declared or not */
function textOf(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  if (/^(?:\xff\xfe|\xfe\xff|<\0|\0<)/.test(start)) throw otherEncoding('found UTF-16');
  const declared = DECLARED.exec(start)?.[1] ?? 'utf-8';
  if (!READ_ENCODINGS.has(declared.toLowerCase())) throw otherEncoding(`it declares '${declared}'`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw otherEncoding('found other bytes');
  }
}

const otherEncoding = (found: string) =>
  badRequest(`expected XML in UTF-8, but ${found}`, { reason: 'encoding_refused', details: { line: 1 } });

const placeIn = ({ info }: ServiceError): unknown => (info.details as { line?: unknown } | undefined)?.line;

/** The refusal with the place that was read when it came. */
function placed({ code, message, info }: ServiceError, { line, column }: SaxesParser): ServiceError {
  const where = `line ${line}, column ${column}`;
  return new ServiceError(code, `${where}: ${message}`, { ...info, details: { line, column } });
}

class Reading {
  readonly #names: XmlNames;
  readonly #limits: XmlLimits;
  #view: ViewReader | undefined;
  #declared = 0;
  #depth = 0;
  #line = 1;

  constructor(parser: SaxesParser<{ xmlns: true; position: true }>, names: XmlNames, limits: XmlLimits) {
    this.#names = names;
    this.#limits = limits;
    parser.on('error', (error) => {
      throw badRequest(error.message.replace(/^[^:]*:?\d+:\d+: /, '').replace(/\.$/, ''), { reason: 'invalid_xml' });
    });
    parser.on('doctype', () => {
      throw badRequest('expected XML without a DOCTYPE, but found one', { reason: 'doctype_refused' });
    });
    parser.on('opentagstart', () => {
      this.#line = parser.line;
    });
    parser.on('attribute', ({ prefix, name, local, value }) => {
      if (prefix === 'xmlns' || name === 'xmlns') this.#declare(prefix === 'xmlns' ? local : '', value);
    });
    parser.on('opentag', (tag) => this.#open(tag, (prefix) => parser.resolve(prefix)));
    parser.on('text', (text) => this.#view?.text(text, parser.line));
    parser.on('cdata', (text) => this.#view?.text(text, parser.line));
    parser.on('closetag', () => {
      this.#depth--;
      this.#view?.close();
    });
  }

  get result(): Pick<XmlDocument, 'view' | 'nodes'> {
    return (this.#view ?? refuse(badRequest('expected an XML document, but found nothing'))).result;
  }

  #declare(prefix: string, uri: string): void {
    if (++this.#declared > this.#limits.namespacesMax)
      throw limitExceeded(`expected at most ${this.#limits.namespacesMax} declarations of namespaces`);
    this.#names.declared(prefix, uri);
  }

  #open(tag: SaxesTagNS, scope: XmlElement['scope']): void {
    // Values and properties of the system view are elements of their own.
    if (++this.#depth > this.#limits.depthMax + 2)
      throw limitExceeded(`expected at most ${this.#limits.depthMax} nodes in each other`, { reason: 'xml_too_deep' });
    const attributes = Object.values(tag.attributes).filter(({ uri }) => uri !== XMLNS);
    const { uri, prefix, local } = tag;
    this.#view ??=
      uri === SV ? new SystemReader(this.#names, this.#limits) : new DocumentReader(this.#names, this.#limits);
    this.#view.open({ uri, prefix, local, attributes, line: this.#line, scope });
  }
}
