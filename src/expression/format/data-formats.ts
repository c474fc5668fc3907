import { nearest } from '../../shared/nearest.js';
import { base64Format } from './base64-format.js';
import { deflaterFormat, gzipFormat } from './compressed-formats.js';
import { csvFormat } from './csv-format.js';
import type { DataFormat } from './data-format.js';
import { type FormatModel, FormatOptions } from './format-options.js';
import { jsonFormat } from './json-format.js';
import { xmlFormat } from './xml-format.js';
import { yamlFormat } from './yaml-format.js';
import { zipFileFormat } from './zip-format.js';

/** The data formats by their names in the DSL. */
const FORMATS: Readonly<Record<string, (options: FormatOptions) => DataFormat>> = {
  json: jsonFormat,
  csv: csvFormat,
  jacksonXml: xmlFormat,
  yaml: yamlFormat,
  base64: base64Format,
  gzipDeflater: gzipFormat,
  zipDeflater: deflaterFormat,
  zipFile: zipFileFormat,
};

/** Other names of these. */
const ALIASES = new Map([
  ['jackson', 'json'],
  ['jacksonxml', 'jacksonXml'],
  ['xml', 'jacksonXml'],
  ['snakeYaml', 'yaml'],
  ['gzip', 'gzipDeflater'],
  ['zip', 'zipDeflater'],
]);

/** Names of Camel that are known and cannot be had. */
const REFUSED = new Set(
  (
    'asn1 avro barcode beanio bindy cbor crypto dfdl fhirJson fhirXml flatpack fory grok groovyJson groovyXml hl7 ical iso8583 jaxb jsonApi lzf ' +
    'mimeMultipart ocsf parquetAvro pgp pqc protobuf rss smooks soap swiftMt swiftMx syslog tarFile thrift univocityCsv univocityFixed univocityTsv xmlSecurity'
  ).split(' '),
);

/** A data format, compiled once, when its route is loaded. @throws ExchangeFailure where there is none of that name, or an option of it is wrong */
export function dataFormat(model: FormatModel): DataFormat {
  const options = new FormatOptions(model);
  const kind = ALIASES.get(model.kind) ?? model.kind;
  const make = Object.hasOwn(FORMATS, kind) ? FORMATS[kind] : undefined;
  if (make !== undefined) return make(options);
  const known = Object.keys(FORMATS).sort();
  if (REFUSED.has(kind)) throw options.failure(`this data format is not supported; there are ${known.join(', ')}`);
  const meant = nearest(kind, known, 3);
  throw options.failure(
    `there is no data format of that name${meant === undefined ? `; there are ${known.join(', ')}` : `; is ${meant} meant?`}`,
  );
}
