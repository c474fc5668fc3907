import { isReservedName } from '../../shared/sound-text.js';
import { compileScript, feelSource, isExecuted } from './compile-source.js';
import type { Data, DataTable } from './data-table.js';
import { body, idOf, type ModdleElement, many, one, raw, text } from './moddle-element.js';
import type { Node } from './nodes.js';
import type { Mapping, MappingValue, Source } from './program.js';
import { isLiteral, type Report, short } from './report.js';

/** A data association that does something. */
export interface Association {
  readonly node: Node;
  /** Whether it says no transformation and no assignment. */
  readonly isDrawn: boolean;
  readonly direction: 'input' | 'output';
  readonly mappings: readonly Mapping[];
  /** What is copied; null: its mappings are more than a copy. */
  readonly copies: Data | null;
  readonly sources: readonly Data[];
  readonly targets: readonly Data[];
}

/**
 * The associations of a process that do something: those with a transformation or assignments, and those that copy from or to what has a type, or is written by another one.
 * All others are drawings, as they are in Camunda.
 */
export function compileAssociations(nodes: readonly Node[], table: DataTable, report: Report): readonly Association[] {
  const all = nodes.flatMap((node) => [
    ...many(node.element, 'dataInputAssociations').map((it) => read(node, 'input', it, { table, report })),
    ...many(node.element, 'dataOutputAssociations').map((it) => read(node, 'output', it, { table, report })),
  ]);
  const writing = all.filter(({ mappings, copies }) => mappings.length > 0 && copies === null);
  const written = new Set(writing.flatMap(({ targets }) => targets));
  const isLive = (data: Data) => data.declared !== null || written.has(data);
  const running = all.filter(
    (it) => writing.includes(it) || (it.copies !== null && [...it.sources, ...it.targets].some(isLive)),
  );
  for (const { element } of new Set(all.filter((it) => it.isDrawn && !running.includes(it)).map(({ node }) => node)))
    report.warn(element, `has a data association that is only drawn, ${DRAWN}`, 'data-association-drawn');
  return running;
}

const DRAWN = 'for its ends are of no type, and it says no transformation and no assignment';

interface Reading {
  readonly table: DataTable;
  readonly report: Report;
}

function read(
  node: Node,
  direction: Association['direction'],
  association: ModdleElement,
  { table, report }: Reading,
): Association {
  const sources = many(association, 'sourceRef').flatMap((each) => table.get(each) ?? []);
  const target = table.get(one(association, 'targetRef') as ModdleElement);
  const common = { node, direction, sources };
  const transformation = one(association, 'transformation');
  const assignments = many(association, 'assignment');
  const written = [
    ...(transformation === null ? [] : transformed(node, transformation, target, report)),
    ...assignments.flatMap((each) => assigned(node, each, target, { table, report })),
  ];
  if (transformation !== null || assignments.length > 0) {
    const targets = written.flatMap(({ data }) => data ?? []);
    return { ...common, isDrawn: false, mappings: written.map(({ mapping }) => mapping), copies: null, targets };
  }
  const [source, more] = sources;
  if (source === undefined || target === undefined || source === target || more !== undefined)
    return { ...common, isDrawn: true, mappings: [], copies: null, targets: [] };
  const value: MappingValue = { kind: 'variable', name: source.name };
  return { ...common, isDrawn: true, mappings: [{ name: target.name, value }], copies: source, targets: [target] };
}

interface Written {
  readonly mapping: Mapping;
  /** What it is written to, where that is data of the model. */
  readonly data: Data | undefined;
}

function transformed(node: Node, transformation: ModdleElement, target: Data | undefined, report: Report): Written[] {
  const value = sourceOf(node, transformation, target, report);
  if (value === null) return [];
  if (target !== undefined) return [{ mapping: { name: target.name, value }, data: target }];
  report.warn(
    node.element,
    'has a data association with a transformation, but nothing that takes what it gives',
    'data-transformation',
  );
  return [];
}

/** A name, or names that lead into a value; perhaps as an expression. */
const PATH = /^[\p{L}_$][\p{L}\p{N}_$-]*(?:\.[\p{L}_$][\p{L}\p{N}_$-]*)*$/u;

function assigned(
  node: Node,
  assignment: ModdleElement,
  target: Data | undefined,
  { table, report }: Reading,
): Written[] {
  const from = one(assignment, 'from');
  if (from === null || body(from) === null) {
    report.problem(node.element, 'has a data association with an assignment from nothing', 'data-assignment-from');
    return [];
  }
  const to = (body(one(assignment, 'to')) ?? '').replace(/^(?:=|[$#]\{([^{}]*)\}$)\s*/, '$1').trim();
  const known = [...table].find(([element]) => idOf(element) === to)?.[1];
  const whole = known ?? (to === '' ? target : undefined);
  const place =
    whole === undefined ? placeNamed(node, to, { table, report }) : { name: whole.name, path: [], data: whole };
  if (place === null) return [];
  const { name, path, data } = place;
  const value = sourceOf(node, from, path.length === 0 ? data : undefined, report);
  return value === null ? [] : [{ mapping: { name, value, ...(path.length > 0 && { path }) }, data }];
}

/** Null, with a problem: it is no name, and no path of names. */
function placeNamed({ element }: Node, to: string, { table, report }: Reading) {
  if (!PATH.test(to) || to.split('.').some(isReservedName)) {
    const found = to === '' ? 'to nothing' : `to '${short(to)}'`;
    const expected = "a variable's name, or a path of names";
    report.problem(
      element,
      `has a data association with an assignment ${found}, but expected ${expected}`,
      'data-assignment',
    );
    return null;
  }
  const [name = '', ...path] = to.split('.');
  return { name, path, data: [...table.values()].find((data) => data.name === name) };
}

function sourceOf(
  { element }: Node,
  expression: ModdleElement,
  target: Data | undefined,
  report: Report,
): Source | null {
  const what = 'data association';
  const language = text(expression, 'language');
  const written = body(expression) ?? '';
  // A vendor's own, named by its address: in Camunda all associations are drawings.
  if (language?.includes(':') && !isExecuted(language)) {
    const sentence = `has a data association in '${short(language)}', which is not executed`;
    report.warn(element, sentence, 'data-association-language');
    return null;
  }
  if (language !== null)
    return compileScript({ about: element, what, language, text: raw(expression, 'body') }, report);
  if (written.startsWith('=')) return feelSource(element, what, written.slice(1), report);
  return { kind: 'expression', text: report.expression(element, what, literalFor(target, written)) };
}

const SCALAR = {
  Integer: /^-?\d{1,9}$/,
  Long: /^-?\d{1,15}$/,
  Double: /^-?\d+(?:\.\d+)?$/,
  Boolean: /^(?:true|false)$/,
};

/** What is written for a number or for true and false is one, not its text. */
function literalFor(target: Data | undefined, written: string): string {
  const pattern = Object.entries(SCALAR).find(([type]) => type === target?.declared?.type)?.[1];
  return isLiteral(written) && pattern?.test(written) ? `\${${written}}` : written;
}
