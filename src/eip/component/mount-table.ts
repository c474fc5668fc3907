import { ExchangeFailure } from '../../expression/index.js';
import type { HttpPlace } from './http-front.js';

/** The outcome of looking a path and a method up: the mount with its path parameters, or the methods that are allowed. */
export type Found<M> =
  | { readonly mount: M; readonly parameters: Readonly<Record<string, string>> }
  /** The path is served by other methods alone. `isOpen`: to everybody. */
  | { readonly allowed: readonly string[]; readonly isOpen: boolean };

/** One part of all paths that begin the same. */
interface Part<M> {
  readonly named: Map<string, Part<M>>;
  any: Part<M> | undefined;
  /** What is served here. */
  readonly here: M[];
  /** What is served here and below. */
  readonly below: M[];
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
/** Parts of a path. */
const PARTS_MAX = 100;

/** The HTTP mounts of a workspace. It finds the one that serves a request: of several that could, the one whose path says most, from its beginning on. */
export class MountTable<M extends HttpPlace> {
  readonly #root: Part<M> = emptyPart();

  /** Gives what takes it away. @throws ExchangeFailure where another one serves the same path by the same method */
  mount(mount: M): () => void {
    const parts = mount.path.split('/').filter((part) => part !== '');
    if (parts.length > PARTS_MAX) throw refused(mount, `expected at most ${PARTS_MAX} parts in its path`);
    const isBelow = parts.at(-1) === '*';
    let part = this.#root;
    for (const name of isBelow ? parts.slice(0, -1) : parts) part = partOf(part, name, mount);
    const list = isBelow ? part.below : part.here;
    const other = list.find(({ methods }) => shares(methods, mount.methods));
    if (other !== undefined)
      throw refused(mount, `the route ${other.routeId} serves ${methodsOf(other)} of ${other.path} already`);
    list.push(mount);
    return () => {
      const at = list.indexOf(mount);
      if (at >= 0) list.splice(at, 1);
    };
  }

  /** `names`: the decoded parts of the path. Undefined: nothing is served there. HEAD is GET where it is not served by itself. */
  find(method: string, names: readonly string[]): Found<M> | undefined {
    if (names.length > PARTS_MAX) return undefined;
    const candidates: M[] = [];
    collect(this.#root, names, 0, candidates);
    const mount =
      candidates.find(({ methods }) => methods.length === 0 || methods.includes(method)) ??
      (method === 'HEAD' ? candidates.find(({ methods }) => methods.includes('GET')) : undefined);
    if (mount !== undefined) return { mount, parameters: parametersOf(mount, names) };
    if (candidates.length === 0) return undefined;
    return { allowed: allowedBy(candidates), isOpen: candidates.every(({ isOpen }) => isOpen) };
  }
}

function emptyPart<M>(): Part<M> {
  return { named: new Map(), any: undefined, here: [], below: [] };
}

function partOf<M extends HttpPlace>(part: Part<M>, name: string, mount: M): Part<M> {
  if (/^\{[^{}]+\}$/.test(name)) {
    part.any ??= emptyPart();
    return part.any;
  }
  if (/[{}*]/.test(name)) throw refused(mount, `expected a name, {name}, or * at the end of its path, got ${name}`);
  const known = part.named.get(name) ?? emptyPart<M>();
  part.named.set(name, known);
  return known;
}

/** What may serve the path, the most specific first. */
function collect<M>(part: Part<M>, names: readonly string[], at: number, found: M[]): void {
  const name = names[at];
  if (name === undefined) found.push(...part.here);
  else {
    const named = part.named.get(name);
    if (named !== undefined) collect(named, names, at + 1, found);
    if (part.any !== undefined) collect(part.any, names, at + 1, found);
  }
  found.push(...part.below);
}

function parametersOf({ path }: HttpPlace, names: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = {};
  if (!path.includes('{')) return parameters;
  for (const [at, part] of path
    .split('/')
    .filter((it) => it !== '')
    .entries()) {
    if (!part.startsWith('{')) continue;
    const value = names[at] ?? '';
    Object.defineProperty(parameters, part.slice(1, -1), { value, enumerable: true, configurable: true });
  }
  return parameters;
}

const shares = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === 0 || others.length === 0 || some.some((method) => others.includes(method));

function allowedBy(mounts: readonly HttpPlace[]): string[] {
  const served = new Set(mounts.flatMap(({ methods }) => methods));
  if (served.has('GET')) served.add('HEAD');
  served.add('OPTIONS');
  return METHODS.filter((method) => served.has(method));
}

const methodsOf = ({ methods }: HttpPlace): string => (methods.length === 0 ? 'every method' : methods.join(', '));

/** @throws ExchangeFailure where the path of a mount is none */
export const requirePath = (place: HttpPlace): void => void new MountTable().mount(place);

const refused = ({ routeId }: HttpPlace, why: string) =>
  new ExchangeFailure(
    'org.apache.camel.FailedToStartRouteException',
    `Failed to start route: ${routeId} because: ${why}`,
  );
