import { Headers } from '../../expression/index.js';

const NAMES: readonly (readonly [test: (value: unknown) => boolean, name: string])[] = [
  [(it) => typeof it === 'string', 'java.lang.String'],
  [(it) => typeof it === 'boolean', 'java.lang.Boolean'],
  [(it) => Number.isInteger(it) && Math.abs(Number(it)) < 2 ** 31, 'java.lang.Integer'],
  [(it) => typeof it === 'bigint' || Number.isSafeInteger(it), 'java.lang.Long'],
  [(it) => typeof it === 'number', 'java.lang.Double'],
  [(it) => it instanceof Uint8Array, 'byte[]'],
  [(it) => Array.isArray(it), 'java.util.ArrayList'],
  [(it) => it instanceof Date, 'java.util.Date'],
  [(it) => it instanceof Map || Object.getPrototypeOf(it) === Object.prototype, 'java.util.LinkedHashMap'],
];

/** The Java class that a value counts as: `java.lang.String`. `null` of nothing. */
export function javaClass(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const named = NAMES.find(([test]) => test(value))?.[1];
  return named ?? (value as { constructor?: { name?: string } }).constructor?.name ?? 'java.lang.Object';
}

/** A value as Java's `toString` tells it: `[1, 2]`, `{a=1}`. */
export function javaText(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return `[${value.map(javaText).join(', ')}]`;
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value instanceof Date) return javaDate(value);
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value instanceof Map || value instanceof Headers) return mapText(value);
  const isPlain = typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? mapText(Object.entries(value)) : String(value);
}

const mapText = (entries: Iterable<readonly [unknown, unknown]>) =>
  `{${[...entries].map(([name, value]) => `${javaText(name)}=${javaText(value)}`).join(', ')}}`;

/** As `Date.toString` of Java in UTC: `Mon Nov 23 11:51:40 UTC 2026`. */
function javaDate(date: Date): string {
  const [day = '', number, month, year, time] = date.toUTCString().replace(',', '').split(' ');
  return `${day} ${month} ${number} ${time} UTC ${year}`;
}
