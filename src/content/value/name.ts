import { badRequest, limitExceeded, type ServiceError } from '../../shared/errors.js';
import { isPrefix, type NamespaceRegistry } from './namespaces.js';

/** The most characters of a name, its prefix included. */
export const NAME_MAX = 255;

/** JCR 2.0 §3.2.2: no character of a local name. Control characters and lone surrogates are none of XML's either. */
const FORBIDDEN = /[/:[\]|*\p{Cc}\p{Cs}\ufffe\uffff]/u;

/** Only `{uri}local` with a colon in the braces, or nothing, is an expanded name (§3.2.5.1); else the braces are part of a local name. */
const EXPANDED = /^\{([^{}]*:[^{}]*|)\}(.*)$/s;

/**
 * The name as it is stored: `prefix:local`, or `local` in the empty namespace. Takes the expanded form `{uri}local` too (JCR 2.0 §3.2.5).
 * `what`: the thing named, for the message. @throws BAD_REQUEST, LIMIT_EXCEEDED
 */
export function qualifiedName(text: string, namespaces: NamespaceRegistry, what = 'name'): string {
  const expanded = text.startsWith('{') ? EXPANDED.exec(text) : null;
  const name = expanded ? fromExpanded(text, expanded[1] ?? '', expanded[2] ?? '', namespaces, what) : text;
  checkQualified(name, namespaces, what);
  return name;
}

/** Whether the text is a qualified name whose prefix is registered. */
export function isQualifiedName(text: string, namespaces: NamespaceRegistry): boolean {
  const colon = text.indexOf(':');
  if (colon >= 0 && namespaces.uriOf(text.slice(0, colon)) === undefined) return false;
  return colon !== 0 && text.length <= NAME_MAX && localNameFlaw(text.slice(colon + 1)) === null;
}

/** Empty: no prefix. */
export const prefixOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf(':')));

export const localNameOf = (name: string): string => name.slice(name.indexOf(':') + 1);

/** `{uri}local` of a qualified name whose prefix is registered. */
export const expandedName = (name: string, namespaces: NamespaceRegistry): string =>
  `{${namespaces.uriOf(prefixOf(name)) ?? ''}}${localNameOf(name)}`;

/** What keeps the text from being a local name (JCR 2.0 §3.2.2); null: nothing. */
export function localNameFlaw(local: string): string | null {
  if (local === '') return 'it is empty';
  if (local === '__proto__') return 'JavaScript keeps that word for itself'; // no key of an object that is assigned to
  if (local === '.' || local === '..') return `'${local}' stands for a place in a path`;
  const found = FORBIDDEN.exec(local);
  if (found) return `it holds ${shown(found[0])}`;
  return local.trim() === local ? null : 'it starts or ends with a space';
}

function checkQualified(name: string, namespaces: NamespaceRegistry, what: string): void {
  if (name.length > NAME_MAX) {
    throw limitExceeded(`expected ${what} of at most ${NAME_MAX} characters, but found ${name.length}`, {
      reason: 'name_too_long',
    });
  }
  const colon = name.indexOf(':');
  if (colon >= 0) checkKnownPrefix(name, name.slice(0, colon), namespaces, what);
  const flaw = localNameFlaw(colon >= 0 ? name.slice(colon + 1) : name);
  if (flaw !== null) throw badName(name, flaw, what);
}

function checkKnownPrefix(name: string, prefix: string, namespaces: NamespaceRegistry, what: string): void {
  if (prefix === '') throw badName(name, 'there is no prefix in front of the colon', what);
  if (namespaces.uriOf(prefix) !== undefined) return;
  const flaw = isPrefix(prefix) ? `the prefix '${prefix}' is not registered` : `'${prefix}' is no prefix`;
  throw badName(name, flaw, what);
}

function fromExpanded(text: string, uri: string, local: string, namespaces: NamespaceRegistry, what: string): string {
  const prefix = namespaces.prefixOf(uri);
  if (prefix === undefined) throw badName(text, `the namespace '${uri}' is not registered`, what);
  const flaw = localNameFlaw(local);
  if (flaw !== null) throw badName(text, flaw, what);
  return prefix === '' ? local : `${prefix}:${local}`;
}

const shown = (char: string) =>
  /[\p{Cc}\p{Cs}\ufffe\uffff]/u.test(char)
    ? `the character U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
    : `'${char}'`;

const badName = (name: string, flaw: string, what: string): ServiceError =>
  badRequest(
    `expected ${what} to be a name (an optional registered prefix and ':', then characters other than / : [ ] | *), but found '${name}': ${flaw}`,
    { reason: 'invalid_name' },
  );
