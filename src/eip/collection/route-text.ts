import { collection, type Document, type Draft, type State } from '../../store/documents.js';

/** A piece of the text of a file or of a version. Id: `<owner>#<n>`. */
interface RouteText extends Document {
  readonly text: string;
}

export const routeTexts = collection<RouteText>({ name: 'routeText', seldomRead: true });

/** How many documents a text takes. */
export interface Pieces {
  readonly pieces: number;
}

/** Characters of one piece: as JSON at most 240 kB, whatever they are. */
const PIECE_CHARACTERS = 40_000;

/** Stores a text in documents of its own. */
export function storeText(draft: Draft, owner: string, text: string): Pieces {
  const pieces = Math.ceil(text.length / PIECE_CHARACTERS);
  for (let n = 0; n < pieces; n++)
    draft.put(routeTexts, {
      id: `${owner}#${n}`,
      text: text.slice(n * PIECE_CHARACTERS, (n + 1) * PIECE_CHARACTERS),
    });
  return { pieces };
}

/** The text as it was stored. */
export const loadText = (state: Pick<State, 'get'>, owner: string, { pieces }: Pieces): string =>
  Array.from({ length: pieces }, (_, n) => state.get(routeTexts, `${owner}#${n}`)?.text ?? '').join('');

export function dropText(draft: Draft, owner: string, { pieces }: Pieces): void {
  for (let n = 0; n < pieces; n++) draft.remove(routeTexts, `${owner}#${n}`);
}
