import type { AnyCollection } from '../log/schema.js';

/** A principal that is given another name, or goes. */
export interface NameChange {
  readonly from: string;
  /** null: there is no such user or group any more. */
  readonly to: string | null;
}

/** The name that takes the place of a principal that is gone, where somebody must be named. No user and no group can have such a name. */
export const formerName = (name: string): string => `${name}:deleted`;

/** The names at the path of a document: `owner`, `actor.context.assignee`, `candidateUsers[]`, `acl[].principal`. */
export const namesAt = (document: object, path: string): string[] => namesIn(document, stepsOf(path));

/** All names that the document's collection declares to be in it, each once. */
export const namesOf = ({ principals }: Pick<AnyCollection, 'principals'>, document: object): string[] => [
  ...new Set(Object.keys(principals).flatMap((path) => namesAt(document, path))),
];

/**
 * The document with the name changed wherever its collection declares one. Of a principal that is gone what names it goes from lists; elsewhere
 * {@link formerName} takes its place.
 */
export const withNameChanged = <T extends object>(
  { principals }: Pick<AnyCollection, 'principals'>,
  document: T,
  change: NameChange,
): T => Object.keys(principals).reduce((changed, path) => changedIn(changed, stepsOf(path), change) as T, document);

/** A list of names with one changed: each once, without those who are gone. */
export const namesChanged = (names: readonly string[], change: NameChange): string[] =>
  changedIn(names, [EACH], change) as string[];

/** The step into each of a list. */
const EACH = '[]';

const stepsOf = (path: string): readonly string[] => path.replaceAll(EACH, `.${EACH}`).split('.');

type Fields = Readonly<Record<string, unknown>>;

function namesIn(value: unknown, [step, ...rest]: readonly string[]): string[] {
  if (step === undefined) return typeof value === 'string' && value !== '' ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (step !== EACH) return namesIn((value as Fields)[step], rest);
  return Array.isArray(value) ? value.flatMap((one) => namesIn(one, rest)) : [];
}

function changedIn(value: unknown, steps: readonly string[], change: NameChange): unknown {
  const { from, to } = change;
  const [step, ...rest] = steps;
  if (!namesIn(value, steps).includes(from)) return value;
  if (step === undefined) return to ?? formerName(from);
  if (step !== EACH) {
    const fields = value as Fields;
    return { ...fields, [step]: changedIn(fields[step], rest, change) };
  }
  const list = value as readonly unknown[];
  if (to === null) return list.filter((one) => !namesIn(one, rest).includes(from));
  // Names, unlike entries, are not said twice.
  return [...new Set(list.map((one) => changedIn(one, rest, change)))];
}
