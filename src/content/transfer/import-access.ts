import { badRequest, limitExceeded } from '../../shared/errors.js';
import { privilegeName } from '../tree/access.js';
import type { AccessEntry } from '../tree/node.js';
import type { ImportRecords } from './records.js';

/** How many lists an import may set. */
const LISTS_MAX = 50_000;

/** The access control lists of an archive, by path. @throws BAD_REQUEST a principal does not exist, or the sidecar is broken; LIMIT_EXCEEDED */
export async function accessIn(
  archive: ImportRecords,
  hasPrincipal: (name: string) => boolean,
): Promise<Map<string, readonly AccessEntry[]>> {
  const found = new Map<string, readonly AccessEntry[]>();
  for await (const { path, entries } of archive.access()) {
    if (found.size >= LISTS_MAX)
      throw limitExceeded(`expected at most ${LISTS_MAX} access control lists in an archive, but there are more`);
    found.set(path, accessOf(path, entries, hasPrincipal));
  }
  return found;
}

/** @throws BAD_REQUEST */
function accessOf(path: string, entries: unknown, hasPrincipal: (name: string) => boolean): AccessEntry[] {
  if (!Array.isArray(entries))
    throw badRequest(`expected the access control list of '${path}' to be one`, { reason: 'sidecar_broken' });
  return entries.map((entry: Partial<Record<keyof AccessEntry, unknown>> | null) => {
    const principal = String(entry?.principal ?? '');
    if (!hasPrincipal(principal))
      throw badRequest(
        `expected the principals of the archive to exist, but '${principal}', in the list of '${path}', does not`,
        {
          reason: 'principal_unknown',
        },
      );
    const privileges = Array.isArray(entry?.privileges)
      ? entry.privileges.map((name) => privilegeName(String(name)))
      : [];
    return { principal, privileges, allow: entry?.allow !== false };
  });
}
