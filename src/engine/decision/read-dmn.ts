import { createRequire } from 'node:module';
import { DmnModdle } from 'dmn-moddle';
import { messageOf } from '../../shared/errors.js';
import type { ModdleElement } from '../model/moddle-element.js';
import { type Report, short } from '../model/report.js';

/** Of DMN 1.1, as several editors write it, 1.2, 1.4 and 1.5; the reader's own is that of 1.3. */
const NAMESPACES = [
  'http://www.omg.org/spec/DMN/20151101/dmn.xsd',
  'http://www.omg.org/spec/DMN/20151101/dmn11.xsd',
  'http://www.omg.org/spec/DMN/20151101',
  'http://www.omg.org/spec/DMN/20151130',
  'http://www.omg.org/spec/DMN/20180521/MODEL/',
  'https://www.omg.org/spec/DMN/20211108/MODEL/',
  'https://www.omg.org/spec/DMN/20230324/MODEL/',
];

const CAMUNDA = 'http://camunda.org/schema/1.0/dmn';
const CAMUNDA_ALSO = ['http://operaton.org/schema/1.0/dmn', 'http://activiti.org/schema/1.0/dmn'];

interface Descriptor {
  readonly types: readonly { readonly name: string; readonly properties?: readonly object[] }[];
}

const own = createRequire(import.meta.url)('dmn-moddle/resources/dmn/json/dmn13.json') as Descriptor;

const child = (name: string) => ({ name, type: 'ChildExpression', xml: { serialize: 'property' } });

/** What DMN 1.4 and 1.5 added. */
const ADDED = [
  { name: 'ChildExpression', superClass: ['DMNElement'], properties: [{ name: 'value', type: 'Expression' }] },
  { name: 'Conditional', superClass: ['Expression'], properties: [child('if'), child('then'), child('else')] },
  { name: 'Filter', superClass: ['Expression'], properties: [child('in'), child('match')] },
  {
    name: 'Iterator',
    isAbstract: true,
    superClass: ['Expression'],
    properties: [{ name: 'iteratorVariable', type: 'String', isAttr: true }, child('in')],
  },
  { name: 'For', superClass: ['Iterator'], properties: [child('return')] },
  { name: 'Every', superClass: ['Iterator'], properties: [child('satisfies')] },
  { name: 'Some', superClass: ['Iterator'], properties: [child('satisfies')] },
];

const reference = (name: string) => ({
  name,
  type: 'DMNElementReference',
  isMany: true,
  xml: { serialize: 'property' },
});

/** What the reader lacks of DMN 1.1 to 1.5. */
const ORGANIZATION_UNIT = {
  name: 'OrganizationUnit',
  superClass: ['BusinessContextElement'],
  properties: [reference('decisionMade'), reference('decisionOwned')],
};

const TYPE_CONSTRAINT = { name: 'typeConstraint', type: 'UnaryTests', xml: { serialize: 'property' } };

const dmn = {
  ...own,
  types: [
    ...own.types.map((type) =>
      type.name === 'ItemDefinition' ? { ...type, properties: [...(type.properties ?? []), TYPE_CONSTRAINT] } : type,
    ),
    ...ADDED,
    ORGANIZATION_UNIT,
  ],
};

const attribute = (name: string) => ({ name, type: 'String', isAttr: true });

const camunda = {
  name: 'Camunda',
  uri: CAMUNDA,
  prefix: 'camunda',
  xml: { tagAlias: 'lowerCase' },
  types: [
    { name: 'Input', extends: ['dmn:InputClause'], properties: [attribute('inputVariable')] },
    {
      name: 'Decision',
      extends: ['dmn:Decision'],
      properties: [attribute('versionTag'), attribute('historyTimeToLive'), attribute('historyTimeToLiveString')],
    },
  ],
};

const moddle = new DmnModdle(
  { dmn, camunda },
  {
    nsMap: Object.fromEntries([
      ...NAMESPACES.map((uri) => [uri, 'dmn']),
      ...CAMUNDA_ALSO.map((uri) => [uri, 'camunda']),
    ]),
  },
);

const UNPARSABLE = /^unparsable content ([\s\S]*)detected\s+line: (\d+)\s+column: (\d+)\s+nested error: ([\s\S]*)$/;

/** Elements of other namespaces than those that are read: of these one must understand all, of others nothing. */
const FOREIGN = /^(?:unrecognized element|unknown type) <(?!(?:dmn|dmndi|di|dc):)[^:>]*:/;

/** Reads a DMN file; what the parser could not read goes to the report. Null: it is no DMN at all, and the report says why. */
export async function readDmn(xml: string, report: Report): Promise<ModdleElement | null> {
  try {
    const { rootElement, warnings } = await moddle.fromXML(xml);
    for (const { message } of warnings) judge(message, report);
    return rootElement;
  } catch (thrown) {
    report.add(
      report.problems,
      report.placed(null, `the XML cannot be read as DMN: ${short(messageOf(thrown))}`, 'dmn-xml'),
    );
    return null;
  }
}

/** The parser leaves out what it does not understand, with a warning: what is deployed then would decide otherwise than it was drawn. */
function judge(message: string, report: Report): void {
  const match = UNPARSABLE.exec(message);
  if (match === null) return;
  const [, content = '', line, column, cause = ''] = match;
  const position = { line: Number(line) + 1, column: Number(column) + 1 };
  const id = /^(?:duplicate|illegal) ID <([\s\S]*)>$/.exec(cause.trim())?.[1];
  if (id !== undefined) {
    const wrong = cause.startsWith('duplicate') ? 'is used more than once' : 'cannot be used';
    report.add(report.problems, {
      ...position,
      elementId: id,
      message: `id '${short(id)}' ${wrong}`,
      rule: 'dmn-id-form',
    });
    return;
  }
  const what = content.startsWith('<') ? `${short(content.trim())} ` : '';
  const sentence = `${what}cannot be read: ${short(cause.trim())}`;
  const place = { ...position, elementId: report.idAt(position), message: sentence };
  if (FOREIGN.test(cause)) report.add(report.warnings, { ...place, rule: 'dmn-foreign' });
  else report.add(report.problems, { ...place, rule: 'dmn-xml' });
}
