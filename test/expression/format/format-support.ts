import { dataFormat } from '../../../src/expression/format/data-formats.js';
import { answerOf, exchangeOf } from '../exchange-support.js';

type Options = Readonly<Record<string, unknown>>;

export const formatOf = (kind: string, options: Options = {}) =>
  dataFormat({ kind, options, at: { line: 3, column: 1 } });

/** What a format makes of a value, as text. */
export async function marshalled(kind: string, value: unknown, options: Options = {}): Promise<string> {
  return String(await answerOf(formatOf(kind, options).marshal(exchangeOf(value), value)));
}

export const unmarshalled = (kind: string, value: unknown, options: Options = {}): Promise<unknown> =>
  answerOf(formatOf(kind, options).unmarshal(exchangeOf(value), value));
