import type { Collection, Document, State } from '../../store/index.js';
import { type StoredText, textPieces } from '../collections.js';
import { isAtMost } from '../element/native.js';
import type { Changes } from './changes.js';

/** Characters of one piece: as JSON at most 240 kB, whatever they are. */
const PIECE_CHARACTERS = 40_000;

/** Stores the text of a document: within it where it is short, else in pieces of its own. */
export function storeText(changes: Changes, owner: string, text: string): StoredText {
  const pieces = piecesOf(text);
  if (pieces === 0) return { text, pieces };
  for (const [n, id] of pieceIds(owner, { pieces }).entries()) {
    const piece = text.slice(n * PIECE_CHARACTERS, (n + 1) * PIECE_CHARACTERS);
    changes.create(textPieces, { id, owner, n, text: piece });
  }
  return { text: null, pieces };
}

/** How many documents a text takes beside its own. */
export const piecesOf = (text: string): number =>
  text.length <= PIECE_CHARACTERS ? 0 : Math.ceil(text.length / PIECE_CHARACTERS);

/** Whether {@link storeText} surely keeps the JSON text of the plain value within its document; true spares making that text. */
export const isShort = (value: unknown): boolean => isAtMost(value, PIECE_CHARACTERS);

/** The text as it was stored. */
export function loadText(state: Pick<State, 'get'>, owner: string, stored: StoredText): string {
  if (stored.text !== null) return stored.text;
  return pieceIds(owner, stored)
    .map((id) => state.get(textPieces, id)?.text ?? '')
    .join('');
}

/** Removes the pieces of a text whose document goes. */
export function dropText(changes: Changes, owner: string, stored: StoredText): void {
  for (const id of pieceIds(owner, stored)) changes.remove(textPieces, id);
}

/** Removes a document with its text. */
export function eraseText<T extends Document & StoredText>(
  state: Pick<State, 'get'>,
  changes: Changes,
  collection: Collection<T>,
  id: string,
): void {
  const stored = state.get(collection, id);
  if (stored === undefined) return;
  dropText(changes, id, stored);
  changes.remove(collection, id);
}

const pieceIds = (owner: string, { pieces }: Pick<StoredText, 'pieces'>): string[] =>
  Array.from({ length: pieces }, (_, n) => `${owner}#${n}`);
