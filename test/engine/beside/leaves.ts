import { element, escaped, extended, flow, timer } from '../../support/bpmn.js';
import type { Random } from '../../support/random.js';
import type { Kind, Scope } from './kinds.js';

/** An expression that notes the word. */
export const logs = (word: string): string => `\${execution.setVariable("log", log.concat("${word} "))}`;
/** A condition on a variable that is 1. */
export const condition = (name: string): string =>
  `<bpmn:conditionalEventDefinition camunda:variableName="${name}"><bpmn:condition xsi:type="bpmn:tFormalExpression">\${${name} == 1}</bpmn:condition></bpmn:conditionalEventDefinition>`;

/** Writes what has one element, and event sub-processes. */
export abstract class LeafWriter {
  readonly roots: string[] = [];
  protected readonly random: Random;
  protected count = 0;

  constructor(random: Random) {
    this.random = random;
  }

  /** An event sub-process of what is written. */
  eventSubProcess(scope: Scope): string {
    const id = `handler${++this.count}`;
    const kind = this.random.pick(['message', 'signal', 'condition', 'timer'] as const);
    const definition = {
      message: () => this.message(id),
      signal: () => this.signal(id),
      condition: () => condition('cond'),
      timer: () => timer('duration', 'PT1H'),
    }[scope.isRepeated ? 'timer' : kind]();
    return this.handler(id, String(this.random.chance(0.6)), definition);
  }

  protected handler(id: string, isInterrupting: string, definition: string): string {
    const begin = element('startEvent', `${id}-start`, { isInterrupting }, definition);
    const work = element('serviceTask', `${id}-work`, { 'camunda:expression': logs(id) });
    const end = element('endEvent', `${id}-end`);
    const ways = flow(`${id}-start`, `${id}-work`) + flow(`${id}-work`, `${id}-end`);
    return element('subProcess', id, { triggeredByEvent: 'true' }, begin + work + end + ways);
  }

  /** Listeners, mappings and continuations, some of them; `must`: attributes that it has in any case. */
  protected task(type: string, id: string, must: Readonly<Record<string, string>>, content = '', more = ''): string {
    const attributes: Record<string, string> = { ...must };
    if (this.random.chance(0.12)) attributes['camunda:asyncBefore'] = 'true';
    if (this.random.chance(0.12)) attributes['camunda:asyncAfter'] = 'true';
    const listener = (event: string): string =>
      this.random.chance(0.12)
        ? `<camunda:executionListener event="${event}" expression="${escaped(logs(`${event}:${id}`))}"/>`
        : '';
    const input = `<camunda:inputParameter name="in${this.count}">\${a + 1}</camunda:inputParameter>`;
    const output = `<camunda:outputParameter name="out${this.count}">\${in${this.count} * 2}</camunda:outputParameter>`;
    const io =
      this.random.chance(0.12) && !content.startsWith('<bpmn:multi')
        ? `<camunda:inputOutput>${input}${output}</camunda:inputOutput>`
        : '';
    const inside = `${more}${listener('start')}${listener('end')}${io}`;
    return element(type, id, attributes, (inside === '' ? '' : extended(inside)) + content);
  }

  protected leaf(kind: Kind, id: string, scope: Scope): string {
    switch (kind) {
      case 'script': {
        const script = `var n = execution.getVariable("n"); execution.setVariable("n", n + ${this.random.below(4)});`;
        return this.task('scriptTask', id, { scriptFormat: 'javascript' }, `<bpmn:script>${script}</bpmn:script>`);
      }
      case 'user':
        return this.task('userTask', id, { name: scope.isRepeated ? 'i${loopCounter}' : id });
      case 'receive':
        return this.task('receiveTask', id, { messageRef: this.messageId(id) });
      case 'external':
        return this.task('serviceTask', id, { 'camunda:type': 'external', 'camunda:topic': 't' });
      case 'rule':
        return this.task('businessRuleTask', id, {
          'camunda:decisionRef': 'd',
          'camunda:mapDecisionResult': 'singleEntry',
          'camunda:resultVariable': `r${this.count}`,
        });
      case 'call':
        return this.call(id);
      case 'timerCatch':
        return element('intermediateCatchEvent', id, {}, timer('duration', 'PT10M'));
      case 'messageCatch':
        return element('intermediateCatchEvent', id, {}, this.message(id));
      case 'signalCatch':
        return element('intermediateCatchEvent', id, {}, this.signal(id));
      case 'conditionCatch':
        return element('intermediateCatchEvent', id, {}, condition('cond'));
      case 'failing':
        return element('serviceTask', id, {
          'camunda:asyncBefore': 'true',
          'camunda:expression': '${fail == 1 ? nobody.nothing : execution.setVariable("fail", 1)}',
        });
      default:
        return this.task('serviceTask', id, { 'camunda:expression': logs(id) });
    }
  }

  protected call(id: string): string {
    const given = `<camunda:in source="a" target="a"/><camunda:out source="b" target="b${this.count}"/>`;
    const attributes = { calledElement: 'q', 'camunda:asyncAfter': 'true' };
    return element('callActivity', id, attributes, extended(given));
  }

  protected messageId(id: string): string {
    this.roots.push(`<bpmn:message id="m-${id}" name="${id}"/>`);
    return `m-${id}`;
  }

  protected message(id: string): string {
    return `<bpmn:messageEventDefinition messageRef="${this.messageId(id)}"/>`;
  }

  protected signal(id: string): string {
    this.roots.push(`<bpmn:signal id="s-${id}" name="${id}"/>`);
    return `<bpmn:signalEventDefinition signalRef="s-${id}"/>`;
  }
}
