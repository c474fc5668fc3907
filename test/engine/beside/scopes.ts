import { element, flow } from '../../support/bpmn.js';
import { type Ends, KINDS, type Kind, NAMED, type Scope, SMALL } from './kinds.js';
import { LeafWriter, logs } from './leaves.js';

const DEPTH_MAX = 3;

/** Writes what holds other blocks: branches, drawn loops, sub-processes, multi-instances. */
export abstract class ScopeWriter extends LeafWriter {
  abstract block(kind: Kind, scope: Scope): Ends;

  protected add(scope: Scope, id: string, xml: string): Ends {
    scope.xml.push(xml);
    return { entry: id, exit: id };
  }

  protected any(scope: Scope): Ends {
    const small = scope.depth >= DEPTH_MAX || this.random.chance(0.55);
    const kinds = (small ? SMALL : KINDS).filter((kind) => !scope.isRepeated || !NAMED.includes(kind));
    return this.block(this.random.pick(kinds), { ...scope, depth: scope.depth + 1 });
  }

  protected branches(kind: 'parallel' | 'exclusive' | 'inclusive', id: string, scope: Scope): Ends {
    const count = 2 + this.random.below(2);
    const fork = `${id}-fork`;
    const join = `${id}-join`;
    const ways = Array.from({ length: count }, () => this.any(scope));
    const last = ways[count - 1]?.entry ?? '';
    const isDecided = kind !== 'parallel';
    scope.xml.push(element(`${kind}Gateway`, fork, isDecided ? { default: `${fork}-${last}` } : {}));
    scope.xml.push(element(`${kind}Gateway`, join));
    for (const { entry, exit } of ways) {
      const hasCondition = isDecided && entry !== last;
      scope.flows.push(flow(fork, entry, hasCondition ? `\${a > ${this.random.below(6)}}` : undefined));
      scope.flows.push(flow(exit, join));
    }
    return { entry: fork, exit: join };
  }

  protected loop(id: string, scope: Scope): Ends {
    const merge = `${id}-merge`;
    const again = `${id}-again`;
    const count = `${id}-count`;
    const name = `${id}n`;
    const begin = `${id}-zero`;
    const { entry, exit } = this.any(scope);
    const sets = (value: string) => ({ 'camunda:expression': `\${execution.setVariable("${name}", ${value})}` });
    scope.xml.push(element('serviceTask', begin, sets('0')), element('exclusiveGateway', merge));
    scope.xml.push(element('serviceTask', count, sets(`${name} + 1`)));
    scope.xml.push(element('exclusiveGateway', again, { default: `${again}-${id}-out` }));
    scope.xml.push(element('task', `${id}-out`));
    scope.flows.push(flow(begin, merge), flow(merge, entry), flow(exit, count), flow(count, again));
    scope.flows.push(flow(again, merge, `\${${name} < ${1 + this.random.below(3)}}`), flow(again, `${id}-out`));
    return { entry: begin, exit: `${id}-out` };
  }

  /** A sub-process of a block or two; `more` adds to it. */
  protected sub(
    id: string,
    scope: Scope,
    more: (inner: Scope) => void = () => {},
    loop = '',
    type = 'subProcess',
  ): string {
    const isRepeated = scope.isRepeated || loop !== '';
    const inner: Scope = { xml: [], flows: [], artifacts: [], depth: scope.depth + 1, isRepeated };
    const ends = Array.from({ length: 1 + this.random.below(2) }, () => this.any(inner));
    const ways = [`${id}-in`, ...ends.flatMap(({ entry, exit }) => [entry, exit]), `${id}-out`];
    for (let at = 0; at < ways.length; at += 2) inner.flows.push(flow(ways[at] ?? '', ways[at + 1] ?? ''));
    more(inner);
    const content = element('startEvent', `${id}-in`) + inner.xml.join('') + element('endEvent', `${id}-out`);
    return this.task(type, id, {}, `${loop}${content}${[...inner.flows, ...inner.artifacts].join('\n')}`);
  }

  protected multi(kind: Kind, id: string, scope: Scope): string {
    const isSequential = this.random.chance(0.5);
    const count = this.random.below(4);
    const until = this.random.chance(0.4)
      ? `<bpmn:completionCondition xsi:type="bpmn:tFormalExpression">\${nrOfCompletedInstances >= ${1 + this.random.below(3)}}</bpmn:completionCondition>`
      : '';
    const [items, how] =
      kind === 'multiCollection'
        ? [' camunda:collection="items" camunda:elementVariable="item"', '']
        : ['', `<bpmn:loopCardinality xsi:type="bpmn:tFormalExpression">${count}</bpmn:loopCardinality>`];
    const loop = `<bpmn:multiInstanceLoopCharacteristics isSequential="${isSequential}"${items}>${how}${until}</bpmn:multiInstanceLoopCharacteristics>`;
    if (kind === 'multiCollection')
      return element('serviceTask', id, { 'camunda:expression': logs('item').replace('"item "', 'item') }, loop);
    if (kind === 'multiUser') return element('userTask', id, { name: 'i${loopCounter}' }, loop);
    if (kind === 'multiScript') {
      return element(
        'serviceTask',
        id,
        { 'camunda:expression': '${execution.setVariable("n", n + loopCounter)}' },
        loop,
      );
    }
    return this.sub(id, scope, undefined, loop);
  }

  protected terminated(id: string): (inner: Scope) => void {
    return (inner) => {
      const { entry, exit } = this.any(inner);
      inner.xml.push(element('parallelGateway', `${id}-fork`));
      inner.xml.push(element('endEvent', `${id}-stop`, {}, '<bpmn:terminateEventDefinition/>'));
      const first = inner.flows[0] ?? '';
      inner.flows[0] = first
        .replace(`id="${id}-in-`, `id="${id}-fork-`)
        .replace(`sourceRef="${id}-in"`, `sourceRef="${id}-fork"`);
      inner.flows.push(flow(`${id}-in`, `${id}-fork`), flow(`${id}-fork`, entry), flow(exit, `${id}-stop`));
    };
  }

  /** A sub-process that throws an error or an escalation, which an event sub-process in it catches. */
  protected thrownInside(type: 'error' | 'escalation', id: string, scope: Scope): string {
    const code = `E${this.count}`;
    this.roots.push(`<bpmn:${type} id="${code}" ${type}Code="${code}"/>`);
    const definition = `<bpmn:${type}EventDefinition ${type}Ref="${code}"/>`;
    return this.sub(id, scope, (inner) => {
      const last = inner.flows.length - 1;
      inner.xml.push(element('exclusiveGateway', `${id}-which`, { default: `${id}-which-${id}-out` }));
      inner.xml.push(element('endEvent', `${id}-thrown`, {}, definition));
      inner.flows[last] = (inner.flows[last] ?? '').replaceAll(`${id}-out"`, `${id}-which"`);
      inner.flows.push(flow(`${id}-which`, `${id}-out`), flow(`${id}-which`, `${id}-thrown`, '${a > 2}'));
      const isInterrupting = String(type === 'error' || this.random.chance(0.5));
      inner.xml.push(this.handler(`handler${++this.count}`, isInterrupting, definition));
    });
  }
}
