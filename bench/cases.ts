/**
 * The models that both engines run: the same elements and flows, each condition and each service written as the engine wants it.
 * (a) start, end; (b) five service tasks in a row; (c) a loop of 100 rounds over a service task and an exclusive gateway; (d) a user task;
 * (f) a parallel multi-instance of 100 service tasks; (g) a call activity.
 */

/** How often the loop of (c) goes round, and how many instances (f) has. */
export const ROUNDS = 100;

export const CASES = {
  a: 'start → end',
  b: 'five inline service tasks',
  c: `exclusive loop of ${ROUNDS} rounds`,
  d: 'user task, created and completed',
  f: `parallel multi-instance of ${ROUNDS} inline service tasks`,
  g: 'call activity of start → end',
} as const;

export type Case = keyof typeof CASES;
export const cases = Object.keys(CASES) as Case[];

/** Whose words a model is written in. */
export type Dialect = 'millrace' | 'bpmn-engine';

const WORDS: Readonly<Record<Dialect, { work: string; count: string; more: string; called: boolean }>> = {
  millrace: {
    work: `camunda:delegateExpression="\${work}"`,
    count: `camunda:expression="\${i + 1}" camunda:resultVariable="i"`,
    more: `\${i &lt; ${ROUNDS}}`,
    called: true,
  },
  'bpmn-engine': {
    work: `implementation="\${environment.services.work}"`,
    count: `implementation="\${environment.services.count}"`,
    more: `\${environment.services.more()}`,
    // It starts all that are executable.
    called: false,
  },
};

/** A process that waits for a timer of a day, and ends; its key is `timer`. */
export const timerModel = (): string =>
  processOf(
    'timer',
    `<bpmn:startEvent id="start"/><bpmn:intermediateCatchEvent id="wait"><bpmn:timerEventDefinition>
      <bpmn:timeDuration xsi:type="bpmn:tFormalExpression">P1D</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>
      <bpmn:endEvent id="end"/>${flows('start', 'wait', 'end')}`,
  );

/**
 * The processes `decision`, with a business rule task whose table has three inputs and 20 rules, and `undecided`, with an expression in its place; and
 * the table.
 */
export function decisionFiles(): { readonly name: string; readonly content: string }[] {
  const withTask = (key: string, attributes: string) =>
    processOf(
      key,
      `<bpmn:startEvent id="start"/><bpmn:businessRuleTask id="decide" ${attributes} camunda:resultVariable="rate"/><bpmn:endEvent id="end"/>${flows('start', 'decide', 'end')}`,
    );
  const levels = ['"gold"', '"silver"', '"bronze"', '-'];
  const rules = levels.flatMap((level, at) =>
    ['&lt; 100', '[100..200)', '[200..500)', '&gt;= 500', '-'].map((amount, row) =>
      ruleOf([level, amount, row % 2 === 0 ? '"DE","AT"' : 'not("CH")'], String(at * 5 + row)),
    ),
  );
  const inputs = ['level', 'amount', 'country'].map(
    (text) => `<input><inputExpression><text>${text}</text></inputExpression></input>`,
  );
  const table = `<decisionTable hitPolicy="FIRST">${inputs.join('')}<output name="rate" typeRef="integer"/>${rules.join('')}</decisionTable>`;
  const dmn = `<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="d" name="d" namespace="d"><decision id="rate">${table}</decision></definitions>`;
  return [
    {
      name: 'decision.bpmn',
      content: withTask('decision', 'camunda:decisionRef="rate" camunda:mapDecisionResult="singleEntry"'),
    },
    { name: 'undecided.bpmn', content: withTask('undecided', 'camunda:expression="${1}"') },
    { name: 'rate.dmn', content: dmn },
  ];
}

const ruleOf = (inputs: readonly string[], output: string): string => {
  const entry = (name: string, text: string) => `<${name}><text>${text}</text></${name}>`;
  return `<rule>${inputs.map((text) => entry('inputEntry', text)).join('')}${entry('outputEntry', output)}</rule>`;
};

/** The model of a case as BPMN 2.0 XML; its process has the key of the case. */
export function modelOf(name: Case, dialect: Dialect): string {
  const words = WORDS[dialect];
  const start = '<bpmn:startEvent id="start"/>';
  const end = '<bpmn:endEvent id="end"/>';
  const tasks = ['t1', 't2', 't3', 't4', 't5'];
  const bodies: Readonly<Record<Case, string>> = {
    a: `${start}${end}${flows('start', 'end')}`,
    b: `${start}${tasks.map((id) => `<bpmn:serviceTask id="${id}" ${words.work}/>`).join('')}${end}${flows('start', ...tasks, 'end')}`,
    c: `${start}<bpmn:exclusiveGateway id="again"/><bpmn:serviceTask id="count" ${words.count}/>
      <bpmn:exclusiveGateway id="enough" default="enough-end"/>${end}${flows('start', 'again', 'count', 'enough', 'end')}
      <bpmn:sequenceFlow id="enough-again" sourceRef="enough" targetRef="again">
        <bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">${words.more}</bpmn:conditionExpression>
      </bpmn:sequenceFlow>`,
    d: `${start}<bpmn:userTask id="work" name="Check the order"/>${end}${flows('start', 'work', 'end')}`,
    f: `${start}<bpmn:serviceTask id="count" ${words.count}><bpmn:multiInstanceLoopCharacteristics>
      <bpmn:loopCardinality>${ROUNDS}</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics></bpmn:serviceTask>${end}${flows('start', 'count', 'end')}`,
    g: `${start}<bpmn:callActivity id="call" calledElement="called"/>${end}${flows('start', 'call', 'end')}`,
  };
  const called = `<bpmn:process id="called" isExecutable="${words.called}"><bpmn:startEvent id="begin"/><bpmn:endEvent id="done"/>${flows('begin', 'done')}</bpmn:process>`;
  return processOf(name, bodies[name], name === 'g' ? called : '');
}

const processOf = (key: string, body: string, more = ''): string => `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:camunda="http://camunda.org/schema/1.0/bpmn"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" id="definitions" targetNamespace="http://example.org/bench">
  <bpmn:process id="${key}" isExecutable="true">${body}</bpmn:process>${more}
</bpmn:definitions>`;

const flows = (...ids: string[]): string =>
  ids
    .slice(1)
    .map((target, i) => `<bpmn:sequenceFlow id="${ids[i]}-${target}" sourceRef="${ids[i]}" targetRef="${target}"/>`)
    .join('');
