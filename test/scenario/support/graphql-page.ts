import type { GraphqlClient } from '../../support/graphql-client.js';

/** An operation in a page, and the answer that the page shows below it. */
export interface Example {
  readonly query: string;
  readonly answer: unknown;
  /** Where in the page the answer is, or would be: from and to, as offsets. */
  readonly place: readonly [number, number];
}

const BLOCK = /^```graphql run\n([\s\S]*?)^```\n(\n```json\n([\s\S]*?)^```\n)?/gm;

/** The blocks that are marked `graphql run`, each with the `json` block that follows at once. */
export const examplesOf = (page: string): Example[] =>
  [...page.matchAll(BLOCK)].map((match) => {
    const [whole, query = '', shown = '', answer = 'null'] = match;
    const end = (match.index ?? 0) + whole.length;
    return { query, answer: JSON.parse(answer), place: [end - shown.length, end] };
  });

/** What the client is answered, errors as their code and message, ids and times left out. */
export async function answerOf(client: GraphqlClient, query: string): Promise<unknown> {
  const { data, errors } = await client.ask(query);
  const told = errors?.map(({ message, extensions }) => ({ code: extensions.code, message }));
  const text = JSON.stringify(told === undefined ? data : { errors: told });
  return JSON.parse(
    text
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '…')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '…'),
  );
}

/** The page with the answers of a run. */
export function withAnswers(page: string, examples: readonly Example[], answers: readonly unknown[]): string {
  let text = page;
  for (const [index, { place }] of [...examples.entries()].reverse()) {
    const block = `\n\`\`\`json\n${JSON.stringify(answers[index], null, 2)}\n\`\`\`\n`;
    text = text.slice(0, place[0]) + block + text.slice(place[1]);
  }
  return text;
}
