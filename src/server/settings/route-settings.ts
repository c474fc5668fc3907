import { isAbsolute, normalize, resolve } from 'node:path';
import { bytes, choice, duration, integer, list, optional } from './settings.js';

/** Settings of routes: resources that they may use, and how long they are waited for. */
export const routeSettings = {
  routeStarts: integer(
    'MILLRACE_ROUTE_STARTS',
    10,
    [1, 1000],
    'How often a route is started in all whose consumer does not start while nobody waits for it, 2 s behind the first failure and up to 60 s behind further ones; then it is stopped, with an incident.',
  ),
  routeDrainMs: duration(
    'MILLRACE_ROUTE_DRAIN',
    '45s',
    'How long a route that stops or is suspended waits for exchanges under way, unless whoever asks for it says another time.',
  ),
  routeMemoryMb: integer(
    'MILLRACE_ROUTE_MEMORY',
    512,
    [16, 65_536],
    'How much memory the routes of one workspace may take, in MB. With more their thread ends, and they start anew.',
  ),
  fileRoots: list({
    name: 'MILLRACE_FILE_ROOTS',
    expected: 'absolute paths with commas between them',
    description:
      'Directories in which `file:` endpoints of routes may read and write. Unset: none, so that these are refused.',
    parse: (given) => (isAbsolute(given) ? normalize(given) : undefined),
  }),
  httpHosts: list({
    name: 'MILLRACE_HTTP_HOSTS',
    expected:
      'hosts with commas between them: api.example.com, *.example.com, localhost:8080, or * for all that are public',
    description:
      'Hosts that `http:` endpoints of routes may reach: names or addresses, `*.example.com`, each with a port where only that one is meant; `*`: all whose addresses are public. Those that are named may have private addresses. Unset: none, so that each call is refused.',
    parse: (given) => (HOST.test(given) ? given.toLowerCase() : undefined),
  }),
  routeBodyBytes: bytes(
    'MILLRACE_ROUTE_BODY',
    '10MB',
    'How much of an answer that a route gets over HTTP, or of a request that one takes, is read into memory; what is longer is handed on as a stream.',
  ),
  routeControl: choice(
    'MILLRACE_ROUTE_CONTROL',
    'off',
    ['off', 'on'],
    'Whether routes may operate routes, by `controlbus:`: each as the user who deployed it, who needs the role `operator`.',
  ),
  routeBeans: optional({
    name: 'MILLRACE_BEANS',
    expected: 'the path of an ES module',
    description:
      'An ES module whose exports are beans of routes, and whose classes beans may name as their `type`. It is loaded in each thread of routes, and runs there unguarded. Unset: none. See docs/routes.md.',
    parse: (given) => resolve(given),
  }),
  routeRequestBytes: bytes('MILLRACE_ROUTE_REQUEST', '1GB', 'How large a request for a route may be.', '1TiB'),
  routeRequests: integer(
    'MILLRACE_ROUTE_REQUESTS',
    1_000,
    [1, 100_000],
    'How many requests for routes of one workspace may be under way. Further ones are refused with 503.',
  ),
  routeVariables: list({
    name: 'MILLRACE_ROUTE_VARIABLES',
    expected: 'names of variables with commas between them',
    description: 'Variables of the environment that routes may read, as `{{env:NAME}}`. Unset: none.',
    parse: (given) => (/^[A-Za-z_][A-Za-z0-9_]*$/.test(given) ? given : undefined),
  }),
};

/** A name, an address of IPv4 or one of IPv6 in brackets, the end of names behind a star, or a star alone; a port may follow. */
const HOST = /^(\*|(\*\.)?[a-z\d]([a-z\d.-]*[a-z\d])?(:\d{1,5})?|\[[\da-f:.]+\](:\d{1,5})?)$/i;
