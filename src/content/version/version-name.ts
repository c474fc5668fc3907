/** The name of the version that every history begins with (JCR 2.0 §3.13.5.2). */
export const ROOT_VERSION = 'jcr:rootVersion';

/** How many names are tried; beyond that a history is no history any more. */
const TRIES_MAX = 1_000;

/**
 * The name of the version that follows `base`: `1.0` behind the root version, then `1.1`, `1.2` and so on. Where that one is taken, as after
 * a restore of an older version, a branch begins: `.0` is appended to the base's name until nothing has it. A second line from the root
 * version is `2.0`.
 */
export function nextVersionName(base: string, isTaken: (name: string) => boolean): string {
  for (const name of candidates(base)) if (!isTaken(name)) return name;
  throw new Error(`expected fewer than ${TRIES_MAX} branches behind version '${base}'`);
}

function* candidates(base: string): Generator<string> {
  if (base === ROOT_VERSION) {
    for (let line = 1; line <= TRIES_MAX; line++) yield `${line}.0`;
    return;
  }
  const dot = base.lastIndexOf('.');
  yield `${base.slice(0, dot + 1)}${Number(base.slice(dot + 1)) + 1}`;
  for (let name = `${base}.0`, tries = 0; tries < TRIES_MAX; name += '.0', tries++) yield name;
}
