/** What surrounds the body of a process. */
export interface BpmnOptions {
  /** The id of the process. Default `p`. */
  readonly key?: string;
  /** Attributes of the process beside id and isExecutable. */
  readonly attributes?: string;
  /** Root elements beside the process: messages, signals, errors, a collaboration. */
  readonly root?: string;
}

/** A model with one executable process: `bpmn('<bpmn:startEvent id="start"/> …')`. The prefixes are bpmn, camunda and xsi. */
export const bpmn = (body: string, { key = 'p', attributes = '', root = '' }: BpmnOptions = {}): string =>
  definitions(`${root}
  <bpmn:process id="${key}" isExecutable="true" ${attributes}>
${body}
  </bpmn:process>`);

/** A model with any root elements. */
export const definitions = (body: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"
                  xmlns:camunda="http://camunda.org/schema/1.0/bpmn"
                  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                  id="definitions" targetNamespace="http://example.org/test">
  ${body}
</bpmn:definitions>`;

/** Sequence flows along the ids, each with the id `a-b`: `flows('start', 'work', 'end')`. */
export const flows = (...ids: string[]): string =>
  ids
    .slice(1)
    .map((target, index) => flow(ids[index] ?? '', target))
    .join('\n');

/** One sequence flow with the id `source-target`, and a condition if there is one: an expression, or JavaScript. */
export function flow(source: string, target: string, condition?: string | { readonly javascript: string }): string {
  const head = `<bpmn:sequenceFlow id="${source}-${target}" sourceRef="${source}" targetRef="${target}"`;
  if (condition === undefined) return `${head}/>`;
  const [text, language] =
    typeof condition === 'string' ? [condition, ''] : [condition.javascript, ' language="javascript"'];
  return `${head}><bpmn:conditionExpression xsi:type="bpmn:tFormalExpression"${language}>${escaped(text)}</bpmn:conditionExpression></bpmn:sequenceFlow>`;
}

/** An element with attributes, all names as they are written: `element('userTask', 'approve', { 'camunda:assignee': 'mary' })`. */
export function element(
  type: string,
  id: string,
  attributes: Readonly<Record<string, string>> = {},
  content = '',
): string {
  const text = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  return `<bpmn:${type} id="${id}"${text.join('')}>${content}</bpmn:${type}>\n`;
}

/** Start, the elements of `body` in the order of `ids`, end: `line(['work'], element('task', 'work'))`. */
export const line = (ids: readonly string[], body: string): string =>
  `${element('startEvent', 'start')}${body}${element('endEvent', 'end')}${flows('start', ...ids, 'end')}`;

/** A timer event definition: `timer('duration', 'PT1H')`. */
export const timer = (kind: 'date' | 'duration' | 'cycle', text: string): string => {
  const name = `time${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  return `<bpmn:timerEventDefinition><bpmn:${name} xsi:type="bpmn:tFormalExpression">${escaped(text)}</bpmn:${name}></bpmn:timerEventDefinition>`;
};

/** Extension elements. */
export const extended = (content: string): string => `<bpmn:extensionElements>${content}</bpmn:extensionElements>`;

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
