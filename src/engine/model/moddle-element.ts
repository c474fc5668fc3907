/** An element of the parsed document, as bpmn-moddle gives it. Its values are read by the functions of this file alone. */
export interface ModdleElement {
  /** The name with bpmn-moddle's own prefix: `bpmn:UserTask`, `camunda:InputOutput`. */
  readonly $type: string;
  readonly $parent?: ModdleElement;
  readonly $instanceOf?: (type: string) => boolean;
  /** `idProperty`: which of its properties is its id. */
  readonly $descriptor: { readonly idProperty?: { readonly name: string } };
  get(name: string): unknown;
  set(name: string, value: unknown): void;
}

/** An attribute or text child, without the white space around it; null when absent or empty. */
export function text(element: ModdleElement, name: string): string | null {
  const value = element.get(name);
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return null;
  return value.trim() === '' ? null : value.trim();
}

/** Text as it was written, a script's for example; null when absent or white space alone. */
export function raw(element: ModdleElement, name: string): string | null {
  const value = element.get(name);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** A boolean attribute; absent: its default, else false. */
export const flag = (element: ModdleElement, name: string): boolean => element.get(name) === true;

/** A number attribute; null when absent. */
export function number(element: ModdleElement, name: string): number | null {
  const value = element.get(name);
  return typeof value === 'number' ? value : null;
}

/** A child, or the element that a reference leads to; null when absent. */
export function one(element: ModdleElement, name: string): ModdleElement | null {
  const value = element.get(name);
  return isElement(value) ? value : null;
}

/** Children, or what references lead to, in document order. */
export function many(element: ModdleElement, name: string): readonly ModdleElement[] {
  const value = element.get(name);
  return Array.isArray(value) ? value.filter(isElement) : [];
}

/** The extension elements of a type, in document order. */
export function extensions(element: ModdleElement, type: string): readonly ModdleElement[] {
  const holder = one(element, 'extensionElements');
  return holder === null ? [] : many(holder, 'values').filter((value) => value.$type === type);
}

/** The text of an expression; null when there is no expression or it is empty. */
export const body = (element: ModdleElement | null): string | null => (element === null ? null : text(element, 'body'));

export const idOf = (element: ModdleElement): string | null => text(element, 'id');

/** Whether it is a `type` or one of its kinds. Elements of foreign namespaces are nothing but themselves. */
export const isA = (element: ModdleElement, type: string): boolean => element.$instanceOf?.(type) ?? false;

/** All documentation texts; null when there is none. */
export function documentation(element: ModdleElement): string | null {
  const texts = many(element, 'documentation').flatMap((entry) => text(entry, 'text') ?? []);
  return texts.length === 0 ? null : texts.join('\n');
}

/** The name in BPMN's spelling, with a small first letter: `userTask`. */
export function kindOf(element: ModdleElement): string {
  const local = element.$type.slice(element.$type.indexOf(':') + 1);
  return local.charAt(0).toLowerCase() + local.slice(1);
}

const isElement = (value: unknown): value is ModdleElement =>
  typeof value === 'object' && value !== null && '$type' in value && typeof value.$type === 'string';
