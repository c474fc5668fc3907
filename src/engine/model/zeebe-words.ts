import { simpleConstant, simplePath } from '../../expression/index.js';
import { type ModdleElement, many, one, text } from './moddle-element.js';
import type { Report } from './report.js';
import { withoutSign } from './zeebe-mapping.js';

/** Makes an element of the model, within another one: `camunda:Script`. */
export type CreateElement = (type: string, values: object, parent: ModdleElement) => ModdleElement;

/** Writes Camunda 7's words into a model. */
export class ZeebeWords {
  readonly create: CreateElement;
  readonly report: Report;

  constructor(create: CreateElement, report: Report) {
    this.create = create;
    this.report = report;
  }

  /** Sets what is not said yet. */
  set(element: ModdleElement, attribute: string, from: ModdleElement, name: string): void {
    const written = text(from, name);
    if (written === null || text(element, attribute) !== null) return;
    element.set(
      attribute,
      written.startsWith('=') ? this.juel(element, `${from.$type} ${name}`, withoutSign(written)) : written,
    );
  }

  /** As {@link set}, of what may be left out: what FEEL names need not be there. */
  setOptional(element: ModdleElement, attribute: string, from: ModdleElement, name: string): void {
    const written = text(from, name) ?? '';
    const expression = withoutSign(written);
    if (!written.startsWith('=') || simplePath(expression) === undefined) this.set(element, attribute, from, name);
    else if (text(element, attribute) === null) element.set(attribute, `\${feel('${expression}')}`);
  }

  /** Adds an extension element. */
  extend(element: ModdleElement, type: string, values: object): void {
    let holder = one(element, 'extensionElements');
    if (holder === null) {
      holder = this.create('bpmn:ExtensionElements', { values: [] }, element);
      element.set('extensionElements', holder);
    }
    holder.set('values', [...many(holder, 'values'), this.create(type, values, element)]);
  }

  /** FEEL as an expression of Camunda 7: what both have is written as such, everything else is given to its function `feel`. */
  juel(element: ModdleElement, what: string, expression: string): string {
    return inJuel(expression) ?? `\${feel('${this.report.feel(element, what, expression).replace(/[\\']/g, '\\$&')}')}`;
  }
}

const LIST = /^\[\s*("[^"]*"\s*(?:,\s*"[^"]*"\s*)*)\]$/;

/** FEEL that Camunda 7's expressions have, too; null: it is more than that. */
export function inJuel(expression: string): string | null {
  const constant = simpleConstant(expression);
  if (constant !== undefined) return constant.value === null ? null : String(constant.value);
  const list = LIST.exec(expression)?.[1];
  if (list !== undefined) return [...list.matchAll(/"([^"]*)"/g)].map(([, item]) => item).join(',');
  const path = simplePath(expression);
  return path === undefined ? null : `\${${path.join('.')}}`;
}
