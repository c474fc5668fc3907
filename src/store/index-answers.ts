import type { Scalar } from './collection.js';
import type { Entry } from './entries.js';
import { textOfValues } from './order.js';
import type { Row } from './replica.js';

/** Columns that a question of an index gives values for. */
export interface Asked {
  /** Where the columns that have them stand in the collection; none: it asks for a range. */
  readonly positions: readonly number[];
  readonly values: readonly Scalar[];
}

/** Answer of an index to a question. */
export interface Answer extends Asked {
  readonly rows: readonly Row[];
}

/** How many answers are kept, of how many rows each, and how many characters of them. */
const ANSWERS_MAX = 1_000;
const ROWS_MAX = 100;
const CHARACTERS_MAX = 4_194_304;

/**
 * Answers of the indexes of one collection. A document that is written changes an answer only where it is among the rows, or has the values
 * that were asked for: whatever else lies outside, or behind the last row that was wanted.
 */
export class IndexAnswers {
  readonly #answers = new Map<string, Answer>();
  #characters = 0;
  /** The questions by the ids of the rows that answer them. */
  readonly #byRow = new Map<string, Set<string>>();
  /** The questions by the columns that they give values for, and these values. */
  readonly #byValues = new Map<
    string,
    { readonly positions: readonly number[]; readonly asked: Map<string, Set<string>> }
  >();

  rows(question: string): readonly Row[] | undefined {
    return this.#answers.get(question)?.rows;
  }

  keep(question: string, answer: Answer): void {
    if (answer.rows.length > ROWS_MAX) return;
    const characters = charactersOf(answer);
    if (this.#answers.size >= ANSWERS_MAX || this.#characters + characters > CHARACTERS_MAX) this.#clear();
    this.#answers.set(question, answer);
    this.#characters += characters;
    for (const { id } of answer.rows) add(this.#byRow, id, question);
    const { positions, values } = answer;
    const columns = positions.join();
    let alike = this.#byValues.get(columns);
    if (alike === undefined) {
      alike = { positions, asked: new Map() };
      this.#byValues.set(columns, alike);
    }
    add(alike.asked, textOfValues(values), question);
  }

  /** The document is written so, or removed. */
  touch({ id, body, columns }: Entry): void {
    if (this.#answers.size === 0) return;
    for (const question of this.#byRow.get(id) ?? []) this.#drop(question);
    if (body === null) return;
    for (const { positions, asked } of this.#byValues.values()) {
      const questions = asked.get(textOfValues(positions.map((position) => columns[position] ?? null)));
      for (const question of questions ?? []) this.#drop(question);
    }
  }

  #drop(question: string): void {
    const answer = this.#answers.get(question);
    if (answer === undefined) return;
    this.#answers.delete(question);
    this.#characters -= charactersOf(answer);
    for (const { id } of answer.rows) remove(this.#byRow, id, question);
    const asked = this.#byValues.get(answer.positions.join())?.asked;
    if (asked !== undefined) remove(asked, textOfValues(answer.values), question);
  }

  #clear(): void {
    this.#answers.clear();
    this.#characters = 0;
    this.#byRow.clear();
    this.#byValues.clear();
  }
}

const charactersOf = ({ rows }: Answer): number => rows.reduce((sum, { body }) => sum + body.length, 0);

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}

function remove(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  set?.delete(value);
  if (set?.size === 0) sets.delete(key);
}
