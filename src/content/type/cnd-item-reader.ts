import { PROPERTY_TYPES, type PropertyType } from '../value/property.js';
import { childFlag, type ItemFlag, onParentVersion, propertyFlag } from './cnd-attributes.js';
import type { CndCursor, CndToken } from './cnd-cursor.js';
import {
  type ChildDefinition,
  childDefinition,
  type OnParentVersion,
  type PropertyDefinition,
  propertyDefinition,
  QUERY_OPERATORS,
  type QueryOperator,
  RESIDUAL,
} from './node-type.js';

/** Told when an item bears the older notation's `primary`. */
type OnPrimary = (name: string) => void;

/** The definition of a property, behind `-` (JCR 2.0 §25.2.3.11). Default, attributes and constraints are taken in any order. */
export function readProperty(cursor: CndCursor, type: string, onPrimary: OnPrimary): PropertyDefinition {
  const name = readItemName(cursor, `a property of '${type}'`);
  const what = `the property '${name}' of '${type}'`;
  const valueType = cursor.takeSign('(') ? readPropertyType(cursor, what) : 'String';
  const flags = new ItemFlags();
  let defaultValues: readonly string[] = [];
  let constraints: readonly string[] = [];
  for (;;) {
    if (cursor.takeSign('=')) defaultValues = readTexts(cursor, `a default value of ${what}`, DEFAULTS.get(valueType));
    else if (isConstraint(cursor)) constraints = readConstraints(cursor, what, CONSTRAINTS.get(valueType));
    else if (!readFlag(cursor, flags, { what, name, flagOf: propertyFlag, onPrimary })) break;
  }
  return propertyDefinition({
    name,
    type: valueType,
    defaultValues,
    valueConstraints: constraints,
    ...flags.ofProperty(),
  });
}

/** The definition of a child node, behind `+` (JCR 2.0 §25.2.3.17). */
export function readChild(cursor: CndCursor, type: string, onPrimary: OnPrimary): ChildDefinition {
  const name = readItemName(cursor, `a child node of '${type}'`);
  const what = `the child node '${name}' of '${type}'`;
  const requiredTypes = cursor.takeSign('(') ? readRequiredTypes(cursor, what) : ['nt:base'];
  const flags = new ItemFlags();
  let defaultType: string | null = null;
  for (;;) {
    if (cursor.takeSign('=')) defaultType = cursor.takeSign('?') ? null : cursor.name(`the default type of ${what}`);
    else if (!readFlag(cursor, flags, { what, name, flagOf: childFlag, onPrimary })) break;
  }
  return childDefinition({ name, requiredTypes, defaultType, ...flags.ofChild() });
}

/** A residual one may be in quotes, too. */
const readItemName = (cursor: CndCursor, what: string): string =>
  cursor.peek().text === RESIDUAL ? cursor.next().text : cursor.name(`the name of ${what}`);

const TYPES = new Map(PROPERTY_TYPES.map((type) => [type.toLowerCase(), type]));

function readPropertyType(cursor: CndCursor, what: string): PropertyType | null {
  const token = cursor.next();
  const undefinedType = (token.kind === 'sign' && /^[*?]$/.test(token.text)) || /^undefined$/i.test(token.text);
  const type = TYPES.get(token.text.toLowerCase());
  if (type === undefined && !undefinedType) {
    throw cursor.refusal(`the type of ${what}: ${PROPERTY_TYPES.join(', ')} or undefined`, token);
  }
  cursor.expectSign(')', `behind the type of ${what}`);
  return type ?? null;
}

function readRequiredTypes(cursor: CndCursor, what: string): readonly string[] {
  const names: string[] = [];
  if (cursor.takeSign('?')) names.push('nt:base');
  else {
    do names.push(cursor.name(`a required type of ${what}`));
    while (cursor.takeSign(','));
  }
  cursor.expectSign(')', `behind the required types of ${what}`);
  return names;
}

/** A text as it is kept; not given: as it is. @throws BAD_REQUEST */
type ReadText = (cursor: CndCursor, text: string, token: CndToken, what: string) => string;

function readTexts(cursor: CndCursor, what: string, read?: ReadText): readonly string[] {
  if (cursor.takeSign('?')) return [];
  const texts: string[] = [];
  do {
    const token = cursor.peek();
    const text = signed(cursor, what);
    texts.push(read === undefined ? text : read(cursor, text, token, what));
  } while (cursor.takeSign(','));
  return texts;
}

/** A number may have its sign in front without quotes. */
const signed = (cursor: CndCursor, what: string): string =>
  cursor.takeSign('-') ? `-${cursor.string(what)}` : cursor.string(what);

/** A `<` that opens no namespace. */
const isConstraint = (cursor: CndCursor): boolean => cursor.isSign('<') && !cursor.isSign('=', 2);

function readConstraints(cursor: CndCursor, what: string, read?: ReadText): readonly string[] {
  cursor.next();
  return readTexts(cursor, `a constraint of ${what}`, read);
}

const nameText: ReadText = (cursor, text, token, what) => cursor.nameOf(text, token, what);

const pathText: ReadText = (cursor, text, token, what) => cursor.pathOf(text, token, what);

/** A path exactly, or with `/*` behind it all that lies below. */
const pathConstraint: ReadText = (cursor, text, token, what) => {
  if (!text.endsWith('/*')) return cursor.pathOf(text, token, what);
  const above = cursor.pathOf(text === '/*' ? '/' : text.slice(0, -2), token, what);
  return above === '/' ? '/*' : `${above}/*`;
};

/** What names nodes or types follows the prefixes that the text declares, and is kept in the repository's form. */
const DEFAULTS: ReadonlyMap<PropertyType | null, ReadText> = new Map([
  ['Name', nameText],
  ['Path', pathText],
]);
const CONSTRAINTS: ReadonlyMap<PropertyType | null, ReadText> = new Map([
  ['Name', nameText],
  ['Path', pathConstraint],
  ['Reference', nameText],
  ['WeakReference', nameText],
]);

interface FlagReading {
  readonly what: string;
  readonly name: string;
  readonly flagOf: (word: string) => ItemFlag | undefined;
  readonly onPrimary: OnPrimary;
}

/** Whether there was one. */
function readFlag(cursor: CndCursor, flags: ItemFlags, { what, name, flagOf, onPrimary }: FlagReading): boolean {
  const token = cursor.peek();
  if (token.kind !== 'word' && !cursor.isSign('*') && !cursor.isSign('!')) return false;
  cursor.next();
  const action = onParentVersion(token.text);
  if (action !== undefined) {
    flags.action = action;
    return true;
  }
  const flag = flagOf(token.text);
  if (flag === undefined) throw cursor.refusal(`an attribute of ${what}, such as mandatory or autocreated`, token);
  if (cursor.takeSign('?')) return true;
  if (flag === 'opv') throw cursor.refusal(`COPY, VERSION, INITIALIZE, COMPUTE, IGNORE or ABORT of ${what}`, token);
  if (flag === 'queryOperators') flags.operators = readOperators(cursor, what);
  else if (flag === 'primary') onPrimary(name);
  else flags.set.add(flag);
  return true;
}

function readOperators(cursor: CndCursor, what: string): readonly QueryOperator[] {
  const token = cursor.peek();
  const words = cursor.string(`the query operators of ${what} in quotes`).split(',');
  return words
    .map((word) => word.trim().toUpperCase())
    .filter((word) => word !== '')
    .map((word) => {
      const operator = QUERY_OPERATORS.find((known) => known === word);
      if (operator === undefined)
        throw cursor.refusal(`query operators of ${QUERY_OPERATORS.join(', ')} for ${what}`, token);
      return operator;
    });
}

class ItemFlags {
  readonly set = new Set<ItemFlag>();
  action: OnParentVersion = 'COPY';
  operators: readonly QueryOperator[] = QUERY_OPERATORS;

  ofProperty() {
    return {
      ...this.#common(),
      multiple: this.set.has('multiple'),
      queryOperators: this.operators,
      fullTextSearchable: !this.set.has('noFullText'),
      queryOrderable: !this.set.has('noQueryOrder'),
    };
  }

  ofChild() {
    return { ...this.#common(), sameNameSiblings: this.set.has('sameNameSiblings') };
  }

  #common() {
    return {
      autoCreated: this.set.has('autoCreated'),
      mandatory: this.set.has('mandatory'),
      protected: this.set.has('protected'),
      onParentVersion: this.action,
    };
  }
}
