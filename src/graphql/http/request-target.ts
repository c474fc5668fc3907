import { malformed, TransportError } from './transport-error.js';

/** What the URL of a request names. */
export interface RequestTarget {
  readonly workspace: string;
  /** Whether it is the path of the workspace's event streams. */
  readonly stream: boolean;
  readonly search: URLSearchParams;
}

const NO_SEARCH = new URLSearchParams();

/** Reads `<mount>/<workspace>[/…][/stream][?…]`; segments between are ignored. @throws TransportError 404 outside of the mount, 400 */
export function readTarget(url: string, mount: string): RequestTarget {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  if (path !== mount && !path.startsWith(`${mount}/`)) {
    throw new TransportError(404, 'NOT_FOUND', `expected a path below ${mount}`);
  }
  const [first, ...rest] = path
    .slice(mount.length + 1)
    .split('/')
    .filter((segment) => segment !== '');
  if (first === undefined) throw malformed(`expected a workspace in the path, as ${mount}/<workspace>`);
  return {
    workspace: decoded(first),
    stream: rest.at(-1) === 'stream',
    search: mark < 0 ? NO_SEARCH : new URLSearchParams(url.slice(mark + 1)),
  };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw malformed('expected the workspace in the path to be percent-encoded UTF-8');
  }
}
