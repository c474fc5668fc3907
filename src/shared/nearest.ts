/**
 * The candidate that is written most alike: what is perhaps meant. Undefined where there is none, or none in which at most `lettersMax` letters
 * differ. Default: any.
 */
export function nearest(
  name: string,
  candidates: readonly string[],
  lettersMax = Number.POSITIVE_INFINITY,
): string | undefined {
  const asked = name.slice(0, LENGTH_MAX);
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) > lettersMax) continue;
    const distance = editDistance(asked, candidate.slice(0, LENGTH_MAX));
    if (best === undefined || distance < best.distance) best = { candidate, distance };
  }
  return best !== undefined && best.distance <= lettersMax ? best.candidate : undefined;
}

/** The end of a sentence about a name that is not known: `; the nearest is 'x'`. Empty where {@link nearest} finds none. */
export function nearestHint(name: string, candidates: readonly string[], lettersMax?: number): string {
  const meant = nearest(name, candidates, lettersMax);
  return meant === undefined ? '' : `; the nearest is '${meant}'`;
}

/** How many letters are compared: the work grows with the square of it. */
const LENGTH_MAX = 100;

/** Levenshtein's distance: how many letters must be put in, taken out or changed. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line++) {
    const next = [line];
    for (let column = 1; column <= to.length; column++) {
      const change = (row[column - 1] ?? 0) + (from[line - 1] === to[column - 1] ? 0 : 1);
      next.push(Math.min(change, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
