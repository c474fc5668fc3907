import { KEEPS, PART } from './compile-io.js';
import { WORKED } from './compile-work.js';
import { extensions, isA, type ModdleElement, many, text } from './moddle-element.js';
import { type Report, short } from './report.js';
import { translateEvent, translateName } from './zeebe-event.js';
import { showHeldForm, takeForms } from './zeebe-forms.js';
import { translateListeners } from './zeebe-listeners.js';
import { translateLoop } from './zeebe-loop.js';
import { type Parameter, parametersOf, withoutSign } from './zeebe-mapping.js';
import { warnOfZeebe } from './zeebe-warnings.js';
import { type CreateElement, inJuel, ZeebeWords } from './zeebe-words.js';

/**
 * Says in Camunda 7's words what a model says in those of Camunda 8: task definitions, called decisions and elements, scripts, mappings, collections, assignments,
 * schedules, priorities, forms and timers. What is said in both is as Camunda 7 has it. `isCamunda8`: cron expressions are those of Camunda 8.
 */
export function translateZeebe(
  definitions: ModdleElement,
  isCamunda8: boolean,
  create: CreateElement,
  report: Report,
): void {
  const words = new ZeebeWords(create, report);
  const translate = new Translation(words, isCamunda8);
  for (const root of many(definitions, 'rootElements')) {
    if (isA(root, 'bpmn:Process')) translate.process(root);
    else translateName(root, words);
    if (isA(root, 'bpmn:Message')) warnOfZeebe(root, report);
  }
}

class Translation {
  readonly #words: ZeebeWords;
  /** Whether cron expressions are those of Camunda 8. */
  readonly #isSpring: boolean;

  constructor(words: ZeebeWords, isSpring: boolean) {
    this.#words = words;
    this.#isSpring = isSpring;
  }

  process(process: ModdleElement): void {
    for (const tag of extensions(process, 'zeebe:versionTag'))
      this.#words.set(process, 'camunda:versionTag', tag, 'value');
    this.#jobPriority(process);
    translateListeners(process, this.#words);
    takeForms(process, this.#words);
    warnOfZeebe(process, this.#words.report);
    this.#all(process);
  }

  #all(container: ModdleElement): void {
    for (const element of many(container, 'flowElements')) {
      this.#one(element);
      this.#jobPriority(element);
      warnOfZeebe(element, this.#words.report);
      this.#all(element);
    }
  }

  /** What comes first among the jobs of workers. */
  #jobPriority(element: ModdleElement, worked = element): void {
    for (const definition of extensions(element, 'zeebe:jobPriorityDefinition'))
      this.#words.set(worked, 'camunda:taskPriority', definition, 'priority');
  }

  #one(element: ModdleElement): void {
    for (const definition of extensions(element, 'zeebe:taskDefinition')) this.#work(element, definition);
    for (const decision of extensions(element, 'zeebe:calledDecision')) this.#decision(element, decision);
    for (const called of extensions(element, 'zeebe:calledElement')) this.#call(element, called);
    for (const script of extensions(element, 'zeebe:script')) this.#script(element, script);
    for (const mapping of extensions(element, 'zeebe:ioMapping')) this.#mapping(element, mapping);
    translateListeners(element, this.#words);
    translateLoop(element, this.#words);
    translateEvent(element, this.#isSpring, this.#words);
    if (isA(element, 'bpmn:UserTask') || isA(element, 'bpmn:StartEvent')) this.#person(element);
  }

  /** What a called process gets and gives: all variables, unless it says otherwise. What output mappings take is seen by them alone. */
  #call(element: ModdleElement, called: ModdleElement): void {
    const isMappedBefore = extensions(element, 'camunda:In').length + extensions(element, 'camunda:Out').length > 0;
    this.#words.set(element, 'calledElement', called, 'processId');
    const expression = text(called, 'processIdExpression');
    if (expression !== null && text(element, 'calledElement') === null)
      element.set('calledElement', this.#words.juel(element, 'zeebe:calledElement processIdExpression', expression));
    const businessKey = text(called, 'businessId');
    if (businessKey !== null) {
      const value = businessKey.startsWith('=')
        ? this.#words.juel(element, 'zeebe:calledElement businessId', withoutSign(businessKey))
        : businessKey;
      this.#words.extend(element, 'camunda:In', { businessKey: value });
    }
    this.#bind(element, called, 'camunda:calledElement');
    this.#words.set(element, 'camunda:calledElementVersionTag', called, 'versionTag');
    if (isMappedBefore) return;
    const isLocal = text(called, 'propagateAllParentVariables') === 'false';
    const isMapped = extensions(element, 'zeebe:ioMapping').some((mapping) =>
      many(mapping, '$children').some(({ $type }) => $type === 'zeebe:output'),
    );
    this.#words.extend(element, 'camunda:In', { variables: 'all', ...(isLocal && { local: true }) });
    if (isMapped) this.#words.extend(element, 'camunda:Out', { variables: 'all', local: true });
    else if (text(called, 'propagateAllChildVariables') !== 'false')
      this.#words.extend(element, 'camunda:Out', { variables: 'all' });
  }

  /** What a worker is told beside variables. */
  #headers(element: ModdleElement): void {
    const headers = extensions(element, 'zeebe:taskHeaders').flatMap((holder) => many(holder, '$children'));
    if (headers.length === 0 || extensions(element, 'camunda:Properties').length > 0) return;
    const values = headers.map((header) =>
      this.#words.create(
        'camunda:Property',
        { name: text(header, 'key'), value: text(header, 'value') ?? '' },
        element,
      ),
    );
    this.#words.extend(element, 'camunda:Properties', { values });
  }

  #work(element: ModdleElement, definition: ModdleElement): void {
    const worked = messageThrownBy(element) ?? element;
    if (text(worked, 'camunda:type') !== null) return;
    worked.set('camunda:type', 'external');
    if (extensions(element, 'zeebe:script').length === 0) worked.set(WORKED, true);
    this.#words.set(worked, 'camunda:topic', definition, 'type');
    if (worked !== element) this.#jobPriority(element, worked);
    this.#headers(element);
    const retries = text(definition, 'retries')?.replace(/^=\s*(?=\d+$)/, '');
    if (!retries || extensions(element, 'camunda:FailedJobRetryTimeCycle').length > 0) return;
    if (!/^(\d+$|=)/.test(retries))
      return this.#words.report.problem(
        element,
        `has '${short(retries)}' as zeebe:taskDefinition retries, but expected a whole number or FEEL`,
        'retry-cycle',
      );
    const cycle = retries.startsWith('=')
      ? this.#words.juel(element, 'zeebe:taskDefinition retries', `"R" + string(${withoutSign(retries)}) + "/PT0S"`)
      : `R${retries}/PT0S`;
    this.#words.extend(element, 'camunda:FailedJobRetryTimeCycle', { body: cycle });
  }

  #decision(element: ModdleElement, decision: ModdleElement): void {
    const ref = text(decision, 'decisionId');
    if (ref === null || text(element, 'camunda:decisionRef') !== null) return;
    element.set('camunda:decisionRef', ref);
    this.#words.set(element, 'camunda:resultVariable', decision, 'resultVariable');
    this.#bind(element, decision, 'camunda:decisionRef');
    this.#words.set(element, 'camunda:decisionRefVersionTag', decision, 'versionTag');
  }

  #bind(element: ModdleElement, definition: ModdleElement, attribute: string): void {
    const binding = text(definition, 'bindingType');
    if (binding !== null) element.set(`${attribute}Binding`, binding);
  }

  #script(element: ModdleElement, script: ModdleElement): void {
    if (!isA(element, 'bpmn:ScriptTask') || text(element, 'scriptFormat') !== null) return;
    element.set('scriptFormat', 'feel');
    element.set('script', withoutSign(text(script, 'expression') ?? ''));
    this.#words.set(element, 'camunda:resultVariable', script, 'resultVariable');
  }

  #mapping(element: ModdleElement, mapping: ModdleElement): void {
    if (extensions(element, 'camunda:InputOutput').length > 0) return;
    const said = (kind: string) => many(mapping, '$children').filter(({ $type }) => $type === kind);
    const inputs = parametersOf(said('zeebe:input'), true);
    const outputs = parametersOf(said('zeebe:output'), false);
    this.#words.extend(element, 'camunda:InputOutput', {
      inputParameters: inputs.map((each) => this.#parameter(element, 'camunda:InputParameter', each)),
      outputParameters: outputs.map((each) => this.#parameter(element, 'camunda:OutputParameter', each)),
      ...(outputs.length > 0 && { [KEEPS]: true }),
    });
  }

  #parameter(element: ModdleElement, type: string, { name, part, text: value, feel }: Parameter): ModdleElement {
    const definition =
      feel === undefined ? null : this.#words.create('camunda:Script', { scriptFormat: 'feel', value: feel }, element);
    const given = definition === null ? { value } : { definition };
    return this.#words.create(type, { name, ...given, ...(part && { [PART]: part }) }, element);
  }

  #person(element: ModdleElement): void {
    for (const assignment of extensions(element, 'zeebe:assignmentDefinition'))
      for (const name of ['assignee', 'candidateUsers', 'candidateGroups'])
        this.#words.set(element, `camunda:${name}`, assignment, name);
    for (const schedule of extensions(element, 'zeebe:taskSchedule'))
      for (const name of ['dueDate', 'followUpDate'])
        this.#words.setOptional(element, `camunda:${name}`, schedule, name);
    for (const priority of extensions(element, 'zeebe:priorityDefinition'))
      this.#words.set(element, 'camunda:priority', priority, 'priority');
    for (const form of extensions(element, 'zeebe:formDefinition')) this.#form(element, form);
  }

  /** The form is shown where no FEEL is evaluated. */
  #form(element: ModdleElement, form: ModdleElement): void {
    for (const name of ['formId', 'formKey', 'externalReference']) {
      const written = text(form, name);
      if (!written?.startsWith('=') || inJuel(withoutSign(written)) !== null) continue;
      const what = `zeebe:formDefinition with '${short(written)}' as ${name}`;
      this.#words.report.problem(
        element,
        `has a ${what}, but expected a value, or FEEL that is a value or a variable`,
        'zeebe-feel',
      );
    }
    showHeldForm(element, form, this.#words);
    this.#words.set(element, 'camunda:formRef', form, 'formId');
    this.#bind(element, form, 'camunda:formRef');
    this.#words.set(element, 'camunda:formKey', form, text(form, 'formKey') === null ? 'externalReference' : 'formKey');
  }
}

/** The definition of the message that an event throws: it says how that is done. */
const messageThrownBy = (event: ModdleElement): ModdleElement | undefined =>
  isA(event, 'bpmn:ThrowEvent')
    ? many(event, 'eventDefinitions').find((definition) => isA(definition, 'bpmn:MessageEventDefinition'))
    : undefined;
