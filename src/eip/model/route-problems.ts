import type { Position } from '../../expression/index.js';

/** Something that is wrong, or doubtful, in a definition. Line and column from 1; null where the place is not known. */
export interface RouteProblem {
  readonly line: number | null;
  readonly column: number | null;
  /** The element it is about, by its name in the DSL: `setBody`. */
  readonly element: string | null;
  /** A whole sentence: what was expected, and what was found. */
  readonly message: string;
}

/** Result of the validation of a definition before it is deployed. */
export interface RouteValidation {
  readonly valid: boolean;
  readonly errors: readonly RouteProblem[];
  readonly warnings: readonly RouteProblem[];
}

export const validationOf = ({
  file,
  errors,
  warnings,
}: Omit<RouteValidation, 'valid'> & { readonly file?: unknown }): RouteValidation => ({
  valid: file !== undefined,
  errors,
  warnings,
});

/** How many problems, and how many warnings, are told. */
const LISTED_MAX = 100;

/** Collects what is found while a definition is read. */
export class RouteProblems {
  readonly errors: RouteProblem[] = [];
  readonly warnings: RouteProblem[] = [];

  error(at: Position | null, element: string | null, message: string): void {
    add(this.errors, at, element, message);
  }

  warn(at: Position | null, element: string | null, message: string): void {
    add(this.warnings, at, element, message);
  }
}

function add(list: RouteProblem[], at: Position | null, element: string | null, message: string): void {
  const place = { line: at?.line ?? null, column: at?.column ?? null };
  if (list.length < LISTED_MAX) list.push({ ...place, element, message });
  else if (list.length === LISTED_MAX) list.push({ line: null, column: null, element: null, message: 'and more' });
}

/** A definition that cannot be read any further: not even its text is sound, or it is too large. */
export class UnreadableRoute extends Error {
  readonly at: Position | null;

  constructor(at: Position | null, message: string) {
    super(message);
    this.at = at;
  }
}
