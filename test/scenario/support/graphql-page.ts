import { parse } from 'graphql';
import type { GraphqlClient } from '../../support/graphql-client.js';
import { Events, type Received } from './events.js';

/** An operation in a page, and the answer that the page shows below it: of a subscription, the events that the rest of the page brings. */
export interface Example {
  readonly query: string;
  /** Who sends it. Default: admin. */
  readonly user: string;
  /** How many events a subscription brings. */
  readonly events: number;
  readonly answer: unknown;
  /** Where in the page the answer is, or would be: from and to, as offsets. */
  readonly place: readonly [number, number];
}

const BLOCK =
  /^```graphql run(?: as (?<user>\w+))?(?: for (?<events>\d+) events)?\n(?<query>[\s\S]*?)^```\n(?<shown>\n```json\n(?<answer>[\s\S]*?)^```\n)?/gm;

/** The blocks that are marked `graphql run`, each with the `json` block that follows at once. */
export const examplesOf = (page: string): Example[] =>
  [...page.matchAll(BLOCK)].map((match) => {
    const { user = 'admin', events = '0', query = '', shown = '', answer = 'null' } = match.groups ?? {};
    const end = (match.index ?? 0) + match[0].length;
    return { user, events: Number(events), query, answer: JSON.parse(answer), place: [end - shown.length, end] };
  });

/**
 * What the clients are answered, in the order of the page, errors as their code and message, identifiers, cursors, revisions and times left out. `"…"` in a document
 * stands for the last identifier or cursor that was answered.
 */
export async function answersOf(
  examples: readonly Example[],
  clientOf: (user: string) => GraphqlClient,
): Promise<unknown[]> {
  const answers: (Received | unknown)[] = [];
  const streams: Events[] = [];
  let last = '';
  try {
    for (const { query, user } of examples) {
      const document = query.replaceAll('"…"', JSON.stringify(last));
      if (isSubscription(query)) {
        const events = new Events(clientOf(user), true);
        streams.push(events);
        answers.push(events.follow(document));
        await events.connected(1);
        continue;
      }
      const { data, errors } = await clientOf(user).ask(document);
      const told = errors?.map(({ message, extensions }) => ({ code: extensions.code, message }));
      const text = JSON.stringify(told === undefined ? data : { errors: told });
      last = [...text.matchAll(/"(?:id|uuid|uploadId|endCursor)":"([^"]+)"/g)].at(-1)?.[1] ?? last;
      answers.push(JSON.parse(masked(text)));
    }
    return await Promise.all(answers.map((answer, n) => arrived(answer, examples[n]?.events ?? 0)));
  } finally {
    for (const events of streams) events.close();
  }
}

const isSubscription = (query: string): boolean =>
  parse(query).definitions.some((it) => it.kind === 'OperationDefinition' && it.operation === 'subscription');

const arrived = async (answer: unknown, count: number): Promise<unknown> =>
  answer instanceof Object && 'events' in answer
    ? JSON.parse(masked(JSON.stringify(await (answer as Received).events(count))))
    : answer;

const masked = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '…')
    .replaceAll(/\bversion \d{2,}\b/g, 'version …')
    .replaceAll(/"(cursor|endCursor|startCursor)":"[^"]+"/g, '"$1":"…"')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '…');

/** The page with the answers of a run. */
export function withAnswers(page: string, examples: readonly Example[], answers: readonly unknown[]): string {
  let text = page;
  for (const [index, { place }] of [...examples.entries()].reverse()) {
    const block = `\n\`\`\`json\n${JSON.stringify(answers[index], null, 2)}\n\`\`\`\n`;
    text = text.slice(0, place[0]) + block + text.slice(place[1]);
  }
  return text;
}
