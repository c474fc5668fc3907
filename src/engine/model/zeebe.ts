import { simpleConstant, simplePath } from '../../expression/index.js';
import { extensions, isA, type ModdleElement, many, one, text } from './moddle-element.js';
import { type Report, short } from './report.js';

/** Makes an element of the model, within another one: `camunda:Script`. */
export type CreateElement = (type: string, values: object, parent: ModdleElement) => ModdleElement;

/**
 * Says in Camunda 7's words what a model says in those of Camunda 8: task definitions, called decisions and elements, scripts, mappings, collections, assignments,
 * schedules, priorities and forms. What is said in both is as Camunda 7 has it.
 */
export function translateZeebe(definitions: ModdleElement, create: CreateElement, report: Report): void {
  const translate = new Translation(create, report);
  for (const root of many(definitions, 'rootElements')) if (isA(root, 'bpmn:Process')) translate.all(root);
}

class Translation {
  readonly #create: CreateElement;
  readonly #report: Report;

  constructor(create: CreateElement, report: Report) {
    this.#create = create;
    this.#report = report;
  }

  all(container: ModdleElement): void {
    for (const element of many(container, 'flowElements')) {
      this.#one(element);
      this.all(element);
    }
  }

  #one(element: ModdleElement): void {
    for (const definition of extensions(element, 'zeebe:taskDefinition')) this.#work(element, definition);
    for (const decision of extensions(element, 'zeebe:calledDecision')) this.#decision(element, decision);
    for (const called of extensions(element, 'zeebe:calledElement'))
      this.#set(element, 'calledElement', called, 'processId');
    for (const script of extensions(element, 'zeebe:script')) this.#script(element, script);
    for (const mapping of extensions(element, 'zeebe:ioMapping')) this.#mapping(element, mapping);
    this.#loop(element);
    if (isA(element, 'bpmn:UserTask') || isA(element, 'bpmn:StartEvent')) this.#person(element);
  }

  #loop(element: ModdleElement): void {
    const loop = one(element, 'loopCharacteristics');
    if (loop === null) return;
    for (const said of extensions(loop, 'zeebe:loopCharacteristics')) {
      this.#set(loop, 'camunda:collection', said, 'inputCollection');
      this.#set(loop, 'camunda:elementVariable', said, 'inputElement');
      if (text(said, 'outputCollection') !== null)
        this.#report.warn(element, 'has a zeebe:loopCharacteristics with an outputCollection, which is not collected');
    }
  }

  #work(element: ModdleElement, definition: ModdleElement): void {
    if (text(element, 'camunda:type') !== null) return;
    element.set('camunda:type', 'external');
    this.#set(element, 'camunda:topic', definition, 'type');
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
    const parts = (kind: string, type: string) =>
      many(mapping, '$children')
        .filter(({ $type }) => $type === kind)
        .map((part) => {
          const definition = this.#valueOf(element, text(part, 'source') ?? '');
          return this.#create(type, { name: text(part, 'target'), ...definition }, element);
        });
    const parameters = {
      inputParameters: parts('zeebe:input', 'camunda:InputParameter'),
      outputParameters: parts('zeebe:output', 'camunda:OutputParameter'),
    };
    const io = this.#create('camunda:InputOutput', parameters, element);
    const holder = one(element, 'extensionElements');
    holder?.set('values', [...many(holder, 'values'), io]);
  }

  /** FEEL behind an equals sign, else the text as it is. */
  #valueOf(element: ModdleElement, source: string): object {
    if (!source.startsWith('=')) return { value: source };
    const script = { scriptFormat: 'feel', value: withoutSign(source) };
    return { definition: this.#create('camunda:Script', script, element) };
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

  #form(element: ModdleElement, form: ModdleElement): void {
    this.#set(element, 'camunda:formRef', form, 'formId');
    this.#bind(element, form, 'camunda:formRef');
    this.#set(element, 'camunda:formKey', form, text(form, 'formKey') === null ? 'externalReference' : 'formKey');
  }

  /** Sets what is not said yet. FEEL may be a value that is written, or a variable: the place takes Camunda 7's expressions. */
  #set(element: ModdleElement, attribute: string, from: ModdleElement, name: string): void {
    const written = text(from, name);
    if (written === null || text(element, attribute) !== null) return;
    const translated = written.startsWith('=') ? inJuel(withoutSign(written)) : written;
    if (translated !== null) element.set(attribute, translated);
    else {
      const what = `${from.$type} with '${short(written)}' as ${name}`;
      this.#report.problem(element, `has a ${what}, but expected a value, or FEEL that is a value or a variable`);
    }
  }
}

const withoutSign = (written: string): string => written.replace(/^=/, '').trim();

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
