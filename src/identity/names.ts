import { refusal } from './refusal.js';

/** The longest name of a user, a group or a role. */
const NAME_MAX = 128;
/** How deep groups and roles are nested at most. */
export const DEPTH_MAX = 32;

/** Names that mean something else wherever a principal is named. */
const RESERVED_NAMES = ['system', 'everyone', 'anonymous', 'admin'] as const;

/** Whether a user or a group of the name is one that every server has. */
export const isReserved = (name: string): boolean => RESERVED_NAMES.some((reserved) => reserved === name);

/**
 * Requires a name that a user or a group can have: it is a node's name, and stands in access control lists, so it must be read as nothing else.
 * @throws BAD_REQUEST (INVALID_INPUT)
 */
export function requireNewName(name: string, field: string): void {
  requireName(name, field);
  const taken = RESERVED_NAMES.find((reserved) => skeletonOf(name) === reserved);
  if (taken !== undefined)
    throw invalid(field, `expected another name than '${name}', which is, or is read as, the reserved name '${taken}'`);
}

/** Requires a name that a role can have, too. @throws BAD_REQUEST (INVALID_INPUT) */
export function requireName(name: string, field: string): void {
  if (name === '') throw invalid(field, `expected a name in '${field}', but it is empty`);
  if (name.length > NAME_MAX)
    throw invalid(field, `expected a name of at most ${NAME_MAX} characters in '${field}', but found ${name.length}`);
  if (name !== name.normalize('NFC') || UNUSABLE.test(name) || name === '.' || name === '..')
    throw invalid(
      field,
      `expected a name without { } / : [ ] | * " and without spaces at its ends, control or invisible characters in '${field}', but found '${name}'`,
    );
}

const UNUSABLE = /[{}/:[\]|*"\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|^\s|\s$/u;

const invalid = (field: string, message: string) => refusal('INVALID_INPUT', message, field);

/** The name as the eye takes it: without case and marks, letters of other scripts as the Latin ones that they look like. */
const skeletonOf = (name: string): string =>
  [...name.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '')]
    .map((letter) => LOOKS_LIKE[letter] ?? letter)
    .join('');

/** Letters, small ones, that are taken for a Latin one of the reserved names. */
const LOOKS_LIKE: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    a: 'аɑα',
    d: 'ԁ',
    e: 'еҽ',
    i: 'іıι1lӏ',
    m: 'м',
    n: 'ո',
    o: 'оοօ0',
    r: 'г',
    s: 'ѕ5',
    t: 'т',
    u: 'υս',
    v: 'ѵν',
    y: 'уүγ',
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin])),
);
