import { isPrefix, type NamespaceRegistry, qualifiedName } from '../../value/names.js';

/** The URI that a prefix stands for where it is read; undefined: none there. */
type PrefixScope = (prefix: string) => string | undefined;

/** Turns the names of an XML document into the repository's. Namespaces that it lacks are noted, with a prefix that is free. */
export class XmlNames {
  readonly added: Record<string, string> = {};
  readonly renamed: Record<string, string> = {};
  #namespaces: NamespaceRegistry;

  constructor(namespaces: NamespaceRegistry) {
    this.#namespaces = namespaces;
  }

  /** The name of a namespace and a local part. @throws BAD_REQUEST */
  of(uri: string, local: string, wanted: string): string {
    const prefix = uri === '' ? '' : this.#prefixOf(uri, wanted);
    return qualifiedName(prefix === '' ? local : `${prefix}:${local}`, this.#namespaces, 'a name');
  }

  /** A name within text: `prefix:local` by the declarations there, else by the repository's; `{uri}local` too. @throws BAD_REQUEST */
  inText(text: string, scope: PrefixScope): string {
    return qualifiedName(this.renamedIn(text, scope), this.#namespaces, 'a name');
  }

  /** As {@link inText}, each step of a path. Not checked. */
  pathInText(text: string, scope: PrefixScope): string {
    if (text.includes('{')) return text;
    return text
      .split('/')
      .map((step) => this.renamedIn(step, scope))
      .join('/');
  }

  /** Notes what a declaration's prefix is called in the repository, if it has the namespace. */
  declared(prefix: string, uri: string): void {
    const known = this.#namespaces.prefixOf(uri);
    if (known !== undefined && known !== prefix && prefix !== '') this.renamed[prefix] = known;
  }

  renamedIn(text: string, scope: PrefixScope): string {
    const colon = text.indexOf(':');
    if (colon <= 0) return text;
    const prefix = text.slice(0, colon);
    const uri = scope(prefix);
    return uri === undefined ? text : `${this.#prefixOf(uri, prefix)}${text.slice(colon)}`;
  }

  #prefixOf(uri: string, wanted: string): string {
    const known = this.#namespaces.prefixOf(uri);
    if (known !== undefined) return known;
    const prefix = this.#freePrefix(wanted);
    this.#namespaces = this.#namespaces.with(prefix, uri);
    this.added[prefix] = uri;
    if (prefix !== wanted && wanted !== '') this.renamed[wanted] = prefix;
    return prefix;
  }

  #freePrefix(wanted: string): string {
    const isFree = (prefix: string) =>
      isPrefix(prefix) && !prefix.toLowerCase().startsWith('xml') && this.#namespaces.uriOf(prefix) === undefined;
    let prefix = wanted;
    for (let number = 1; !isFree(prefix); number++) prefix = `ns${number}`;
    return prefix;
  }
}
