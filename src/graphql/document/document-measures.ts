import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { limitExceeded } from '../../shared/errors.js';
import type { GraphqlLimits } from '../limits.js';

/**
 * Whether the operations of a document stay within the limits, with their fragments spread out. It is asked before validation, whose rules
 * take quadratic time on what these limits refuse; so it knows no types and takes circular fragments, which validation refuses, as empty.
 */
export function limitErrors(document: DocumentNode, limits: GraphqlLimits): GraphQLError[] {
  const meter = new Meter(document, limits.repetitionsMax);
  const errors: GraphQLError[] = [];
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  if (fragments.length > limits.fragmentsMax) {
    const message = `expected at most ${limits.fragmentsMax} fragments, but the document has ${fragments.length}`;
    errors.push(beyond(message, fragments[limits.fragmentsMax]));
  }
  for (const operation of document.definitions) {
    if (operation.kind !== Kind.OPERATION_DEFINITION) continue;
    const of = meter.measureSet(operation.selectionSet);
    const roots = operation.operation === OperationTypeNode.MUTATION ? of.topFields : 0;
    const directives = of.directives + (operation.directives?.length ?? 0);
    const check = (what: string, found: number, max: number) => {
      if (found > max)
        errors.push(beyond(`expected at most ${max} ${what}, but the operation has ${found}`, operation));
    };
    check('levels of fields', of.depth, limits.depthMax);
    check('aliases', of.aliases, limits.aliasesMax);
    check('directives', directives, limits.directivesMax);
    check('fields', of.fields, limits.fieldsMax);
    check('root fields of a mutation', roots, limits.mutationFieldsMax);
  }
  return errors.concat(meter.repeated.map((field) => repeatedTooOften(field, limits.repetitionsMax)));
}

/** A document that goes beyond a limit. */
export const beyond = (message: string, nodes?: ASTNode) =>
  new GraphQLError(message, {
    ...(nodes && { nodes }),
    originalError: limitExceeded(message, { reason: 'document_too_large' }),
  });

const repeatedTooOften = (field: FieldNode, max: number) =>
  beyond(
    `expected a selection to name '${responseName(field)}' at most ${max} times, but it does so more often`,
    field,
  );

const responseName = (field: FieldNode) => field.alias?.value ?? field.name.value;

interface Measures {
  readonly depth: number;
  readonly fields: number;
  readonly topFields: number;
  readonly aliases: number;
  readonly directives: number;
}

const NOTHING: Measures = { depth: 0, fields: 0, topFields: 0, aliases: 0, directives: 0 };

class Meter {
  /** Fields that their selection set names too often. */
  readonly repeated: FieldNode[] = [];
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #measured = new Map<string, Measures>();
  readonly #repetitionsMax: number;

  constructor(document: DocumentNode, repetitionsMax: number) {
    this.#repetitionsMax = repetitionsMax;
    for (const definition of document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(definition.name.value, definition);
    }
  }

  measureSet(set: SelectionSetNode | undefined): Measures {
    if (set === undefined) return NOTHING;
    this.#noteRepetitions(set);
    return set.selections.map((selection) => this.#measure(selection)).reduce(both, NOTHING);
  }

  #measure(selection: SelectionNode): Measures {
    const directives = selection.directives?.length ?? 0;
    if (selection.kind === Kind.FRAGMENT_SPREAD) return plus(this.#measureFragment(selection.name.value), directives);
    const inner = this.measureSet(selection.selectionSet);
    if (selection.kind === Kind.INLINE_FRAGMENT) return plus(inner, directives);
    return {
      depth: inner.depth + 1,
      fields: inner.fields + 1,
      topFields: 1,
      aliases: inner.aliases + (selection.alias === undefined ? 0 : 1),
      directives: inner.directives + directives,
    };
  }

  #measureFragment(name: string): Measures {
    const known = this.#measured.get(name);
    if (known !== undefined) return known;
    this.#measured.set(name, NOTHING); // a circle back to here adds nothing
    const fragment = this.#fragments.get(name);
    const measures = plus(this.measureSet(fragment?.selectionSet), fragment?.directives?.length ?? 0);
    this.#measured.set(name, measures);
    return measures;
  }

  #noteRepetitions(set: SelectionSetNode): void {
    const times = new Map<string, number>();
    for (const selection of set.selections) {
      if (selection.kind !== Kind.FIELD) continue;
      const name = responseName(selection);
      const seen = (times.get(name) ?? 0) + 1;
      times.set(name, seen);
      if (seen === this.#repetitionsMax + 1) this.repeated.push(selection);
    }
  }
}

const both = (one: Measures, other: Measures): Measures => ({
  depth: Math.max(one.depth, other.depth),
  fields: one.fields + other.fields,
  topFields: one.topFields + other.topFields,
  aliases: one.aliases + other.aliases,
  directives: one.directives + other.directives,
});

const plus = (measures: Measures, directives: number): Measures =>
  directives === 0 ? measures : { ...measures, directives: measures.directives + directives };

/**
 * The deepest nesting of brackets in a GraphQL document, outside of strings and comments; stops counting beyond `limit`.
 * graphql-js parses recursively and ends in a bare RangeError at some 2,000 levels: this looks before it parses.
 */
export function bracketDepth(document: string, limit: number): number {
  let deepest = 0;
  let depth = 0;
  for (let at = 0; at < document.length && deepest <= limit; at++) {
    switch (document.charCodeAt(at)) {
      case 0x7b: // {
      case 0x28: // (
      case 0x5b: // [
        depth++;
        if (depth > deepest) deepest = depth;
        break;
      case 0x7d: // }
      case 0x29: // )
      case 0x5d: // ]
        depth--;
        break;
      case 0x23: // #
        at = endOfLine(document, at);
        break;
      case 0x22: // "
        at = endOfString(document, at);
        break;
    }
  }
  return deepest;
}

function endOfLine(document: string, from: number): number {
  let at = from;
  while (at < document.length && document[at] !== '\n' && document[at] !== '\r') at++;
  return at;
}

/** Where the string that begins at `from` ends; for one that never ends, the end of its line, or of the document. */
function endOfString(document: string, from: number): number {
  if (document.startsWith('"""', from)) return endOfBlockString(document, from + 3);
  for (let at = from + 1; at < document.length; at++) {
    const code = document.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22 || code === 0x0a || code === 0x0d) return at;
  }
  return document.length;
}

function endOfBlockString(document: string, from: number): number {
  for (let at = document.indexOf('"""', from); at >= 0; at = document.indexOf('"""', at + 1)) {
    if (document[at - 1] !== '\\') return at + 2;
  }
  return document.length;
}
