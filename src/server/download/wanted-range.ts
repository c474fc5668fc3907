/** The part that is wanted, ends included. */
export interface WantedRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Which part of `size` bytes the header `Range` asks for (RFC 9110 §14.2). `whole`: no header, another unit, or several ranges, which a server
 * may answer with everything. `unsatisfiable`: none of it is there, or it is no range of bytes.
 */
export function wantedRange(header: string | undefined, size: number): WantedRange | 'whole' | 'unsatisfiable' {
  const [, specifier] = /^bytes=(.*)$/i.exec(header?.trim() ?? '') ?? [];
  if (specifier === undefined || specifier.includes(',')) return 'whole';
  const [, first, last] = /^\s*(\d{0,16})-(\d{0,16})\s*$/.exec(specifier) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'unsatisfiable';
  const range =
    first === ''
      ? { start: Math.max(0, size - Number(last)), end: size - 1 }
      : { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
  return range.start <= range.end ? range : 'unsatisfiable';
}
