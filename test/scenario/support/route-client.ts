import type { GraphqlClient } from '../../support/graphql-client.js';

/** What a message came to that was sent to an endpoint. */
export interface Sent {
  readonly success: boolean;
  readonly body: string | null;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly exception: string | null;
}

/** Deploys a route and starts it. `steps`: YAML, each line by itself. */
export const createRoute = (by: GraphqlClient, id: string, steps: string, uri = `direct:${id}`) =>
  by.run('mutation ($input: CreateRouteInput!) { createRoute(input: $input) { id } }', {
    input: {
      routeId: id,
      autoStart: true,
      yaml: `- route:\n    id: ${id}\n    from:\n      uri: ${uri}\n      steps:\n${indented(steps)}`,
    },
  });

const indented = (steps: string): string =>
  steps
    .trim()
    .split('\n')
    .map((line) => `        ${line}\n`)
    .join('');

/** Sends a message as an administrator, and gives what came of it. */
export async function send(
  by: GraphqlClient,
  endpointUri: string,
  body: unknown = null,
  headers: object = {},
): Promise<Sent> {
  const { sendToEndpoint } = await by.run(
    'mutation ($input: SendToEndpointInput!) { sendToEndpoint(input: $input) { success body headers exception } }',
    { input: { endpointUri, body, headers } },
  );
  return sendToEndpoint as Sent;
}
