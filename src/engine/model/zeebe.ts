import { simpleConstant, simplePath } from '../../expression/index.js';
import { KEEPS, PART } from './compile-io.js';
import { COUNTS_FROM_ONE, OUTPUT_COLLECTION, OUTPUT_ELEMENT, OUTPUT_VARIABLE } from './compile-loop.js';
import { extensions, isA, type ModdleElement, many, one, text } from './moddle-element.js';
import { type Report, short } from './report.js';
import { type Parameter, parametersOf, withoutSign } from './zeebe-mapping.js';
import { warnOfZeebe } from './zeebe-warnings.js';

/** Makes an element of the model, within another one: `camunda:Script`. */
export type CreateElement = (type: string, values: object, parent: ModdleElement) => ModdleElement;

/**
 * Says in Camunda 7's words what a model says in those of Camunda 8: task definitions, called decisions and elements, scripts, mappings, collections, assignments,
 * schedules, priorities and forms. What is said in both is as Camunda 7 has it.
 */
export function translateZeebe(definitions: ModdleElement, create: CreateElement, report: Report): void {
  const translate = new Translation(create, report);
  for (const root of many(definitions, 'rootElements')) {
    if (isA(root, 'bpmn:Process')) translate.process(root);
    else translate.name(root);
    if (isA(root, 'bpmn:Message')) warnOfZeebe(root, report);
  }
}

class Translation {
  readonly #create: CreateElement;
  readonly #report: Report;

  constructor(create: CreateElement, report: Report) {
    this.#create = create;
    this.#report = report;
  }

  /** What messages, signals, errors and escalations are known by may be said in FEEL. */
  name(root: ModdleElement): void {
    for (const name of ['name', 'errorCode', 'escalationCode']) {
      const written = isA(root, 'bpmn:Interface') ? null : text(root, name);
      if (written?.startsWith('=')) root.set(name, this.#juel(root, name, withoutSign(written)));
    }
  }

  process(process: ModdleElement): void {
    for (const tag of extensions(process, 'zeebe:versionTag')) this.#set(process, 'camunda:versionTag', tag, 'value');
    this.#jobPriority(process);
    warnOfZeebe(process, this.#report);
    this.#all(process);
  }

  #all(container: ModdleElement): void {
    for (const element of many(container, 'flowElements')) {
      this.#one(element);
      this.#jobPriority(element);
      warnOfZeebe(element, this.#report);
      this.#all(element);
    }
  }

  /** What comes first among the jobs of workers. */
  #jobPriority(element: ModdleElement): void {
    for (const definition of extensions(element, 'zeebe:jobPriorityDefinition'))
      this.#set(element, 'camunda:taskPriority', definition, 'priority');
  }

  #one(element: ModdleElement): void {
    for (const definition of extensions(element, 'zeebe:taskDefinition')) this.#work(element, definition);
    for (const decision of extensions(element, 'zeebe:calledDecision')) this.#decision(element, decision);
    for (const called of extensions(element, 'zeebe:calledElement')) this.#call(element, called);
    for (const script of extensions(element, 'zeebe:script')) this.#script(element, script);
    for (const mapping of extensions(element, 'zeebe:ioMapping')) this.#mapping(element, mapping);
    this.#loop(element);
    this.#timers(element);
    this.#conditions(element);
    if (isA(element, 'bpmn:UserTask') || isA(element, 'bpmn:StartEvent')) this.#person(element);
  }

  #loop(element: ModdleElement): void {
    const loop = one(element, 'loopCharacteristics');
    if (loop === null) return;
    for (const said of extensions(loop, 'zeebe:loopCharacteristics')) {
      if (text(loop, 'camunda:collection') === null) countAsSaid(loop);
      this.#set(loop, 'camunda:collection', said, 'inputCollection');
      this.#set(loop, 'camunda:elementVariable', said, 'inputElement');
      const collection = text(said, 'outputCollection');
      if (collection !== null) this.#output(loop, collection, withoutSign(text(said, 'outputElement') ?? 'null'));
    }
  }

  /** A variable is each instance's own. */
  #output(loop: ModdleElement, collection: string, output: string): void {
    const [name, ...more] = simplePath(output) ?? [];
    loop.set(OUTPUT_COLLECTION, collection);
    if (name !== undefined && more.length === 0) loop.set(OUTPUT_VARIABLE, name);
    else loop.set(OUTPUT_ELEMENT, output);
  }

  /** What a called process gets and gives: all variables, unless it says otherwise. What output mappings take is seen by them alone. */
  #call(element: ModdleElement, called: ModdleElement): void {
    const isMappedBefore = extensions(element, 'camunda:In').length + extensions(element, 'camunda:Out').length > 0;
    this.#set(element, 'calledElement', called, 'processId');
    const expression = text(called, 'processIdExpression');
    if (expression !== null && text(element, 'calledElement') === null)
      element.set('calledElement', this.#juel(element, 'zeebe:calledElement processIdExpression', expression));
    const businessKey = text(called, 'businessId');
    if (businessKey !== null) {
      const value = businessKey.startsWith('=')
        ? this.#juel(element, 'zeebe:calledElement businessId', withoutSign(businessKey))
        : businessKey;
      this.#extend(element, 'camunda:In', { businessKey: value });
    }
    this.#bind(element, called, 'camunda:calledElement');
    this.#set(element, 'camunda:calledElementVersionTag', called, 'versionTag');
    if (isMappedBefore) return;
    const isLocal = text(called, 'propagateAllParentVariables') === 'false';
    const isMapped = extensions(element, 'zeebe:ioMapping').some((mapping) =>
      many(mapping, '$children').some(({ $type }) => $type === 'zeebe:output'),
    );
    this.#extend(element, 'camunda:In', { variables: 'all', ...(isLocal && { local: true }) });
    if (isMapped) this.#extend(element, 'camunda:Out', { variables: 'all', local: true });
    else if (text(called, 'propagateAllChildVariables') !== 'false')
      this.#extend(element, 'camunda:Out', { variables: 'all' });
  }

  #extend(element: ModdleElement, type: string, values: object): void {
    const holder = one(element, 'extensionElements');
    holder?.set('values', [...many(holder, 'values'), this.#create(type, values, element)]);
  }

  /** A timer may be said in FEEL. */
  #timers(element: ModdleElement): void {
    for (const definition of many(element, 'eventDefinitions')) {
      for (const name of ['timeDate', 'timeDuration', 'timeCycle']) {
        const time = one(definition, name);
        const written = time === null ? null : text(time, 'body');
        if (written?.startsWith('=')) time?.set('body', this.#juel(element, name, withoutSign(written)));
      }
    }
  }

  /** A condition is looked at as one variable changes, or as any does that it reads. */
  #conditions(element: ModdleElement): void {
    for (const definition of many(element, 'eventDefinitions')) {
      for (const filter of extensions(definition, 'zeebe:conditionalFilter')) {
        const names = text(filter, 'variableNames') ?? '';
        if (!/[,\s]/.test(names)) this.#set(definition, 'camunda:variableName', filter, 'variableNames');
        else
          this.#report.warn(
            element,
            `waits for '${short(names)}', but one name alone, or none, is a filter`,
            'not-executed',
          );
        this.#set(definition, 'camunda:variableEvents', filter, 'variableEvents');
      }
    }
  }

  /** What a worker is told beside variables. */
  #headers(element: ModdleElement): void {
    const headers = extensions(element, 'zeebe:taskHeaders').flatMap((holder) => many(holder, '$children'));
    if (headers.length === 0 || extensions(element, 'camunda:Properties').length > 0) return;
    const values = headers.map((header) =>
      this.#create('camunda:Property', { name: text(header, 'key'), value: text(header, 'value') ?? '' }, element),
    );
    this.#extend(element, 'camunda:Properties', { values });
  }

  #work(element: ModdleElement, definition: ModdleElement): void {
    if (text(element, 'camunda:type') !== null) return;
    element.set('camunda:type', 'external');
    this.#set(element, 'camunda:topic', definition, 'type');
    this.#headers(element);
    const retries = text(definition, 'retries')?.replace(/^=\s*(?=\d+$)/, '') ?? null;
    if (retries?.startsWith('='))
      this.#report.warn(
        element,
        `has '${short(retries)}' as retries, which is not executed: a number is`,
        'not-executed',
      );
    if (
      retries !== null &&
      /^\d+$/.test(retries) &&
      extensions(element, 'camunda:FailedJobRetryTimeCycle').length === 0
    )
      this.#extend(element, 'camunda:FailedJobRetryTimeCycle', { body: `R${retries}/PT0S` });
  }

  #decision(element: ModdleElement, decision: ModdleElement): void {
    const ref = text(decision, 'decisionId');
    if (ref === null || text(element, 'camunda:decisionRef') !== null) return;
    element.set('camunda:decisionRef', ref);
    this.#set(element, 'camunda:resultVariable', decision, 'resultVariable');
    this.#bind(element, decision, 'camunda:decisionRef');
    this.#set(element, 'camunda:decisionRefVersionTag', decision, 'versionTag');
  }

  #bind(element: ModdleElement, definition: ModdleElement, attribute: string): void {
    const binding = text(definition, 'bindingType');
    if (binding !== null) element.set(`${attribute}Binding`, binding);
  }

  #script(element: ModdleElement, script: ModdleElement): void {
    if (!isA(element, 'bpmn:ScriptTask') || text(element, 'scriptFormat') !== null) return;
    element.set('scriptFormat', 'feel');
    element.set('script', withoutSign(text(script, 'expression') ?? ''));
    this.#set(element, 'camunda:resultVariable', script, 'resultVariable');
  }

  #mapping(element: ModdleElement, mapping: ModdleElement): void {
    if (extensions(element, 'camunda:InputOutput').length > 0) return;
    const said = (kind: string) => many(mapping, '$children').filter(({ $type }) => $type === kind);
    const inputs = parametersOf(said('zeebe:input'), true);
    const outputs = parametersOf(said('zeebe:output'), false);
    this.#extend(element, 'camunda:InputOutput', {
      inputParameters: inputs.map((each) => this.#parameter(element, 'camunda:InputParameter', each)),
      outputParameters: outputs.map((each) => this.#parameter(element, 'camunda:OutputParameter', each)),
      ...(outputs.length > 0 && { [KEEPS]: true }),
    });
  }

  #parameter(element: ModdleElement, type: string, { name, part, text: value, feel }: Parameter): ModdleElement {
    const definition =
      feel === undefined ? null : this.#create('camunda:Script', { scriptFormat: 'feel', value: feel }, element);
    const given = definition === null ? { value } : { definition };
    return this.#create(type, { name, ...given, ...(part && { [PART]: part }) }, element);
  }

  #person(element: ModdleElement): void {
    for (const assignment of extensions(element, 'zeebe:assignmentDefinition'))
      for (const name of ['assignee', 'candidateUsers', 'candidateGroups'])
        this.#set(element, `camunda:${name}`, assignment, name);
    for (const schedule of extensions(element, 'zeebe:taskSchedule'))
      for (const name of ['dueDate', 'followUpDate']) this.#set(element, `camunda:${name}`, schedule, name);
    for (const priority of extensions(element, 'zeebe:priorityDefinition'))
      this.#set(element, 'camunda:priority', priority, 'priority');
    for (const form of extensions(element, 'zeebe:formDefinition')) this.#form(element, form);
  }

  /** The form is shown where no FEEL is evaluated. */
  #form(element: ModdleElement, form: ModdleElement): void {
    for (const name of ['formId', 'formKey', 'externalReference']) {
      const written = text(form, name);
      if (!written?.startsWith('=') || inJuel(withoutSign(written)) !== null) continue;
      const what = `zeebe:formDefinition with '${short(written)}' as ${name}`;
      this.#report.problem(
        element,
        `has a ${what}, but expected a value, or FEEL that is a value or a variable`,
        'zeebe-feel',
      );
    }
    this.#set(element, 'camunda:formRef', form, 'formId');
    this.#bind(element, form, 'camunda:formRef');
    this.#set(element, 'camunda:formKey', form, text(form, 'formKey') === null ? 'externalReference' : 'formKey');
  }

  /** Sets what is not said yet. */
  #set(element: ModdleElement, attribute: string, from: ModdleElement, name: string): void {
    const written = text(from, name);
    if (written === null || text(element, attribute) !== null) return;
    element.set(
      attribute,
      written.startsWith('=') ? this.#juel(element, `${from.$type} ${name}`, withoutSign(written)) : written,
    );
  }

  /** FEEL as an expression of Camunda 7: what both have is written as such, everything else is given to its function `feel`. */
  #juel(element: ModdleElement, what: string, expression: string): string {
    return (
      inJuel(expression) ?? `\${feel('${this.#report.feel(element, what, expression).replace(/[\\']/g, '\\$&')}')}`
    );
  }
}

/** Camunda 8 counts the instances of a loop from 1, and tells its completion condition how many there are by names of its own. */
function countAsSaid(loop: ModdleElement): void {
  loop.set(COUNTS_FROM_ONE, true);
  const condition = one(loop, 'completionCondition');
  const written = condition === null ? null : text(condition, 'body');
  if (written?.startsWith('=') && /numberOf(\w+)?Instances/.test(written))
    condition?.set('body', `={${COUNTERS}, result: ${withoutSign(written)}}.result`);
}

const COUNTERS =
  'numberOfInstances: nrOfInstances, numberOfActiveInstances: nrOfActiveInstances, numberOfCompletedInstances: nrOfCompletedInstances, numberOfTerminatedInstances: 0';

const LIST = /^\[\s*("[^"]*"\s*(?:,\s*"[^"]*"\s*)*)\]$/;

/** FEEL that Camunda 7's expressions have, too; null: it is more than that. */
function inJuel(expression: string): string | null {
  const constant = simpleConstant(expression);
  if (constant !== undefined) return constant.value === null ? null : String(constant.value);
  const list = LIST.exec(expression)?.[1];
  if (list !== undefined) return [...list.matchAll(/"([^"]*)"/g)].map(([, item]) => item).join(',');
  const path = simplePath(expression);
  return path === undefined ? null : `\${${path.join('.')}}`;
}
