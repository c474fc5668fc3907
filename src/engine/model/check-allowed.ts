import { nearest } from '../../shared/nearest.js';
import { ALLOWED, LETTERS_MAX, type Verdict, verdictsOf } from './allow-list.js';
import { CAMUNDA_NAMESPACES, DRAWING_NAMESPACES } from './namespaces.js';
import { type Report, short, words } from './report.js';
import type { WarningRule } from './rules.js';
import type { XmlTag } from './scan-xml.js';

const BPMN = 'http://www.omg.org/spec/BPMN/20100524/MODEL';

type Verdicts = ReadonlyMap<string, Verdict>;

const VERDICTS: ReadonlyMap<string, Verdicts> = new Map(
  Object.entries(ALLOWED).map(([name, allowed]) => [name, verdictsOf(allowed)]),
);

/** Warns of all in the executable processes that is not executed, at its place. What holds a part that is passed over is told once. */
export function checkAllowed(tags: readonly XmlTag[], report: Report): void {
  const check = new Check(tags, report);
  for (const at of tags.keys()) check.tag(at);
}

/** A tag with its names resolved. */
interface Seen {
  /** Prefix to namespace, as in force within. */
  readonly namespaces: ReadonlyMap<string, string>;
  /** BPMN's name, or Camunda's with `camunda:`; null: another vendor's. */
  readonly name: string | null;
  /** Of what it holds; null: nothing within is looked at. */
  readonly verdicts: Verdicts | null;
}

class Check {
  readonly #tags: readonly XmlTag[];
  readonly #report: Report;
  readonly #seen: Seen[] = [];
  /** Told once: the vendors' namespaces, and an element's children of one name. */
  readonly #told = new Set<string>();

  constructor(tags: readonly XmlTag[], report: Report) {
    this.#tags = tags;
    this.#report = report;
  }

  /** Tags are taken in document order. */
  tag(at: number): void {
    const tag = this.#tags[at];
    if (tag === undefined) return;
    const namespaces = declaredIn(tag, this.#seen[tag.parent]?.namespaces ?? NO_NAMESPACES);
    const { namespace, local } = resolved(tag.name, namespaces);
    const name = nameOf(namespace, local);
    const verdicts = this.#verdicts(at, name, namespace);
    this.#seen.push({ namespaces, name, verdicts });
    if (name === 'association') this.#ends(at);
    if (verdicts !== null && name !== 'extensionElements') this.#attributes(at, namespaces, verdicts);
  }

  /** The verdicts on what the tag holds, once there is one on itself. */
  #verdicts(at: number, name: string | null, namespace: string): Verdicts | null {
    const tag = this.#tags[at];
    const around = tag && this.#seen[tag.parent];
    if (tag === undefined || around === undefined) return null;
    if (around.name === 'definitions') return isRoot(name, tag) ? (VERDICTS.get(name ?? '') ?? null) : null;
    if (around.verdicts === null) return null;
    this.#single(tag, name);
    // What extends an element is judged as that element's own.
    if (name === 'extensionElements') return around.verdicts;
    if (name !== null) return this.#child(tag, name, { name: around.name, verdicts: around.verdicts });
    this.#foreign(at, tag.offset, namespace);
    return null;
  }

  /** The parser takes the last one. */
  #single(tag: XmlTag, name: string | null): void {
    if (name === null || !SINGLE.has(name)) return;
    const thing = `${tag.parent} single ${LOOPS.has(name) ? 'loop' : name}`;
    if (!this.#told.has(thing)) return void this.#told.add(thing);
    const { elementId, label } = this.#owner(tag.parent);
    const found = `${label} has <${tag.name}>, but only one ${LOOPS.has(name) ? 'loop' : `<${name}>`} may stand there`;
    this.#report.problemAt(tag.offset, elementId, found, 'child-single');
  }

  /** Its file is of no use to Camunda either. */
  #ends(at: number): void {
    const { elementId, label } = this.#owner(at);
    const { offset = 0, attributes = [] } = this.#tags[at] ?? {};
    const says = (attribute: string) => attributes.some(({ name, value }) => name === attribute && value.trim() !== '');
    for (const end of ['sourceRef', 'targetRef'].filter((each) => !says(each))) {
      const sentence = says('id') ? `has no ${end}` : `has an association without a ${end}`;
      this.#report.problemAt(offset, elementId, `${label} ${sentence}`, 'association-end');
    }
  }

  #child(tag: XmlTag, name: string, around: { readonly name: string | null; readonly verdicts: Verdicts }) {
    const verdict = around.verdicts.get(`<${name}>`);
    const thing = `${tag.parent} ${name}`;
    if (isTold(verdict) && !this.#told.has(thing)) {
      this.#told.add(thing);
      const found = { offset: tag.offset, name: `<${name}>`, shown: `<${tag.name}>` };
      this.#warn(tag.parent, { ...found, verdict, among: around.verdicts });
    }
    if (verdict?.kind !== 'runs') return null;
    return VERDICTS.get(`${around.name}/${name}`) ?? VERDICTS.get(name) ?? NOTHING;
  }

  #attributes(at: number, namespaces: Seen['namespaces'], among: Verdicts): void {
    for (const { name: shown, value, offset } of this.#tags[at]?.attributes ?? []) {
      if (/^xml(ns)?(:|$)/.test(shown)) continue;
      // An attribute without a prefix is its element's.
      const own = shown.includes(':') ? resolved(shown, namespaces) : { namespace: BPMN, local: shown };
      const name = nameOf(own.namespace, own.local);
      const verdict = among.get(`${name}=${value.trim()}`) ?? among.get(name ?? '');
      if (name === null) this.#foreign(at, offset, own.namespace);
      else if (isTold(verdict)) this.#warn(at, { offset, name, shown, verdict, among });
    }
  }

  /** `holder`: the tag that has it. */
  #warn(holder: number, found: Found): void {
    if (this.#report.hasAllWarnings) return;
    const { elementId, label } = this.#owner(holder);
    this.#report.warnAt(
      found.offset,
      elementId,
      `${label} has ${short(found.shown)}, ${reasonOf(found)}`,
      ruleOf(found),
    );
  }

  #foreign(at: number, offset: number, namespace: string): void {
    if (DRAWING_NAMESPACES.has(namespace) || namespace === ZEEBE || this.#told.has(namespace)) return;
    this.#told.add(namespace);
    const { elementId } = this.#owner(at);
    const message = `extensions of '${short(namespace)}' are not executed; this is the first of them`;
    this.#report.warnAt(offset, elementId, message, 'foreign-extension');
  }

  /** The innermost element around that people know by its id: parts of events have ids too. */
  #owner(at: number): { elementId: string | null; label: string } {
    for (let index = at; index >= 0; index = this.#tags[index]?.parent ?? -1) {
      const { name } = this.#seen[index] ?? {};
      const tag = this.#tags[index];
      const id = tag?.attributes.find((attribute) => attribute.name === 'id')?.value.trim();
      const kind = name ?? tag?.name.replace(/^.*:/, '') ?? '';
      if (!id || kind.endsWith('EventDefinition') || kind.startsWith('camunda:')) continue;
      return { elementId: id, label: `${words(kind)} '${id}'` };
    }
    return { elementId: null, label: 'the model' };
  }
}

/** Something that is not executed. */
interface Found {
  readonly offset: number;
  /** As in the list. */
  readonly name: string;
  /** As it is written. */
  readonly shown: string;
  /** Undefined: it is not in the list. */
  readonly verdict: Verdict | undefined;
  /** Names that could stand there. */
  readonly among: Verdicts;
}

/** The rule that what was found breaks. */
function ruleOf({ name, verdict }: Found): WarningRule {
  if (verdict?.kind === 'warned') return 'not-executed';
  return KNOWN.has(name) ? 'no-effect' : 'unknown-name';
}

function reasonOf({ name, verdict, among }: Found): string {
  if (verdict?.kind === 'warned') return verdict.reason;
  if (KNOWN.has(name)) return 'which has no effect there';
  const candidates = [...among.keys()].filter(
    (each) => !each.includes('=') && each.startsWith('<') === name.startsWith('<'),
  );
  const meant = nearest(name, candidates, LETTERS_MAX);
  return `which is not known${meant === undefined ? '' : `; the nearest is ${meant}`}`;
}

/** All that means something somewhere: in the wrong place it is no slip of the pen. */
const KNOWN: ReadonlySet<string> = new Set([...VERDICTS.values()].flatMap((verdicts) => [...verdicts.keys()]));

const LOOPS: ReadonlySet<string> = new Set(['standardLoopCharacteristics', 'multiInstanceLoopCharacteristics']);

/** Elements of which BPMN lets one stand in another. */
const SINGLE: ReadonlySet<string> = new Set([
  ...LOOPS,
  ...['extensionElements', 'ioSpecification', 'script', 'condition', 'conditionExpression', 'completionCondition'],
  ...['activationCondition', 'loopCondition', 'loopCardinality', 'timeDate', 'timeDuration', 'timeCycle'],
]);

const NOTHING: Verdicts = new Map();
const NO_NAMESPACES: ReadonlyMap<string, string> = new Map();

const isTold = (verdict: Verdict | undefined): boolean => verdict === undefined || verdict.kind === 'warned';

function isRoot(name: string | null, { attributes }: XmlTag): boolean {
  if (name !== 'process') return /^(message|signal|error|escalation|\w+EventDefinition)$/.test(name ?? '');
  return attributes.some((attribute) => attribute.name === 'isExecutable' && attribute.value.trim() === 'true');
}

function declaredIn({ attributes }: XmlTag, around: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const declared = attributes.filter(({ name }) => name === 'xmlns' || name.startsWith('xmlns:'));
  if (declared.length === 0) return around;
  return new Map([...around, ...declared.map(({ name, value }) => [name.slice(6), value] as const)]);
}

function resolved(name: string, namespaces: ReadonlyMap<string, string>): { namespace: string; local: string } {
  const colon = name.indexOf(':');
  const prefix = name.slice(0, Math.max(0, colon));
  return { namespace: namespaces.get(prefix) ?? prefix, local: name.slice(colon + 1) };
}

function nameOf(namespace: string, local: string): string | null {
  if (namespace === BPMN) return local;
  return CAMUNDA_NAMESPACES.has(namespace) ? `camunda:${local}` : null;
}

/** The namespace in which Camunda 8's models say what to do. */
const ZEEBE = 'http://camunda.org/schema/zeebe/1.0';

/** Says that a model is made for Camunda 8, which has another dialect: first of all where it is refused, for then that is mostly why. */
export function tellCamunda8(tags: readonly XmlTag[], report: Report): void {
  const [root] = tags;
  if (root === undefined || !isCamunda8(tags)) return;
  const message =
    "this is a Camunda 8 model: of zeebe's extensions, task definitions and headers, called decisions and elements, scripts, mappings, collections, assignments, schedules, priorities, version tags and forms are executed, others are told of";
  const list = report.problems.length > 0 ? report.problems : report.warnings;
  list.unshift({ ...report.placeAt(root.offset), elementId: null, message, rule: 'camunda-8' });
}

/** Whether the model is made for Camunda 8: as the modeler marks it; else by the namespace. */
export function isCamunda8([root]: readonly XmlTag[]): boolean {
  const { attributes } = root ?? { attributes: [] };
  const platform = attributes.find(({ name }) => /(^|:)executionPlatform$/.test(name))?.value;
  if (platform !== undefined) return /cloud|camunda 8/i.test(platform);
  return attributes.some(({ name, value }) => name.startsWith('xmlns') && value === ZEEBE);
}
