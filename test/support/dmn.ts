import { escaped } from './bpmn.js';

/** A DMN file with these elements. `namespace`: which DMN; the prefix of Camunda's attributes is camunda. */
export const dmn = (
  body: string,
  namespace = 'https://www.omg.org/spec/DMN/20191111/MODEL/',
  attributes = '',
): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="${namespace}" xmlns:camunda="http://camunda.org/schema/1.0/dmn" id="file" name="File" namespace="http://example.org/test" ${attributes}>
${body}
</definitions>`;

interface TableSpec {
  /** By expression, each with its type. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** By name, each with its type. */
  readonly outputs?: Readonly<Record<string, string>>;
  /** Attributes of the table: `hitPolicy="FIRST"`. */
  readonly policy?: string;
  /** Per rule: entries of inputs, then of outputs. */
  readonly rules: readonly (readonly string[])[];
  /** Per output: its values, and its default. */
  readonly values?: Readonly<Record<string, string>>;
  readonly defaults?: Readonly<Record<string, string>>;
}

const entry = (name: string, text: string) => `<${name}><text>${escaped(text)}</text></${name}>`;

/** A decision table: `table({ inputs: { 'amount': 'integer' }, outputs: { level: 'string' }, rules: [['> 5', '"high"']] })`. */
export function table({
  inputs = {},
  outputs = { r: '' },
  policy = '',
  rules,
  values = {},
  defaults = {},
}: TableSpec): string {
  const typeOf = (type: string) => (type === '' ? '' : ` typeRef="${type}"`);
  const ins = Object.entries(inputs).map(
    ([text, type], at) =>
      `<input id="in${at + 1}"><inputExpression${typeOf(type)}><text>${escaped(text)}</text></inputExpression></input>`,
  );
  const outs = Object.entries(outputs).map(([name, type], at) => {
    const allowed = values[name] === undefined ? '' : entry('outputValues', values[name]);
    const otherwise = defaults[name] === undefined ? '' : entry('defaultOutputEntry', defaults[name]);
    return `<output id="out${at + 1}" name="${name}"${typeOf(type)}>${allowed}${otherwise}</output>`;
  });
  const rows = rules.map((rule, at) => {
    const entries = rule.map((text, place) => entry(place < ins.length ? 'inputEntry' : 'outputEntry', text));
    return `<rule id="rule${at + 1}">${entries.join('')}</rule>`;
  });
  return `<decisionTable ${policy}>${ins.join('')}${outs.join('')}${rows.join('\n')}</decisionTable>`;
}

/** A decision with its logic; `requires`: ids of decisions, of inputs (`in:`) and of knowledge (`bkm:`). */
export function decision(
  id: string,
  logic: string,
  {
    requires = [],
    name = id,
    variable = id,
    type = '',
    attributes = '',
  }: {
    readonly requires?: readonly string[];
    readonly name?: string;
    readonly variable?: string;
    readonly type?: string;
    readonly attributes?: string;
  } = {},
): string {
  const requirements = requires.map((required) => {
    if (required.startsWith('bkm:'))
      return `<knowledgeRequirement><requiredKnowledge href="#${required.slice(4)}"/></knowledgeRequirement>`;
    const isInput = required.startsWith('in:');
    const kind = isInput ? 'requiredInput' : 'requiredDecision';
    return `<informationRequirement><${kind} href="#${isInput ? required.slice(3) : required}"/></informationRequirement>`;
  });
  const typeRef = type === '' ? '' : ` typeRef="${type}"`;
  return `<decision id="${id}" name="${name}" ${attributes}><variable name="${variable}"${typeRef}/>${requirements.join('')}${logic}</decision>`;
}

/** A literal expression. */
export const literal = (text: string, attributes = ''): string =>
  `<literalExpression ${attributes}><text>${escaped(text)}</text></literalExpression>`;
