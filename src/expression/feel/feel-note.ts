/** Why values are null that functions of ours could not make; whoever evaluates takes what was noted meanwhile. */
const noted: string[] = [];

/** What nothing can be made of is null, with a reason. */
export function refused(reason: string): null {
  noted.push(reason);
  return null;
}

/** Where the notes stand. */
export const notesSoFar = (): number => noted.length;

/** The first note since then, and forgets what came since. */
export function takeNote(since: number): string | undefined {
  if (noted.length === since) return undefined;
  const [first] = noted.splice(since);
  return first;
}
