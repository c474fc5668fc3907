import { seedOf } from '../../shared/ids.js';
import type { Scope, Token, Variables } from '../element/instance-state.js';

/** An instance, or a part of it, that is found by its variables while it waits for messages. */
interface Waiting {
  readonly tokens: readonly Token[];
  readonly scopes: readonly Scope[];
}

/** Of how many variables an index is told; what has more of them is always looked at. */
const INDEXED_MAX = 50;
/** Characters of a name and a value that the index holds as they are; longer ones stand there by a hash. */
const PLAIN_MAX = 40;
/** Of what has too many variables. */
const MANY = '*';

/**
 * By what the variables are found in an index: by names and values without their types, whatever scope they are in. What is found so need not be
 * meant, but what is meant is found. Empty: nothing in it waits.
 */
export function soughtValues(
  waiting: Waiting,
  spilled: readonly { readonly name: string }[],
  hasOthers: boolean,
): readonly string[] {
  if (!hasOthers && !isHearing(waiting)) return NONE;
  const values = new Set(spilled.map(({ name }) => apart(name)));
  for (const { variables } of waiting.scopes) {
    addTexts(values, variables);
    if (values.size > INDEXED_MAX) return [MANY];
  }
  return [...values];
}

function addTexts(values: Set<string>, variables: Variables): void {
  for (const name in variables) {
    const value = variables[name]?.value;
    // What has a structure cannot be sought.
    if (typeof value !== 'object' || value === null) values.add(valueText(name, value));
    if (values.size > INDEXED_MAX) return;
  }
}

const NONE: readonly string[] = Object.freeze([]);

/** Values of the index under which a variable is found: any of these. */
export const soughtBy = (name: string, value: unknown): readonly string[] => [
  valueText(name, value),
  apart(name),
  MANY,
];

/** A variable whose value is not in its scope's document. */
const apart = (name: string): string => indexed(`${name}^`);

const valueText = (name: string, value: unknown): string => indexed(`${name}=${JSON.stringify(value)}`);

const indexed = (text: string): string => (text.length > PLAIN_MAX ? seedOf(text) : text);

/** Whether a message, or a signal, may come for something in it. */
export function isHearing({ tokens, scopes }: Waiting): boolean {
  for (const { wait, boundaries } of tokens) {
    if (wait?.kind === 'subscription') return true;
    if (boundaries?.some(isSubscription)) return true;
  }
  return scopes.some(({ events }) => events?.some(isSubscription));
}

const isSubscription = ({ wait }: { readonly wait: { readonly kind: string } }): boolean =>
  wait.kind === 'subscription';

/** The subscriptions that tokens and scopes wait for. */
export function subscriptionsIn({ tokens, scopes }: Waiting): string[] {
  const armed = [
    ...tokens.flatMap(({ boundaries }) => boundaries ?? []),
    ...scopes.flatMap(({ events }) => events ?? []),
  ];
  return [...tokens, ...armed].flatMap(({ wait }) => (wait?.kind === 'subscription' ? [wait.id] : []));
}
