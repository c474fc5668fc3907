/** Letters of Java's SimpleDateFormat that forms use: what each matches, and what it is of a date. */
const FIELDS: Readonly<Record<string, { readonly digits: string; readonly part: number }>> = {
  y: { digits: '\\d{4}', part: 0 },
  M: { digits: '\\d{1,2}', part: 1 },
  d: { digits: '\\d{1,2}', part: 2 },
  H: { digits: '\\d{1,2}', part: 3 },
  m: { digits: '\\d{1,2}', part: 4 },
  s: { digits: '\\d{1,2}', part: 5 },
};

/** The date that a text gives by a pattern (`dd/MM/yyyy`), in UTC; undefined where it gives none, or the pattern has more than years to seconds. */
export function dateByPattern(text: string, pattern: string): Date | undefined {
  const parts: number[] = [];
  let known = true;
  const source = pattern.replace(/([A-Za-z])\1*|[^A-Za-z]/g, (written) => {
    const field = FIELDS[written.charAt(0)];
    if (field === undefined) {
      known = known && !/[A-Za-z]/.test(written);
      return written.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
    }
    parts.push(field.part);
    return `(${field.digits})`;
  });
  const match = known ? new RegExp(`^${source}$`).exec(text.trim()) : null;
  if (match === null) return undefined;
  const values = [1970, 1, 1, 0, 0, 0];
  for (const [at, part] of parts.entries()) values[part] = Number(match[at + 1]);
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = values;
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 ? date : undefined;
}
