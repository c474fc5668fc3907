/** A JSONPath in Jayway's dialect, read: what its evaluation goes through, in order, from the document or the item of a filter on. */
export interface Path {
  /** `$`: it begins at the document; `@`: at the item that a filter looks at. */
  readonly begins: '$' | '@';
  readonly steps: readonly Step[];
  /** It names at most one value: that is its result. Otherwise the result is a list. */
  readonly isDefinite: boolean;
  /** Names and indexes alone, which most paths are: they are gone through without the rest. */
  readonly isPlain: boolean;
}

export type Step =
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'indexes'; readonly indexes: readonly number[] }
  | { readonly kind: 'slice'; readonly from: number | undefined; readonly to: number | undefined }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'filter'; readonly filter: Filter }
  | { readonly kind: 'scan' }
  | { readonly kind: 'function'; readonly name: string; readonly parameters: readonly Parameter[] };

/** Of a function: a path, or a value as it stands. */
export type Parameter = { readonly path: Path } | { readonly value: unknown };

/** The condition of `[?(…)]`. */
export type Filter =
  | { readonly kind: 'or' | 'and'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly inner: Filter }
  /** Whether there is something at a path of the item. */
  | { readonly kind: 'exists'; readonly path: Path }
  | { readonly kind: 'compare'; readonly operator: Operator; readonly left: Operand; readonly right: Operand };

export type Operand =
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'value'; readonly value: unknown }
  /** `/…/flags`: whether the whole text matches. */
  | { readonly kind: 'pattern'; readonly matches: (text: string) => boolean };

export const OPERATORS = [
  '===',
  '!==',
  '==',
  '!=',
  '=~',
  '<=',
  '>=',
  '<',
  '>',
  'IN',
  'NIN',
  'CONTAINS',
  'ALL',
  'SIZE',
  'EMPTY',
  'SUBSETOF',
  'ANYOF',
  'NONEOF',
] as const;
export type Operator = (typeof OPERATORS)[number];

/** Of a step that gives at most one value. A list of names is one where it ends the path: an object of these. */
const isDefiniteStep = (step: Step, isLast: boolean): boolean => {
  if (step.kind === 'names') return step.names.length === 1 || isLast;
  if (step.kind === 'indexes') return step.indexes.length === 1;
  return step.kind === 'function';
};

export function pathOf(begins: Path['begins'], steps: readonly Step[]): Path {
  return {
    begins,
    steps,
    isDefinite: steps.every((step, at) => isDefiniteStep(step, at === steps.length - 1)),
    isPlain: steps.every(
      (step) =>
        (step.kind === 'names' && step.names.length === 1) || (step.kind === 'indexes' && step.indexes.length === 1),
    ),
  };
}

/** Whether all steps before this one are definite: then what is missing there is an error. */
export const isDefiniteBefore = ({ steps }: Path, at: number): boolean =>
  steps.slice(0, at).every((step) => isDefiniteStep(step, false));

export const pathText = ({ begins, steps }: Path): string => begins + steps.map(stepText).join('');

export function stepText(step: Step): string {
  switch (step.kind) {
    case 'names':
      return `[${step.names.map((name) => `'${name}'`).join(',')}]`;
    case 'indexes':
      return `[${step.indexes.join(',')}]`;
    case 'slice':
      return `[${step.from ?? ''}:${step.to ?? ''}]`;
    case 'wildcard':
      return '[*]';
    case 'filter':
      return '[?]';
    case 'scan':
      return '..';
    case 'function':
      return `.${step.name}()`;
  }
}
