import { loadFeelin } from '../../expression/index.js';
import type { ThreadService } from '../../shared/thread-service.js';
import { checkScripts } from '../model/compile-model.js';
import { idOf, kindOf, type ModdleElement, many, one, text } from '../model/moddle-element.js';
import { type Problem, Report, short } from '../model/report.js';
import { MODEL_LIMITS, type ModelLimits, scanXml } from '../model/scan-xml.js';
import { BoxCompiler } from './compile-box.js';
import type { Decision, DecisionModel, DecisionService, InputData, ItemType, Knowledge } from './decision-model.js';
import { readDmn } from './read-dmn.js';
import { nameOf, namesOf, TextCompiler, typeOf } from './text-compiler.js';

/** A DMN file, compiled: its model, or its problems, with warnings in either case. */
export interface ParsedDecisions {
  /** Null where there is a problem. */
  readonly model: DecisionModel | null;
  /** Why the file cannot be deployed. At most 101. */
  readonly problems: readonly Problem[];
  /** Doubts: perhaps not meant so. At most 101. */
  readonly warnings: readonly Problem[];
}

/**
 * Compiles DMN 1.1 to 1.5. Takes up to a second for large files: call it through `DecisionParser`.
 * @throws BAD_REQUEST (a DTD, a foreign entity, a reserved id), LIMIT_EXCEEDED
 */
export async function compileDecisions(source: string, limits: ModelLimits = MODEL_LIMITS): Promise<ParsedDecisions> {
  const { xml, positions } = scanXml(source.replace(/^\uFEFF/, ''), limits);
  const report = new Report(positions);
  const root = await readDmn(xml, report);
  const model = root === null ? null : compileRoot(root, report);
  await checkScripts(report);
  const { problems, warnings } = report;
  return { model: problems.length === 0 ? model : null, problems, warnings };
}

/** Compilation of DMN in its thread, as the thread's side of `DecisionParser`. */
export const inThread = (limits: ModelLimits): ThreadService<string, ParsedDecisions> => ({
  answer: async (xml) => {
    await loadFeelin();
    return compileDecisions(xml, limits);
  },
});

function compileRoot(root: ModdleElement, report: Report): DecisionModel | null {
  if (root.$type !== 'dmn:Definitions') {
    report.add(
      report.problems,
      report.placed(null, `expected definitions of DMN, but found ${kindOf(root)}`, 'dmn-xml'),
    );
    return null;
  }
  for (const it of many(root, 'import')) {
    report.problem(
      it,
      `imports '${short(text(it, 'namespace') ?? '')}', but each file is deployed by itself`,
      'dmn-import',
    );
  }
  const elements = many(root, 'drgElement').filter((element) => hasId(element, report));
  const compile = new Compile(root, elements, report);
  const model = compile.model();
  if (model.decisions.length === 0) report.warn(root, 'has no decision', 'dmn-no-decision');
  checkRounds(model, compile.elementOf, report);
  return model;
}

/** A decision is found by its id; what nobody refers to needs none. */
function hasId(element: ModdleElement, report: Report): boolean {
  const id = idOf(element);
  const isService = element.$type === 'dmn:DecisionService';
  if (element.$type !== 'dmn:Decision' && !(isService && id?.includes(':'))) return id !== null;
  if (id === null) report.problem(element, `'${short(text(element, 'name') ?? '')}' needs an id`, 'dmn-id');
  else if (id.includes(':')) report.problem(element, 'has an id with a colon, which no key may have', 'dmn-id-colon');
  return id !== null;
}

/** The elements of a file, compiled one after the other. */
class Compile {
  readonly #root: ModdleElement;
  readonly #report: Report;
  readonly #byId: ReadonlyMap<string, ModdleElement>;
  readonly #texts: TextCompiler;
  readonly #boxes: BoxCompiler;

  constructor(root: ModdleElement, elements: readonly ModdleElement[], report: Report) {
    this.#root = root;
    this.#report = report;
    this.#byId = new Map(elements.map((element) => [idOf(element) ?? '', element]));
    this.#texts = new TextCompiler(report, namesOf(root), text(root, 'expressionLanguage'));
    this.#boxes = new BoxCompiler(this.#texts);
  }

  elementOf = (id: string): ModdleElement => this.#byId.get(id) ?? this.#root;

  model(): DecisionModel {
    const of = (type: string) => [...this.#byId.values()].filter(({ $type }) => $type === `dmn:${type}`);
    const parts = {
      id: idOf(this.#root),
      name: text(this.#root, 'name'),
      names: this.#texts.names,
      types: many(this.#root, 'itemDefinition').map((element) => this.#type(element)),
      inputs: of('InputData').map((element) => this.#input(element)),
      functions: of('BusinessKnowledgeModel').map((element) => this.#knowledge(element)),
      services: of('DecisionService').flatMap((element) => this.#service(element) ?? []),
      decisions: of('Decision').map((element) => this.#decision(element)),
    };
    return { format: 1, longs: true, exact: true, ...(this.#texts.chancy && { chancy: true }), ...parts };
  }

  #type(element: ModdleElement): ItemType {
    const allowed = one(element, 'typeConstraint') ?? one(element, 'allowedValues');
    return {
      name: nameOf(element),
      type: typeOf(element),
      list: element.get('isCollection') === true,
      components: many(element, 'itemComponent').map((it) => this.#type(it)),
      allowed: allowed === null ? null : this.#texts.text(allowed, 'allowed values', 'unaryTests'),
    };
  }

  #input(element: ModdleElement): InputData {
    const variable = one(element, 'variable');
    return {
      id: idOf(element) ?? '',
      name: nameOf(variable ?? element, nameOf(element)),
      type: variable && typeOf(variable),
    };
  }

  #knowledge(element: ModdleElement): Knowledge {
    const id = idOf(element) ?? '';
    const variable = one(element, 'variable');
    const logic = one(element, 'encapsulatedLogic');
    for (const it of many(element, 'knowledgeRequirement')) this.#required(it, 'requiredKnowledge');
    const box =
      logic === null
        ? ({ kind: 'function', parameters: [], type: null, body: null } as const)
        : this.#boxes.function(logic);
    return { id, name: nameOf(variable ?? element, nameOf(element)), function: box };
  }

  /** Null, with a warning: it decides nothing, so there is nothing that can be asked for. */
  #service(element: ModdleElement): DecisionService | null {
    const refs = (name: string) => many(element, name).flatMap((it) => this.#target(it, element) ?? []);
    const inputs = refs('inputData');
    const inputDecisions = refs('inputDecision');
    const given = [...inputs, ...inputDecisions];
    const variable = one(element, 'variable');
    const outputDecisions = refs('outputDecision');
    if (outputDecisions.length === 0) {
      const sentence = 'is passed over, for it needs an output decision';
      this.#report.warn(element, sentence, 'dmn-service-output');
      return null;
    }
    return {
      id: idOf(element) ?? '',
      name: nameOf(variable ?? element, nameOf(element)),
      parameters: given.map((id) => this.#nameOfId(id)),
      types: given.map((id) => this.#typeOfId(id)),
      type: this.#resultTypeOf(variable),
      inputDecisions,
      outputDecisions,
    };
  }

  /** Of a type of functions what they give. */
  #resultTypeOf(variable: ModdleElement | null): string | null {
    const type = variable && typeOf(variable);
    const defined = many(this.#root, 'itemDefinition').find((element) => nameOf(element) === type);
    const made = defined && one(defined, 'functionItem');
    return made ? typeOf(made, 'outputTypeRef') : type;
  }

  #nameOfId(id: string): string {
    const element = this.elementOf(id);
    return nameOf(one(element, 'variable') ?? element, nameOf(element));
  }

  #typeOfId(id: string): string | null {
    const variable = one(this.elementOf(id), 'variable');
    return variable && typeOf(variable);
  }

  #decision(element: ModdleElement): Decision {
    const id = idOf(element) ?? '';
    const variable = one(element, 'variable');
    const logic = one(element, 'decisionLogic');
    for (const it of many(element, 'knowledgeRequirement')) this.#required(it, 'requiredKnowledge');
    return {
      id,
      name: text(element, 'name'),
      variable: nameOf(variable ?? element, nameOf(element)) || id,
      type: variable && typeOf(variable),
      requires: many(element, 'informationRequirement').flatMap((it) => {
        this.#required(it, 'requiredInput');
        return this.#required(it, 'requiredDecision') ?? [];
      }),
      logic: logic === null ? null : this.#boxes.box(logic),
      versionTag: text(element, 'camunda:versionTag'),
      historyTimeToLive: this.#report.timeToLive(element),
    };
  }

  #required(requirement: ModdleElement, name: string): string | null {
    const reference = one(requirement, name);
    return reference && this.#target(reference, requirement);
  }

  /** The id that a reference names, where there is an element of it. */
  #target(reference: ModdleElement, about: ModdleElement): string | null {
    const href = text(reference, 'href') ?? '';
    const id = idIn(href);
    if (this.#byId.has(id)) return id;
    this.#report.problem(
      about,
      `refers to '${short(href)}', but there is no element with that id in this file`,
      'dmn-reference',
    );
    return null;
  }
}

/** The fragment of a reference; what is not escaped as it should be is taken as it is. */
function idIn(href: string): string {
  const fragment = href.slice(href.indexOf('#') + 1).trim();
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** No decision may need itself. */
function checkRounds({ decisions }: DecisionModel, elementOf: (id: string) => ModdleElement, report: Report): void {
  const byId = new Map(decisions.map((decision) => [decision.id, decision]));
  const known = new Map<string, boolean>();
  const goesRound = (id: string, way: readonly string[]): boolean => {
    if (way.includes(id)) return true;
    const done = known.get(id);
    if (done !== undefined) return done;
    const found = (byId.get(id)?.requires ?? []).some((required) => goesRound(required, [...way, id]));
    known.set(id, found);
    return found;
  };
  const round = decisions.find(({ id }) => goesRound(id, []));
  if (round !== undefined)
    report.problem(elementOf(round.id), 'requires itself, by way of the decisions that it requires', 'dmn-cycle');
}
