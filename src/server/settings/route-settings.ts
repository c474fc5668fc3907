import { isAbsolute, normalize } from 'node:path';
import { duration, integer, list } from './settings.js';

/** What routes may use, and how long they are waited for. */
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
  routeVariables: list({
    name: 'MILLRACE_ROUTE_VARIABLES',
    expected: 'names of variables with commas between them',
    description: 'Variables of the environment that routes may read, as `{{env:NAME}}`. Unset: none.',
    parse: (given) => (/^[A-Za-z_][A-Za-z0-9_]*$/.test(given) ? given : undefined),
  }),
};
