import { element, escaped, extended, flow, timer } from '../../support/bpmn.js';
import { type Ends, type Kind, type Scope, SMALL } from './kinds.js';
import { condition, logs } from './leaves.js';
import { ScopeWriter } from './scopes.js';

/** Writes blocks by the choices of a seed. */
export class Writer extends ScopeWriter {
  block(kind: Kind, scope: Scope): Ends {
    const id = `${kind}${++this.count}`;
    if (SMALL.includes(kind)) return this.add(scope, id, this.leaf(kind, id, scope));
    switch (kind) {
      case 'parallel':
      case 'exclusive':
      case 'inclusive':
        return this.branches(kind, id, scope);
      case 'loop':
        return this.loop(id, scope);
      case 'sub':
        return this.add(scope, id, this.sub(id, scope));
      case 'multiUser':
      case 'multiScript':
      case 'multiSub':
      case 'multiCollection':
        return this.add(scope, id, this.multi(kind, id, scope));
      case 'events':
        return this.events(id, scope);
      case 'compensated':
        return this.compensated(id, scope);
      case 'transaction':
        return this.transaction(id, scope);
      case 'terminated':
        return this.add(scope, id, this.sub(id, scope, this.terminated(id)));
      case 'eventSub':
        return this.add(
          scope,
          id,
          this.sub(id, scope, (inner) => void inner.xml.push(this.eventSubProcess(inner))),
        );
      case 'calledError':
        return this.caught(id, scope);
      case 'signalThrow':
        return this.signalled(id, scope);
      case 'errorSub':
      case 'escalationSub':
        return this.add(scope, id, this.thrownInside(kind === 'errorSub' ? 'error' : 'escalation', id, scope));
      case 'takeListener':
        return this.listened(id, scope);
      default:
        return this.boundary(kind, id, scope);
    }
  }

  /** An activity with a boundary event; where it happens, a task is passed on the way to the same end. */
  protected boundary(kind: Kind, id: string, scope: Scope): Ends {
    const host = `${id}-host`;
    const code = `E${this.count}`;
    const named = scope.isRepeated ? 'i${loopCounter}' : host;
    const user = (): string => this.task('userTask', host, { name: named });
    const throwing = (definition: string) => (inner: Scope) => {
      inner.xml.push(element('endEvent', `${host}-thrown`, {}, definition));
      inner.xml.push(element('exclusiveGateway', `${host}-which`, { default: `${host}-which-${host}-out` }));
      const last = inner.flows.length - 1;
      inner.flows[last] = (inner.flows[last] ?? '').replaceAll(`${host}-out"`, `${host}-which"`);
      inner.flows.push(flow(`${host}-which`, `${host}-out`));
      inner.flows.push(flow(`${host}-which`, `${host}-thrown`, '${a > 2}'));
    };
    const root = (type: string) => void this.roots.push(`<bpmn:${type} id="${code}" ${type}Code="${code}"/>`);
    const error = `<bpmn:errorEventDefinition errorRef="${code}"/>`;
    const escalation = `<bpmn:escalationEventDefinition escalationRef="${code}"/>`;
    let definition = error;
    let xml = '';
    if (kind === 'boundaryTimer') [definition, xml] = [timer('duration', 'PT1H'), user()];
    else if (kind === 'boundaryMessage') [definition, xml] = [this.message(id), user()];
    else if (kind === 'boundarySignal') [definition, xml] = [this.signal(id), user()];
    else if (kind === 'boundaryCondition') [definition, xml] = [condition('cond'), user()];
    else if (kind === 'boundaryEscalation') {
      root('escalation');
      [definition, xml] = [escalation, this.sub(host, scope, throwing(escalation))];
    } else if (kind === 'boundaryWorker') {
      root('error');
      xml = element('serviceTask', host, { 'camunda:type': 'external', 'camunda:topic': `fails-${code}` });
    } else {
      root('error');
      xml = this.sub(host, scope, throwing(error));
    }
    const isInterrupting = definition === error || this.random.chance(0.5);
    scope.xml.push(
      xml,
      element('boundaryEvent', id, { attachedToRef: host, cancelActivity: String(isInterrupting) }, definition),
    );
    scope.xml.push(element('serviceTask', `${id}-after`, { 'camunda:expression': logs(id) }));
    return this.rejoin(id, host, scope, isInterrupting);
  }

  protected rejoin(id: string, host: string, scope: Scope, isInterrupting: boolean): Ends {
    scope.flows.push(flow(id, `${id}-after`));
    if (!isInterrupting) {
      scope.xml.push(element('endEvent', `${id}-end`));
      scope.flows.push(flow(`${id}-after`, `${id}-end`));
      return { entry: host, exit: host };
    }
    scope.xml.push(element('exclusiveGateway', `${id}-join`));
    scope.flows.push(flow(host, `${id}-join`), flow(`${id}-after`, `${id}-join`));
    return { entry: host, exit: `${id}-join` };
  }

  /** A script that throws an error, caught at its own border. */
  protected caught(id: string, scope: Scope): Ends {
    const host = `${id}-host`;
    const code = `E${this.count}`;
    this.roots.push(`<bpmn:error id="${code}" errorCode="${code}"/>`);
    const script = `if (execution.getVariable("a") > 2) throw new BpmnError("${code}", "too much");`;
    scope.xml.push(
      this.task('scriptTask', host, { scriptFormat: 'javascript' }, `<bpmn:script>${escaped(script)}</bpmn:script>`),
    );
    const definition = `<bpmn:errorEventDefinition errorRef="${code}" camunda:errorCodeVariable="code${this.count}"/>`;
    scope.xml.push(element('boundaryEvent', id, { attachedToRef: host }, definition));
    scope.xml.push(element('serviceTask', `${id}-after`, { 'camunda:expression': logs(id) }));
    return this.rejoin(id, host, scope, true);
  }

  protected events(id: string, scope: Scope): Ends {
    const join = `${id}-join`;
    scope.xml.push(element('eventBasedGateway', id), element('exclusiveGateway', join));
    const definitions = [this.message(`${id}-m`), this.signal(`${id}-s`), timer('duration', 'PT5M')];
    definitions.forEach((definition, at) => {
      const event = `${id}-${['m', 's', 't'][at]}`;
      scope.xml.push(element('intermediateCatchEvent', event, {}, definition));
      scope.flows.push(flow(id, event), flow(event, join));
    });
    return { entry: id, exit: join };
  }

  /** A signal that the process throws to itself. */
  protected signalled(id: string, scope: Scope): Ends {
    const [fork, join, caught] = [`${id}-fork`, `${id}-join`, `${id}-caught`];
    const signal = this.signal(id);
    const { entry, exit } = this.any(scope);
    scope.xml.push(element('parallelGateway', fork), element('parallelGateway', join));
    scope.xml.push(element('intermediateCatchEvent', caught, {}, signal));
    scope.xml.push(element('intermediateThrowEvent', id, {}, signal));
    scope.flows.push(flow(fork, caught), flow(fork, entry), flow(exit, id), flow(id, join), flow(caught, join));
    return { entry: fork, exit: join };
  }

  /** An activity that is undone where a number is small. */
  protected compensated(id: string, scope: Scope): Ends {
    const which = `${id}-which`;
    const undo = `${id}-undo`;
    const join = `${id}-join`;
    scope.xml.push(this.undoable(id, scope), element('exclusiveGateway', which, { default: `${which}-${join}` }));
    scope.xml.push(element('exclusiveGateway', join));
    scope.xml.push(element('intermediateThrowEvent', undo, {}, '<bpmn:compensateEventDefinition/>'));
    scope.flows.push(flow(id, which), flow(which, join), flow(which, undo, '${a < 4}'), flow(undo, join));
    return { entry: id, exit: join };
  }

  protected undoable(id: string, scope: Scope): string {
    const work = element('serviceTask', id, { 'camunda:expression': logs(id) });
    const event = element('boundaryEvent', `${id}-c`, { attachedToRef: id }, '<bpmn:compensateEventDefinition/>');
    const handler = element('serviceTask', `${id}-back`, {
      isForCompensation: 'true',
      'camunda:expression': logs(`back:${id}`),
    });
    const ends = `sourceRef="${id}-c" targetRef="${id}-back"`;
    scope.artifacts.push(`<bpmn:association id="${id}-a" associationDirection="One" ${ends}/>`);
    return work + event + handler;
  }

  protected transaction(id: string, scope: Scope): Ends {
    const host = `${id}-host`;
    const xml = this.sub(
      host,
      { ...scope, depth: 3 },
      (inner) => {
        inner.xml.push(
          this.undoable(`${id}-do`, inner),
          element('exclusiveGateway', `${id}-which`, { default: `${id}-which-${host}-out` }),
        );
        inner.xml.push(element('endEvent', `${id}-cancel`, {}, '<bpmn:cancelEventDefinition/>'));
        const last = inner.flows.length - 1;
        inner.flows[last] = (inner.flows[last] ?? '').replaceAll(`${host}-out"`, `${id}-do"`);
        inner.flows.push(flow(`${id}-do`, `${id}-which`), flow(`${id}-which`, `${host}-out`));
        inner.flows.push(flow(`${id}-which`, `${id}-cancel`, '${a > 3}'));
      },
      '',
      'transaction',
    );
    scope.xml.push(xml, element('boundaryEvent', id, { attachedToRef: host }, '<bpmn:cancelEventDefinition/>'));
    scope.xml.push(element('serviceTask', `${id}-after`, { 'camunda:expression': logs(id) }));
    return this.rejoin(id, host, scope, true);
  }

  /** A flow with a listener. */
  protected listened(id: string, scope: Scope): Ends {
    const listener = `<camunda:executionListener event="take" expression="${escaped(logs(`take:${id}`))}"/>`;
    scope.xml.push(element('task', id), element('task', `${id}-next`));
    const attributes = { sourceRef: id, targetRef: `${id}-next` };
    scope.flows.push(element('sequenceFlow', `${id}-${id}-next`, attributes, extended(listener)));
    return { entry: id, exit: `${id}-next` };
  }
}
