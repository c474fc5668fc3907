import { badRequest, limitExceeded, ServiceError } from '../../shared/errors.js';

/** The most characters of a name, its prefix included. */
const NAME_MAX = 255;

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
  if (text.startsWith(':') || namespaces.uriOf(prefixOf(text)) === undefined) return false;
  return text.length <= NAME_MAX && localNameFlaw(localNameOf(text)) === null;
}

/** The prefix of a qualified name; empty where it has none. */
export const prefixOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf(':')));

export const localNameOf = (name: string): string => name.slice(name.indexOf(':') + 1);

/** `{uri}local` of a qualified name whose prefix is registered. */
export const expandedName = (name: string, namespaces: NamespaceRegistry): string =>
  `{${namespaces.uriOf(prefixOf(name)) ?? ''}}${localNameOf(name)}`;

/** Why the text is no local name (JCR 2.0 §3.2.2); null: it is one. */
function localNameFlaw(local: string): string | null {
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
  const flaw = localNameFlaw(localNameOf(name));
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

/** The namespaces that every repository has (JCR 2.0 §3.2.6.1; `mi` and `rep` are those of existing content), by prefix. */
export const BUILT_IN_NAMESPACES: Readonly<Record<string, string>> = {
  '': '',
  jcr: 'http://www.jcp.org/jcr/1.0',
  nt: 'http://www.jcp.org/jcr/nt/1.0',
  mix: 'http://www.jcp.org/jcr/mix/1.0',
  sv: 'http://www.jcp.org/jcr/sv/1.0',
  xml: 'http://www.w3.org/XML/1998/namespace',
  rep: 'internal',
  mi: 'http://www.mintjams.org/jcr/ns/1.0',
};

/** The most characters of a namespace's URI. */
const NAMESPACE_URI_MAX = 1_000;

/** The most namespaces of a workspace, the built-in ones included. */
const NAMESPACES_MAX = 1_000;

/** The most characters of a prefix. */
const PREFIX_MAX = 64;

/** NCName of XML Namespaces, as far as JCR 2.0 §3.2.5.2 asks for it. */
const NC_NAME = /^[\p{L}_][\p{L}\p{N}\p{M}._-]*$/u;

/** Whether the text may be a prefix, taken or not. */
export const isPrefix = (text: string): boolean => text.length <= PREFIX_MAX && NC_NAME.test(text);

/** Prefixes and URIs, one to one. Immutable: registering makes another one. */
export class NamespaceRegistry {
  readonly #uris: ReadonlyMap<string, string>;
  readonly #prefixes: ReadonlyMap<string, string>;

  constructor(uris: ReadonlyMap<string, string>) {
    this.#uris = uris;
    this.#prefixes = new Map([...uris].map(([prefix, uri]) => [uri, prefix]));
  }

  uriOf(prefix: string): string | undefined {
    return this.#uris.get(prefix);
  }

  prefixOf(uri: string): string | undefined {
    return this.#prefixes.get(uri);
  }

  /** Prefix and URI, built-in ones first, then in the order of their registration. */
  entries(): readonly (readonly [prefix: string, uri: string])[] {
    return [...this.#uris];
  }

  /**
   * With one more; the very same when it is there already.
   * @throws BAD_REQUEST (prefix or URI malformed), ALREADY_EXISTS (either is taken), LIMIT_EXCEEDED (more than {@link NAMESPACES_MAX})
   */
  with(prefix: string, uri: string): NamespaceRegistry {
    if (this.#uris.get(prefix) === uri) return this;
    if (this.#uris.size >= NAMESPACES_MAX) throw tooManyNamespaces(prefix);
    checkPrefix(prefix);
    checkUri(prefix, uri);
    const taken = this.#uris.get(prefix);
    if (taken !== undefined) throw prefixTaken(prefix, taken, uri);
    const other = this.#prefixes.get(uri);
    if (other !== undefined) throw uriTaken(uri, other, prefix);
    return new NamespaceRegistry(new Map([...this.#uris, [prefix, uri]]));
  }
}

/** The built-in namespaces alone. */
export const builtInNamespaces = new NamespaceRegistry(new Map(Object.entries(BUILT_IN_NAMESPACES)));

/** The built-in namespaces and those registered, by prefix, as they are stored. */
export const namespacesOf = (registered: Readonly<Record<string, string>>): NamespaceRegistry =>
  new NamespaceRegistry(new Map([...builtInNamespaces.entries(), ...Object.entries(registered)]));

function checkPrefix(prefix: string): void {
  if (!isPrefix(prefix)) {
    throw badRequest(
      `expected a namespace prefix of a letter, then letters, digits, '.', '-' or '_' (at most ${PREFIX_MAX}), but found '${prefix}'`,
      { reason: 'invalid_prefix' },
    );
  }
  if (prefix.toLowerCase().startsWith('xml')) {
    throw badRequest(`expected a namespace prefix that does not start with 'xml', but found '${prefix}'`, {
      reason: 'invalid_prefix',
    });
  }
}

function checkUri(prefix: string, uri: string): void {
  if (uri !== '' && uri.length <= NAMESPACE_URI_MAX && !/[\s{}\p{Cc}]/u.test(uri)) return;
  throw badRequest(
    `expected a URI without spaces and braces, of 1 to ${NAMESPACE_URI_MAX} characters, for prefix '${prefix}', but found '${uri.slice(0, 100)}'`,
    { reason: 'invalid_namespace_uri' },
  );
}

const tooManyNamespaces = (prefix: string) =>
  limitExceeded(`expected at most ${NAMESPACES_MAX} namespaces in a workspace, but with '${prefix}' there are more`, {
    reason: 'too_many_namespaces',
  });

const prefixTaken = (prefix: string, taken: string, uri: string) =>
  new ServiceError(
    'ALREADY_EXISTS',
    `expected prefix '${prefix}' to be free for '${uri}', but it stands for '${taken}', and a prefix keeps its meaning`,
    { reason: 'prefix_taken', resourceId: prefix },
  );

const uriTaken = (uri: string, other: string, prefix: string) =>
  new ServiceError(
    'ALREADY_EXISTS',
    `expected '${uri}' to be free for prefix '${prefix}', but it has the prefix '${other}'`,
    { reason: 'namespace_taken', resourceId: other },
  );
