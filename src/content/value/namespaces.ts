import { badRequest, limitExceeded, ServiceError } from '../../shared/errors.js';

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
export const NAMESPACE_URI_MAX = 1_000;

/** The most namespaces of a workspace, the built-in ones included. */
export const NAMESPACES_MAX = 1_000;

/** The most characters of a prefix. */
export const PREFIX_MAX = 64;

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
