import type { Source } from './source.js';

/** `camunda:field` by name: literal text or `${…}` expression. Absent where there is none. */
export type Fields = Readonly<Record<string, string>>;

/** Work of a service, send, script or business rule task. */
export type WorkDefinition =
  | { readonly kind: 'expression'; readonly text: string; readonly resultVariable: string | null }
  | {
      readonly kind: 'script';
      readonly language: string;
      readonly text: string;
      readonly made?: true;
      readonly resultVariable: string | null;
    }
  | DecisionWork
  /** `camunda:delegateExpression`, `camunda:class` or `camunda:topic`: the name of a registered handler; a topic's may be an expression. */
  | {
      readonly kind: 'handler';
      readonly name: string;
      readonly resultVariable: string | null;
      readonly fields: Fields;
      /** Of a topic: where no handler of the name is registered, an external task waits for a worker. Absent also in programs of former versions. */
      readonly external?: ExternalDefinition;
    };

/** What a model says of an external task, beside its topic. */
export interface ExternalDefinition {
  /** `camunda:taskPriority`, the element's or else the process's: a whole number or an expression; null: 0. */
  readonly priority: string | null;
  /** `camunda:errorEventDefinition`: the first whose condition holds makes a BPMN error of what a worker reports. Absent: there are none. */
  readonly errors?: readonly ExternalError[];
  /** `camunda:properties`, as they are written. Absent: there are none. */
  readonly properties?: Readonly<Record<string, string>>;
}

/** A BPMN error of an external task; code and message: literal, or an expression. */
export interface ExternalError {
  readonly condition: string;
  readonly code: string;
  readonly message: string | null;
}

/** A decision that a business rule task evaluates. Key, version and tag are literal or expressions. */
export interface DecisionWork {
  readonly kind: 'decision';
  readonly key: Source;
  readonly binding: 'latest' | 'deployment' | 'version' | 'versionTag';
  readonly version: string | null;
  readonly versionTag: string | null;
  /** What becomes of the result; `value`: as FEEL has it. */
  readonly map: 'singleEntry' | 'singleResult' | 'collectEntries' | 'resultList' | 'value';
  readonly resultVariable: string | null;
}
