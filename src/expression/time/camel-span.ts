const UNITS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1, '': 1 };

/** A time as Camel writes it, in ms: `500`, `24h`, `1h30m`, `1h30m10s`. `undefined`: it is none. */
export function parseCamelSpan(text: string): number | undefined {
  if (!/^(?:\d{1,15}(?:ms|[dhms]|$))+$/.test(text)) return undefined;
  let ms = 0;
  for (const [, count, unit = ''] of text.matchAll(/(\d+)(ms|[dhms])?/g)) ms += Number(count) * (UNITS[unit] ?? 0);
  return ms;
}
