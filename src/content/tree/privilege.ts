import { badRequest } from '../../shared/errors.js';

/** A set of privileges as bits (JCR 2.0 §16.2). */
export type Privileges = number;

const BITS = {
  'jcr:read': 1,
  'jcr:modifyProperties': 1 << 1,
  'jcr:addChildNodes': 1 << 2,
  'jcr:removeNode': 1 << 3,
  'jcr:removeChildNodes': 1 << 4,
  'jcr:readAccessControl': 1 << 5,
  'jcr:modifyAccessControl': 1 << 6,
  'jcr:lockManagement': 1 << 7,
  'jcr:versionManagement': 1 << 8,
  'jcr:nodeTypeManagement': 1 << 9,
  'jcr:retentionManagement': 1 << 10,
  'jcr:lifecycleManagement': 1 << 11,
} as const;

export type Privilege = keyof typeof BITS;

/** jcr:all */
export const ALL: Privileges = Object.values(BITS).reduce((all, bit) => all | bit, 0);
/** jcr:write: the four that change nodes and properties. */
export const WRITE: Privileges =
  BITS['jcr:modifyProperties'] | BITS['jcr:addChildNodes'] | BITS['jcr:removeNode'] | BITS['jcr:removeChildNodes'];

const AGGREGATES: Readonly<Record<string, Privileges>> = { 'jcr:all': ALL, 'jcr:write': WRITE };
const JCR_URI = '{http://www.jcp.org/jcr/1.0}';

export const bitOf = (privilege: Privilege): Privileges => BITS[privilege];

/** The name as it is stored: `jcr:read` for `read` and `{http://www.jcp.org/jcr/1.0}read` too. @throws BAD_REQUEST no such privilege */
export function privilegeName(given: string): string {
  const local = given.startsWith(JCR_URI) ? given.slice(JCR_URI.length) : given.replace(/^jcr:/, '');
  const name = `jcr:${local}`;
  if (name in BITS || name in AGGREGATES) return name;
  const known = [...Object.keys(BITS), ...Object.keys(AGGREGATES)].join(', ');
  throw badRequest(`expected a privilege (${known}), but found '${given}'`);
}

/** The names of all privileges in the set, and of the aggregates that are whole in it. */
export const privilegeNames = (privileges: Privileges): string[] =>
  Object.entries({ ...BITS, ...AGGREGATES })
    .filter(([, bits]) => (privileges & bits) === bits)
    .map(([name]) => name);

/** The privileges as bits; names as {@link privilegeName} gives them. */
export const privilegesOf = (names: readonly string[]): Privileges =>
  names.reduce((all, name) => all | (BITS[name as Privilege] ?? AGGREGATES[name] ?? 0), 0);
