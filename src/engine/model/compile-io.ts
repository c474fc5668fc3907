import { compileScriptElement } from './compile-source.js';
import { variableName } from './compile-work.js';
import { extensions, flag, type ModdleElement, many, one, text } from './moddle-element.js';
import type { Element, Mapping, MappingValue } from './program.js';
import type { Report } from './report.js';

/** Where a mapping has what is said in Camunda 8's words: that results stay inside, and the path to the part of a variable that is set. */
export const KEEPS = 'millrace:keeps';
export const PART = 'millrace:part';

/** `camunda:inputOutput` of an activity or event; null when there is none. */
export function compileIo(element: ModdleElement, report: Report): Element['io'] {
  const [mapping, more] = extensions(element, 'camunda:InputOutput');
  if (mapping === undefined) return null;
  if (more !== undefined) report.problem(element, 'has more than one camunda:inputOutput', 'io-single');
  if (element.$type === 'bpmn:Process')
    report.problem(element, 'has a camunda:inputOutput, which a process cannot have', 'io-process');
  if (element.$type.endsWith('Gateway'))
    report.problem(element, 'has a camunda:inputOutput, which a gateway cannot have', 'io-gateway');
  const outputs = mappings(mapping, 'outputParameters', report);
  const keeps = flag(mapping, KEEPS);
  if (element.$type === 'bpmn:EndEvent' && outputs.length > 0 && !keeps) {
    report.problem(element, 'has a camunda:outputParameter, which an end event cannot have', 'io-end-output');
  }
  return { inputs: mappings(mapping, 'inputParameters', report), outputs, ...(keeps && { keeps }) };
}

function mappings(mapping: ModdleElement, kind: string, report: Report): readonly Mapping[] {
  return many(mapping, kind).flatMap((parameter) => {
    const name = variableName(parameter, 'name', report);
    if (name === null) {
      report.problem(parameter, `has a parameter without a name in its camunda:inputOutput`, 'io-parameter-name');
      return [];
    }
    const path = text(parameter, PART)?.split('.');
    return [{ name, ...(path && { path }), value: mappingValue(parameter, report) }];
  });
}

/** The value of a parameter or of a map's entry: a list, map or script within it, else its text. */
function mappingValue(holder: ModdleElement, report: Report): MappingValue {
  const definition = one(holder, 'definition');
  return definition === null ? textOf(holder, report) : definitionOf(definition, report);
}

function definitionOf(definition: ModdleElement, report: Report): MappingValue {
  switch (definition.$type) {
    case 'camunda:List':
      return { kind: 'list', items: many(definition, 'items').map((item) => definitionOf(item, report)) };
    case 'camunda:Map':
      return { kind: 'map', entries: many(definition, 'entries').flatMap((entry) => entryOf(entry, report)) };
    case 'camunda:Script':
      return compileScriptElement(definition, 'script', report) ?? { kind: 'null' };
    default:
      return textOf(definition, report);
  }
}

function entryOf(entry: ModdleElement, report: Report): readonly { key: string; value: MappingValue }[] {
  const key = variableName(entry, 'key', report);
  if (key === null)
    report.problem(entry, 'has a camunda:entry without a key in its camunda:inputOutput', 'io-entry-key');
  return key === null ? [] : [{ key: report.expression(entry, 'key', key), value: mappingValue(entry, report) }];
}

function textOf(holder: ModdleElement, report: Report): MappingValue {
  const value = text(holder, 'value');
  return value === null
    ? { kind: 'null' }
    : { kind: 'expression', text: report.expression(holder, 'parameter', value) };
}
