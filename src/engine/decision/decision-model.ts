import type { FeelShape } from '../../expression/index.js';

/**
 * A DMN file, compiled: an immutable table of what it decides. Plain JSON, made once per deployment. Elements are named by their ids, values by their
 * names, in which spaces count once.
 */
export interface DecisionModel {
  /** Written by every compiler. */
  readonly format: 1;
  /** Whether whole numbers are of type Long where nothing says another one, as in Camunda. Absent: a former version compiled it, they are Integers. */
  readonly longs?: true;
  /** Whether a context has all that its type names, and a service is given all that it expects. Absent: a former version compiled it, what is left out is null. */
  readonly exact?: true;
  /** Whether one of its texts may call a function that tells something else each time. */
  readonly chancy?: true;
  readonly id: string | null;
  readonly name: string | null;
  /** Names with spaces or signs in them: whoever reads its FEEL has to know them. */
  readonly names: FeelShape;
  readonly types: readonly ItemType[];
  readonly inputs: readonly InputData[];
  readonly functions: readonly Knowledge[];
  readonly services: readonly DecisionService[];
  readonly decisions: readonly Decision[];
}

/** DMN's item definition: a named type. */
export interface ItemType {
  readonly name: string;
  readonly type: string | null;
  readonly list: boolean;
  readonly components: readonly ItemType[];
  /** Unary tests; null: every value of the type. */
  readonly allowed: Text | null;
}

export interface InputData {
  readonly id: string;
  readonly name: string;
  readonly type: string | null;
}

/** A business knowledge model: a function. */
export interface Knowledge {
  readonly id: string;
  readonly name: string;
  readonly function: FunctionBox;
}

/** Decisions that are called as a function: what it is given are its inputs, then its input decisions. */
export interface DecisionService {
  readonly id: string;
  readonly name: string;
  readonly parameters: readonly string[];
  /** Those of the parameters. Absent: a former version compiled it. */
  readonly types?: readonly (string | null)[];
  /** That of its result. */
  readonly type?: string | null;
  /** Ids. */
  readonly inputDecisions: readonly string[];
  readonly outputDecisions: readonly string[];
}

/** What of a file can be asked for by its id: decisions, and services. */
export const askedOf = ({
  decisions,
  services,
}: DecisionModel): readonly Pick<Decision, 'id' | 'name' | 'versionTag' | 'historyTimeToLive'>[] => [
  ...decisions,
  ...services.map(({ id, name }) => ({ id, name, versionTag: null, historyTimeToLive: null })),
];

export interface Decision {
  readonly id: string;
  readonly name: string | null;
  /** The name of its result. */
  readonly variable: string;
  readonly type: string | null;
  /** The ids of the decisions that it requires. */
  readonly requires: readonly string[];
  readonly logic: Box | null;
  readonly versionTag: string | null;
  /** As written. */
  readonly historyTimeToLive: string | null;
}

export type Language = 'feel' | 'juel' | 'javascript';

/** An expression as it is written. */
export interface Text {
  readonly language: Language;
  readonly text: string;
}

/** Boxed expressions (DMN 1.5, chapter 10). */
export type Box =
  | { readonly kind: 'literal'; readonly text: Text | null; readonly type: string | null }
  | TableBox
  | { readonly kind: 'context'; readonly entries: readonly ContextEntry[] }
  | { readonly kind: 'list'; readonly items: readonly Box[] }
  | { readonly kind: 'relation'; readonly columns: readonly string[]; readonly rows: readonly (readonly Box[])[] }
  | FunctionBox
  | { readonly kind: 'invocation'; readonly called: Box; readonly bindings: readonly Binding[] }
  | { readonly kind: 'conditional'; readonly if: Box; readonly met: Box; readonly unmet: Box }
  | { readonly kind: 'filter'; readonly in: Box; readonly match: Box }
  | { readonly kind: 'for' | 'some' | 'every'; readonly variable: string; readonly in: Box; readonly each: Box };

/** Without a name: the value of the whole context. */
interface ContextEntry {
  readonly name: string | null;
  readonly type: string | null;
  readonly value: Box;
}

interface Binding {
  readonly name: string;
  readonly value: Box;
}

export interface FunctionBox {
  readonly kind: 'function';
  readonly parameters: readonly { readonly name: string; readonly type: string | null }[];
  readonly type: string | null;
  readonly body: Box | null;
}

export type HitPolicy = 'UNIQUE' | 'FIRST' | 'PRIORITY' | 'ANY' | 'COLLECT' | 'RULE ORDER' | 'OUTPUT ORDER';

export type Aggregation = 'SUM' | 'MIN' | 'MAX' | 'COUNT';

export interface TableBox {
  readonly kind: 'table';
  readonly hitPolicy: HitPolicy;
  readonly aggregation: Aggregation | null;
  readonly inputs: readonly TableInput[];
  readonly outputs: readonly TableOutput[];
  readonly rules: readonly Rule[];
}

export interface TableInput {
  readonly id: string | null;
  readonly label: string | null;
  /** `camunda:inputVariable`: the name of the value within the rules, beside `?`. */
  readonly variable: string;
  readonly expression: Text | null;
  readonly type: string | null;
}

export interface TableOutput {
  readonly id: string | null;
  readonly label: string | null;
  readonly name: string | null;
  readonly type: string | null;
  /** The values that it may have, the most important first: FEEL, a list. */
  readonly values: Text | null;
  /** What it is where no rule matches. */
  readonly default: Text | null;
}

export interface Rule {
  readonly id: string | null;
  readonly description: string | null;
  /** Per input; null: every value. */
  readonly inputs: readonly (Text | null)[];
  /** Per output; null: none. */
  readonly outputs: readonly (Text | null)[];
}

/** The type of a whole number where the model says none. */
export type WholeType = 'Integer' | 'Long' | 'Double';
