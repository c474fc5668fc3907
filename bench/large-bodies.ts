import {
  buildASTSchema,
  concatAST,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  parse,
} from 'graphql';
import { readTypeDefs } from '../src/graphql/index.js';

/** A request that is permitted by its size, and asks for as much as that allows of one thing. */
export interface LargeBody {
  readonly name: string;
  /** JSON; made when it is wanted, for all of them have some gigabytes. */
  readonly make: () => string;
}

/** A little less than the largest body that the server takes. */
const BYTES = 7_900_000;

/** Every list and every text of the API's inputs filled up, and what is large in other ways. */
export function largeBodies(): LargeBody[] {
  const schema = buildASTSchema(concatAST(readTypeDefs().map((text) => parse(text))));
  return [...shapesOfJson(), ...shapesOfDocuments(), ...shapesOfTexts(), ...ofInputs(schema)];
}

const body = (query: string, variables: string) => `{"query":${JSON.stringify(query)},"variables":${variables}}`;
const filled = (text: string, separator = '') =>
  Array(Math.floor(BYTES / (text.length + separator.length)))
    .fill(text)
    .join(separator);
const counted = (count: number, item: (n: number) => string, separator = ',') =>
  Array.from({ length: count }, (_, n) => item(n)).join(separator);
/** As many as there is room for. */
const numbered = (item: (n: number) => string) => counted(Math.floor(BYTES / (item(1_000_000).length + 1)), item);

const START =
  'mutation ($json: JSON) { startProcess(input: { definitionKey: "d", variables: [{ name: "json", value: $json }] }) { id } }';
const START_VARIABLES =
  'mutation ($variables: [ProcessVariableInput!]) { startProcess(input: { definitionKey: "d", variables: $variables }) { id } }';

function shapesOfJson(): LargeBody[] {
  const json = (value: () => string) => () => body(START, `{"json":${value()}}`);
  const unused = (value: () => string) => () => body('{ __typename }', value());
  return [
    { name: '500,000 keys of a JSON', make: json(() => `{${counted(500_000, (n) => `"k${n}":0`)}}`) },
    {
      name: '500,000 keys of a JSON, __proto__ in a value',
      make: json(() => `{${counted(500_000, (n) => `"k${n}":0`)},"a":"__proto__"}`),
    },
    {
      name: '500,000 keys of a JSON, escapes',
      make: json(() => `{${counted(500_000, (n) => `"k${n}":0`)},"a":"\\u0001"}`),
    },
    { name: 'as many keys of a JSON', make: json(() => `{${numbered((n) => `"${n.toString(36)}":0`)}}`) },
    { name: 'as many small objects of a JSON', make: json(() => `[${filled('{}', ',')}]`) },
    { name: 'as many small objects with the same key', make: json(() => `[${filled('{"a":0}', ',')}]`) },
    { name: 'as many small objects with keys of their own', make: json(() => `[${numbered((n) => `{"k${n}":0}`)}]`) },
    { name: 'as many numbers of a JSON', make: json(() => `[${filled('0', ',')}]`) },
    { name: 'as many fractions of a JSON', make: json(() => `[${filled('0.1234567890123456e-300', ',')}]`) },
    { name: 'as many empty texts of a JSON', make: json(() => `[${filled('""', ',')}]`) },
    { name: 'as many texts of a JSON', make: json(() => `[${numbered((n) => `"t${n}"`)}]`) },
    { name: 'as many lists of a JSON', make: json(() => `[${filled('[]', ',')}]`) },
    {
      name: 'lists of 60 levels, over and over',
      make: json(() => `[${filled(`${'['.repeat(58)}${']'.repeat(58)}`, ',')}]`),
    },
    {
      name: 'objects of 60 levels, over and over',
      make: json(() => `[${filled(`${'{"a":'.repeat(58)}0${'}'.repeat(58)}`, ',')}]`),
    },
    { name: 'one long text', make: json(() => `"${'x'.repeat(BYTES)}"`) },
    { name: 'one long text of escapes', make: json(() => `"${filled('\\u0041')}"`) },
    { name: 'one long text of quotes', make: json(() => `"${filled('\\"')}"`) },
    { name: 'one long text of backslashes', make: json(() => `"${filled('\\\\')}"`) },
    { name: 'one long text in three bytes each', make: json(() => `"${'€'.repeat(BYTES / 3)}"`) },
    { name: 'one long number', make: json(() => '1'.repeat(BYTES)) },
    { name: 'one long fraction', make: json(() => `0.${'1'.repeat(BYTES)}`) },
    { name: 'one long key', make: json(() => `{"${'k'.repeat(BYTES)}":0}`) },
    { name: 'the same key over and over', make: json(() => `{${filled('"a":0', ',')}}`) },
    { name: 'nothing but spaces', make: json(() => `0${' '.repeat(BYTES)}`) },
    { name: 'brackets without an end', make: () => '['.repeat(BYTES) },
    { name: 'quotes without an end', make: () => '"\\'.repeat(BYTES / 2) },
    { name: 'integer keys', make: json(() => `{${numbered((n) => `"${n * 7919}":0`)}}`) },
    { name: 'variables that no document names', make: unused(() => `{${numbered((n) => `"v${n}":0`)}}`) },
    {
      name: 'extensions that nobody knows',
      make: () => `{"query":"{ __typename }","extensions":{${numbered((n) => `"v${n}":0`)}}}`,
    },
    {
      name: 'members of the body that nobody knows',
      make: () => `{"query":"{ __typename }",${numbered((n) => `"v${n}":0`)}}`,
    },
    { name: 'an array of requests', make: () => `[${filled('{"query":"{ __typename }"}', ',')}]` },
    {
      name: '100,000 variables of a process',
      make: () => body(START_VARIABLES, `{"variables":[${counted(100_000, (n) => `{"name":"v${n}","value":${n}}`)}]}`),
    },
    {
      name: '10,000 variables of a process',
      make: () => body(START_VARIABLES, `{"variables":[${counted(10_000, (n) => `{"name":"v${n}","value":${n}}`)}]}`),
    },
    {
      name: '1,000 variables of 4 kB',
      make: () =>
        body(
          START_VARIABLES,
          `{"variables":[${counted(1_000, (n) => `{"name":"v${n}","value":"${'x'.repeat(4_000)}"}`)}]}`,
        ),
    },
    { name: '49,000 keys of a JSON', make: json(() => `{${counted(49_000, (n) => `"k${n}":0`)}}`) },
    {
      name: '24,000 small objects with keys of their own',
      make: json(() => `[${counted(24_000, (n) => `{"k${n}":0}`)}]`),
    },
    {
      name: '100,000 variables of one name',
      make: () => body(START_VARIABLES, `{"variables":[${counted(100_000, (n) => `{"name":"v","value":${n}}`)}]}`),
    },
    {
      name: '500 variables of 15 kB each',
      make: () =>
        body(
          START_VARIABLES,
          `{"variables":[${counted(500, (n) => `{"name":"v${n}","value":"${'x'.repeat(15_000)}"}`)}]}`,
        ),
    },
  ];
}

function shapesOfDocuments(): LargeBody[] {
  const document = (query: () => string) => () => body(query(), '{}');
  const fragments = (count: number, inner: (n: number) => string) =>
    `{ ${counted(count, (n) => `...F${n}`, ' ')} } ${counted(count, (n) => `fragment F${n} on Query { ${inner(n)} }`, ' ')}`;
  const fields = '__typename processInstances(definitionKey: "none") { edges { node { id } } }';
  return [
    { name: '400 fragments', make: document(() => fragments(400, () => '__typename')) },
    {
      name: '400 fragments, each with the next',
      make: document(
        () => `{ ...F0 } ${counted(400, (n) => `fragment F${n} on Query { __typename ...F${(n + 1) % 400} }`, ' ')}`,
      ),
    },
    {
      name: '360 fragments in a chain without a circle',
      make: document(
        () =>
          `{ ...F0 } ${counted(360, (n) => `fragment F${n} on Query { __typename ${n < 359 ? `...F${n + 1}` : ''} }`, ' ')}`,
      ),
    },
    { name: '140 fragments with fields below', make: document(() => fragments(140, () => fields)) },
    {
      name: '60 fragments, each with all others',
      make: document(
        () =>
          `{ ...F0 } ${counted(60, (n) => `fragment F${n} on Query { __typename ${counted(60, (m) => (m > n ? `...F${m}` : ''), ' ')} }`, ' ')}`,
      ),
    },
    {
      name: '480 fragments that nobody uses',
      make: document(() => `{ __typename } ${counted(480, (n) => `fragment F${n} on Query { __typename }`, ' ')}`),
    },
    {
      name: '100 fragments with many fields',
      make: document(() =>
        fragments(
          100,
          (n) =>
            `processInstances(definitionKey: "none") { edges { node { ${n % 2 ? 'id definitionKey state' : 'id businessKey state'} startTime endTime } } }`,
        ),
      ),
    },
    {
      name: '100 fragments on a type below',
      make: document(
        () =>
          `{ processInstances(definitionKey: "none") { edges { node { ${counted(100, (n) => `...F${n}`, ' ')} } } } } ${counted(100, (n) => `fragment F${n} on ProcessInstance { id definitionKey businessKey state startTime endTime suspended variables { name type value } }`, ' ')}`,
      ),
    },
    {
      name: '100 fragments, 30 times in inline fragments',
      make: document(
        () =>
          `{ ${counted(10, () => `... on Query { ${counted(90, (n) => `...F${n}`, ' ')} }`, ' ')} } ${counted(90, (n) => `fragment F${n} on Query { processInstances(definitionKey: "none") { edges { node { id } } } }`, ' ')}`,
      ),
    },
    {
      name: '200 inline fragments with fields below',
      make: document(
        () =>
          `{ ${counted(180, () => '... on Query { processInstances(definitionKey: "none") { edges { node { id state } } } }', ' ')} }`,
      ),
    },
    {
      name: '300 inline fragments within an item',
      make: document(
        () =>
          `{ processInstances(definitionKey: "none") { edges { node { ${counted(300, () => '... on ProcessInstance { variables { name } }', ' ')} } } } }`,
      ),
    },
    {
      name: '400 inline fragments',
      make: document(() => `{ ${counted(400, () => '... on Query { __typename }', ' ')} }`),
    },
    {
      name: '9 fields, 30 inline fragments within each other',
      make: document(() => `{ ${'... on Query { '.repeat(55)}__typename${' }'.repeat(55)} }`),
    },
    { name: '600 operations', make: document(() => counted(600, (n) => `query Q${n} { __typename }`, ' ')) },
    { name: '600 operations of one name', make: document(() => counted(600, () => 'query Q { __typename }', ' ')) },
    {
      name: '600 variables of a document',
      make: document(() => `query (${counted(600, (n) => `$v${n}: Int`, ' ')}) { __typename }`),
    },
    {
      name: '600 variables, all used',
      make: document(
        () =>
          `query (${counted(400, (n) => `$v${n}: String`, ' ')}) { tasks(assigneeIn: [${counted(400, (n) => `$v${n}`, ' ')}]) { totalCount } }`,
      ),
    },
    {
      name: '1,900 values of a list in the document',
      make: document(() => `{ tasks(assigneeIn: [${counted(3_900, (n) => `"u${n}"`, ' ')}]) { totalCount } }`),
    },
    {
      name: '10 repetitions of each of many fields',
      make: document(
        () =>
          `{ processInstances(definitionKey: "none") { edges { node { ${counted(10, () => 'id definitionKey businessKey state startTime endTime suspended startUserId', ' ')} } } } }`,
      ),
    },
    {
      name: 'fields with fragments, 10 repetitions',
      make: document(
        () =>
          `{ ${counted(10, () => 'processInstances(definitionKey: "none") { edges { node { id variables { name } } } }', ' ')} }`,
      ),
    },
    { name: 'fields that are not there', make: document(() => `{ ${counted(1_900, (n) => `nothing${n}`, ' ')} }`) },
    {
      name: 'arguments that are not there',
      make: document(() => `{ processInstances(${counted(900, (n) => `a${n}: 1`, ' ')}) { totalCount } }`),
    },
    {
      name: 'the same argument over and over',
      make: document(() => `{ processInstances(${counted(900, () => 'first: 1', ' ')}) { totalCount } }`),
    },
    {
      name: 'directives that are not there',
      make: document(() => `{ __typename ${counted(1_900, (n) => `@d${n}`, ' ')} }`),
    },
    { name: 'aliases', make: document(() => `{ ${counted(1_000, (n) => `a${n}: __typename`, ' ')} }`) },
    { name: 'one long name', make: document(() => `{ ${'n'.repeat(BYTES)} }`) },
    { name: 'one long operation name', make: document(() => `query ${'n'.repeat(BYTES)} { __typename }`) },
    { name: 'one long string in the document', make: document(() => `{ node(path: "${'n'.repeat(BYTES)}") { id } }`) },
    {
      name: 'one long block string in the document',
      make: document(() => `{ node(path: """${'n\n'.repeat(BYTES / 3)}""") { id } }`),
    },
    { name: 'one long number in the document', make: document(() => `{ node(path: ${'1'.repeat(BYTES)}) { id } }`) },
    { name: 'one long comment', make: document(() => `{ __typename } #${'n'.repeat(BYTES)}`) },
    { name: 'many comments', make: document(() => `{ __typename } ${'#\n'.repeat(BYTES / 3)}`) },
    { name: 'many commas', make: document(() => `{ __typename } ${','.repeat(BYTES)}`) },
    { name: 'many line breaks', make: document(() => `{ __typename } ${'\n'.repeat(BYTES / 2)}`) },
    { name: 'many strings', make: document(() => filled('"" ')) },
    {
      name: 'an unknown operation name',
      make: () => `{"query":"{ __typename }","operationName":"${'n'.repeat(BYTES)}"}`,
    },
    {
      name: 'introspection of everything',
      make: document(
        () =>
          '{ __schema { types { name description fields { name description args { name description type { name ofType { name } } } type { name ofType { name ofType { name } } } } inputFields { name } enumValues { name description } } } }',
      ),
    },
    {
      name: 'introspection, 30 aliases',
      make: document(
        () => `{ ${counted(29, (n) => `a${n}: __schema { types { name fields { name args { name } } } }`, ' ')} }`,
      ),
    },
    {
      name: 'introspection of types within types',
      make: document(() => '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }'),
    },
    { name: 'a huge first', make: document(() => '{ processInstances(first: 99999999999999999999) { totalCount } }') },
    {
      name: 'a huge first in a variable',
      make: () =>
        body('query ($first: Int) { processInstances(first: $first) { totalCount } }', `{"first":1${'0'.repeat(300)}}`),
    },
    {
      name: 'a nested input object',
      make: document(
        () => `mutation { setAccessControl(input: ${'{path: '.repeat(50)}1${'}'.repeat(50)}) { __typename } }`,
      ),
    },
  ];
}

const DEPLOY =
  'mutation ($text: String!) { deployProcess(input: { name: "large", resources: [{ name: "large.bpmn", content: $text }] }) { id } }';
const REGISTER = 'mutation ($text: String!) { registerNodeTypes(cnd: $text) { name } }';
const IMPORT = 'mutation ($text: String!) { importXml(input: { path: "/content", xml: $text }) { __typename } }';

/** What the languages of models, node types and nodes make of a large text. */
function shapesOfTexts(): LargeBody[] {
  const text = (query: string, made: () => string) => () => body(query, JSON.stringify({ text: made() }));
  const model = (inner: string) =>
    `<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="x"><bpmn:process id="p" isExecutable="true">${inner}</bpmn:process></bpmn:definitions>`;
  const views = 'xmlns:sv="http://www.jcp.org/jcr/sv/1.0" sv:name';
  const small = (make: (text: string) => string, unit: string, bytes: number) => make(unit.repeat(bytes / unit.length));
  return [
    { name: 'CND of 25,000 types', make: text(REGISTER, () => counted(25_000, (n) => `[t${n}] - p (string)`, '\n')) },
    {
      name: 'CND of 900,000 characters, properties',
      make: text(REGISTER, () => `[t]\n${counted(50_000, (n) => `- p${n} (long)`, '\n')}`),
    },
    {
      name: 'CND of 900,000 characters, supertypes',
      make: text(REGISTER, () => `[t] > ${counted(100_000, (n) => `t${n}`, ', ')}`),
    },
    {
      name: 'CND of 400 types with 100 properties',
      make: text(REGISTER, () => counted(400, (n) => `[t${n}]\n${counted(100, (m) => `- p${m} (long)`, '\n')}`, '\n')),
    },
    {
      name: 'CND of 400 types in a chain',
      make: text(REGISTER, () => counted(400, (n) => `[t${n}]${n > 0 ? ` > t${n - 1}` : ''}\n- p${n} (long)`, '\n')),
    },
    { name: 'CND of namespaces', make: text(REGISTER, () => counted(25_000, (n) => `<n${n}='http://x/${n}'>`, '\n')) },
    { name: 'CND of a long constraint', make: text(REGISTER, () => `[t] - p (string) < '${'(a+)+'.repeat(180_000)}'`) },
    { name: 'CND of a long comment', make: text(REGISTER, () => `//${'x'.repeat(990_000)}`) },
    { name: 'CND of nothing', make: text(REGISTER, () => '['.repeat(BYTES)) },
    {
      name: 'BPMN of user tasks',
      make: text(DEPLOY, () => model(counted(15_000, (n) => `<bpmn:userTask id="t${n}"/>`, ''))),
    },
    {
      name: 'BPMN of 9,000 tasks in a row',
      make: text(DEPLOY, () =>
        model(
          `<bpmn:startEvent id="t0"/>${counted(9_000, (n) => `<bpmn:userTask id="t${n + 1}"/><bpmn:sequenceFlow id="f${n}" sourceRef="t${n}" targetRef="t${n + 1}"/>`, '')}`,
        ),
      ),
    },
    {
      name: 'BPMN of parallel gateways',
      make: text(DEPLOY, () =>
        model(
          `<bpmn:startEvent id="t0"/>${counted(9_000, (n) => `<bpmn:inclusiveGateway id="t${n + 1}"/><bpmn:sequenceFlow id="f${n}" sourceRef="t${n}" targetRef="t${n + 1}"/>`, '')}`,
        ),
      ),
    },
    {
      name: 'BPMN of a long attribute',
      make: text(DEPLOY, () => model(`<bpmn:userTask id="t" name="${'x'.repeat(3_900_000)}"/>`)),
    },
    {
      name: 'BPMN of a long text',
      make: text(DEPLOY, () =>
        model(
          `<bpmn:userTask id="t"><bpmn:documentation>${'x'.repeat(3_900_000)}</bpmn:documentation></bpmn:userTask>`,
        ),
      ),
    },
    {
      name: 'BPMN of a long expression',
      make: text(DEPLOY, () =>
        model(
          `<bpmn:serviceTask id="t" camunda:expression="\${${'a+'.repeat(1_900_000)}a}" xmlns:camunda="http://camunda.org/schema/1.0/bpmn"/>`,
        ),
      ),
    },
    { name: 'BPMN that is not XML', make: text(DEPLOY, () => '<'.repeat(3_900_000)) },
    { name: 'BPMN of entities', make: text(DEPLOY, () => model('&amp;'.repeat(700_000))) },
    { name: 'BPMN of deep elements', make: text(DEPLOY, () => model(`${'<bpmn:subProcess>'.repeat(60_000)}`)) },
    {
      name: 'BPMN of attributes',
      make: text(DEPLOY, () => model(`<bpmn:userTask id="t" ${counted(200_000, (n) => `a${n}="1"`, ' ')}/>`)),
    },
    {
      name: '200 models of 18 kB each',
      make: () =>
        body(
          'mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }',
          JSON.stringify({
            input: {
              name: 'many',
              resources: Array.from({ length: 200 }, (_, n) => ({
                name: `m${n}.bpmn`,
                content: model(`<bpmn:startEvent id="s"/><!--${'x'.repeat(18_000)}-->`).replace('id="p"', `id="p${n}"`),
              })),
            },
          }),
        ),
    },
    {
      name: 'XML of nodes',
      make: text(IMPORT, () => `<sv:node ${views}="a">${'<sv:node sv:name="b"/>'.repeat(300_000)}</sv:node>`),
    },
    {
      name: 'XML of properties',
      make: text(
        IMPORT,
        () =>
          `<sv:node ${views}="a">${counted(90_000, (n) => `<sv:property sv:name="p${n}" sv:type="String"><sv:value>x</sv:value></sv:property>`, '')}</sv:node>`,
      ),
    },
    {
      name: 'XML of values',
      make: text(
        IMPORT,
        () =>
          `<sv:node ${views}="a"><sv:property sv:name="p" sv:type="String">${'<sv:value>x</sv:value>'.repeat(300_000)}</sv:property></sv:node>`,
      ),
    },
    {
      name: 'XML of one value',
      make: text(
        IMPORT,
        () =>
          `<sv:node ${views}="a"><sv:property sv:name="p" sv:type="String"><sv:value>${'x'.repeat(7_000_000)}</sv:value></sv:property></sv:node>`,
      ),
    },
    { name: 'XML of attributes', make: text(IMPORT, () => `<a ${counted(500_000, (n) => `a${n}="1"`, ' ')}/>`) },
    { name: 'XML of deep elements', make: text(IMPORT, () => small((inner) => inner, '<a>', 7_500_000)) },
    { name: 'XML that is none', make: text(IMPORT, () => '<'.repeat(7_500_000)) },
    { name: 'XML of entities', make: text(IMPORT, () => `<a>${'&amp;'.repeat(1_500_000)}</a>`) },
    {
      name: 'a path of two million names',
      make: text('query ($text: String!) { node(path: $text) { id } }', () => '/a'.repeat(BYTES / 2)),
    },
    {
      name: 'a path of slashes',
      make: text('query ($text: String!) { node(path: $text) { id } }', () => '/'.repeat(BYTES)),
    },
    {
      name: 'a path of indexes',
      make: text('query ($text: String!) { node(path: $text) { id } }', () => '/a[1]'.repeat(BYTES / 5)),
    },
    {
      name: 'a path of URIs',
      make: text('query ($text: String!) { node(path: $text) { id } }', () => '/{a}b'.repeat(BYTES / 5)),
    },
    {
      name: 'a path with one long name',
      make: text('query ($text: String!) { node(path: $text) { id } }', () => `/${'a'.repeat(BYTES)}`),
    },
    {
      name: 'a huge cursor',
      make: text('query ($text: String!) { processInstances(after: $text) { totalCount } }', () => 'a'.repeat(BYTES)),
    },
    {
      name: 'a huge cursor of JSON',
      make: text('query ($text: String!) { processInstances(after: $text) { totalCount } }', () =>
        Buffer.from(`[${filled('0', ',').slice(0, 5_900_000)}]`).toString('base64url'),
      ),
    },
    {
      name: 'a huge position',
      make: text('subscription ($text: String!) { nodeChanged(after: $text) { path } }', () =>
        Buffer.from('a'.repeat(5_900_000)).toString('base64url'),
      ),
    },
    {
      name: 'a long time zone',
      make: text('query ($text: String!) { taskCounts(timeZone: $text) { __typename } }', () => 'a'.repeat(BYTES)),
    },
    {
      name: 'a long duration',
      make: text('mutation ($text: String!) { advanceClock(by: $text) }', () => `P${'1'.repeat(BYTES)}D`),
    },
    {
      name: 'a long point in time',
      make: text(
        'mutation ($text: DateTime!) { advanceClock(to: $text) }',
        () => `2026-01-01T00:00:00.${'0'.repeat(BYTES)}Z`,
      ),
    },
    {
      name: 'a long Long',
      make: () =>
        body(
          'mutation ($input: [PropertyInput!]!) { setProperties(path: "/content", properties: $input) { __typename } }',
          `{"input":[{"name":"a","value":{"longValue":"${'1'.repeat(BYTES)}"}}]}`,
        ),
    },
    {
      name: 'a long Decimal',
      make: () =>
        body(
          'mutation ($input: [PropertyInput!]!) { setProperties(path: "/content", properties: $input) { __typename } }',
          `{"input":[{"name":"a","value":{"decimalValue":"1${'0'.repeat(BYTES)}"}}]}`,
        ),
    },
    {
      name: 'a long Decimal exponent',
      make: () =>
        body(
          'mutation ($input: [PropertyInput!]!) { setProperties(path: "/content", properties: $input) { __typename } }',
          `{"input":[{"name":"a","value":{"decimalValue":"1e${'9'.repeat(9)}"}}]}`,
        ),
    },
  ];
}

/** For each list within the arguments of a root field as many items as there is room for; for each text there one as long as may be. */
function ofInputs(schema: GraphQLSchema): LargeBody[] {
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
  ] as const;
  return roots.flatMap(([kind, type]) =>
    Object.values(type?.getFields() ?? {}).flatMap((field) =>
      field.args.flatMap((arg) => ofArgument(kind, field, arg)),
    ),
  );
}

type Field = GraphQLField<unknown, unknown>;

function ofArgument(kind: string, field: Field, arg: Field['args'][number]): LargeBody[] {
  const others = field.args.filter((other) => other !== arg && isRequiredArgument(other));
  const given = [
    `${arg.name}: $value`,
    ...others.map((other) => `${other.name}: ${THERE[other.name] ?? literal(other.type)}`),
  ].join(', ');
  const named = getNamedType(field.type);
  const query = `${kind} ($value: ${arg.type}) { ${field.name}(${given})${isCompositeType(named) ? ' { __typename }' : ''} }`;
  return places(arg.type, []).map(({ path, make }) => ({
    name: `${field.name}(${[arg.name, ...path].join('.')})`,
    make: () => body(query, `{"value":${make()}}`),
  }));
}

interface Place {
  readonly path: readonly string[];
  readonly make: () => string;
}

/** Where within the type a list or a text may be large. */
function places(type: GraphQLInputType, seen: readonly string[]): Place[] {
  if (isNonNullType(type)) return places(type.ofType, seen);
  if (isListType(type)) {
    const item = itemOf(type.ofType);
    const many: Place = { path: ['*'], make: () => `[${numbered(item)}]` };
    return [
      many,
      ...places(type.ofType, seen)
        .filter(({ path }) => path.length > 0)
        .map(({ path, make }) => ({ path: ['0', ...path], make: () => `[${make()}]` })),
    ];
  }
  if (isInputObjectType(type)) {
    if (seen.includes(type.name)) return [];
    const fields = Object.values(type.getFields());
    const required = fields.filter(isRequiredInputField);
    return fields.flatMap((field) => {
      const others = required
        .filter((other) => other !== field)
        .map((other) => `"${other.name}":${THERE[other.name] ?? smallest(other.type)},`)
        .join('');
      return places(field.type, [...seen, type.name]).map(({ path, make }) => ({
        path: [field.name, ...path],
        make: () => `{${others}"${field.name}":${make()}}`,
      }));
    });
  }
  return isText(type) ? [{ path: [], make: () => `"${'a'.repeat(BYTES)}"` }] : [];
}

/** What is there in every workspace. */
const THERE: Readonly<Record<string, string>> = {
  path: '"/content"',
  sourcePath: '"/content"',
  destPath: '"/content"',
  definitionKey: '"d"',
};

const isText = (type: GraphQLInputType) =>
  ['String', 'ID', 'Base64', 'DateTime', 'JSON', 'Long'].includes(getNamedType(type).name);

/** An item of a list: unlike the others where it can be. */
const itemOf = (type: GraphQLInputType) => {
  const text = smallest(type);
  return (n: number) => text.replace('"a"', () => `"a${n}"`);
};

/** The smallest value of a type, as JSON. */
function smallest(type: GraphQLInputType): string {
  if (isNonNullType(type)) return smallest(type.ofType);
  if (isListType(type)) return '[]';
  if (isEnumType(type)) return JSON.stringify(type.getValues()[0]?.name);
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    const given = type.isOneOf ? fields.slice(0, 1) : fields.filter(isRequiredInputField);
    return `{${given.map((field) => `"${field.name}":${smallest(field.type)}`).join(',')}}`;
  }
  const text: Readonly<Record<string, string>> = {
    Int: '1',
    Float: '1',
    Long: '1',
    Boolean: 'true',
    DateTime: '"2026-01-01T00:00:00Z"',
  };
  return text[getNamedType(type).name] ?? '"a"';
}

/** The same as a literal of a document. */
const literal = (type: GraphQLInputType): string => smallest(type).replace(/"(\w+)":/g, '$1:');
