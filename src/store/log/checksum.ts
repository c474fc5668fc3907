import { crc32 } from 'node:zlib';
import type { Scalar } from '../collection.js';

/*
 * Checksums of what `log.db` holds. Each has 32 bits: what a disk, a cable or a careless hand changes passes unseen once in four thousand
 * million times, and a change within 32 bits on end never does. They are no proof against somebody who means to deceive: who may write the
 * file may write them, too.
 * Texts of any length go through CRC-32, which takes far less time than to write them; ids and values of columns, which are short, are
 * folded in by FNV-1a, as a call out of JavaScript would take longer than that.
 */

const START = 0x811c9dc5;
const PRIME = 0x01000193;
const NUMBER = 0x20000;

/** The checksum of a document's text, and of the id that it belongs to: what every read compares. */
export const bodySum = (id: string, body: string): number => textSum(foldText(START, id), body);

/** The seed of a column, with which {@link valueSum} folds the column's values in. Made once for each column. */
export const columnSeed = (column: string): number => foldText(START, column);
export const multiSeed = (column: string): number => foldText(columnSeed('multi'), column);

/** The share of a value of a column in the checksum of its row. Null adds nothing, so that a column more changes none; NaN is null to SQLite. */
export function valueSum(seed: number, value: Scalar): number {
  if (typeof value === 'string') return foldText(seed, value);
  return value === null || Number.isNaN(value) ? 0 : foldNumber(seed, value);
}

/**
 * The checksum of a document's whole row: its id and text (by their checksum), its revision, and the sum of its {@link valueSum}s, in whatever
 * order, as that of the columns may be another in a later version.
 */
export const rowSum = (body: number, revision: number, values: number): number =>
  (foldNumber(body, revision) + values) >>> 0;

/** The columns of a commit beside its text, over which its checksum goes. */
interface CommitHead {
  readonly revision: number;
  readonly id: string;
  readonly at: number;
  readonly events: number;
}

/** The checksum of a commit and, by that of the one before it, of all commits up to here. */
export function commitSum(before: number, { revision, id, at, events }: CommitHead, body: string): number {
  const head = foldNumber(foldNumber(foldNumber(foldText(before, id), revision), at), events);
  return textSum(head, body);
}

/** The checksum of a kept outcome. */
export const outcomeSum = (id: string, at: number, revision: number, body: string): number =>
  textSum(foldNumber(foldNumber(foldText(START, id), at), revision), body);

/** The checksum of a fact of the table `meta`. */
export const metaSum = (key: string, value: string): number => foldText(foldText(START, key), value) >>> 0;

/** What a damaged row gives in place of a text: no sum of a text comes to it but by chance. */
const noText = (sum: number): number => ~sum;

const textSum = (sum: number, text: string | null): number =>
  typeof text === 'string' ? crc32(text, sum >>> 0) : noText(sum) >>> 0;

/** The text as SQLite gives it back: see {@link asStored}. Two units at a time, as each step waits for the one before. */
function foldText(sum: number, text: string | null): number {
  if (typeof text !== 'string') return noText(sum);
  const { length } = text;
  let folded = sum ^ length;
  for (let i = 1; i < length; i += 2) {
    const unit = text.charCodeAt(i - 1);
    const next = text.charCodeAt(i);
    if (isSpecial(unit) || isSpecial(next)) return foldUnits(sum, asStored(text));
    folded = Math.imul(folded ^ unit ^ (next << 16), PRIME);
  }
  if (length % 2 === 0) return Math.imul(folded, PRIME);
  const last = text.charCodeAt(length - 1);
  return isSpecial(last) ? foldUnits(sum, asStored(text)) : Math.imul(Math.imul(folded ^ last, PRIME), PRIME);
}

/** Whether the unit may be another in what is stored: NUL, surrogates, and the few that lie behind these. */
const isSpecial = (unit: number): boolean => (unit - 1) >>> 0 >= 0xd7ff;

/** As {@link foldText}, of a text as it is stored. */
function foldUnits(sum: number, text: string): number {
  let folded = sum ^ text.length;
  for (let i = 0; i < text.length; i += 2) {
    const next = i + 1 < text.length ? text.charCodeAt(i + 1) : 0;
    folded = Math.imul(folded ^ text.charCodeAt(i) ^ (next << 16), PRIME);
  }
  return Math.imul(folded, PRIME);
}

/** It ends before a NUL, and a lone surrogate, of which there is no UTF-8, is replaced. */
const asStored = (text: string): string => (text.split('\0', 1)[0] ?? '').replace(/\p{Surrogate}/gu, '\ufffd');

function foldNumber(sum: number, value: number): number {
  if (!Number.isSafeInteger(value)) {
    // What is so near is written as a whole number.
    const whole = Math.round(value);
    if (Math.abs(value - whole) < Number.EPSILON && Number.isSafeInteger(whole)) return foldNumber(sum, whole);
    return foldText(Math.imul(sum ^ NUMBER, PRIME), String(value));
  }
  const low = Math.imul(sum ^ NUMBER ^ (value >>> 0), PRIME);
  return Math.imul(low ^ Math.floor(value / 4_294_967_296), PRIME);
}
