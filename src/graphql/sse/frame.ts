/** Frames of the GraphQL over Server-Sent Events protocol (graphql-sse, PROTOCOL.md). `id` is what the client resumes from. */

/** One result, as JSON; `operationId` in single connection mode. */
export const nextFrame = (result: string, id?: string, operationId?: string): string =>
  `event: next\n${idLine(id)}data: ${operationId === undefined ? result : `{"id":${JSON.stringify(operationId)},"payload":${result}}`}\n\n`;

/** The end of an operation; final for the client. */
export const completeFrame = (id?: string, operationId?: string): string =>
  `event: complete\n${idLine(id)}data:${operationId === undefined ? '' : ` ${JSON.stringify({ id: operationId })}`}\n\n`;

/** A comment that keeps proxies from closing the connection; its id moves the client's place on without an event. */
export const heartbeatFrame = (id?: string): string => `: heartbeat\n${idLine(id)}\n`;

/** The standard takes an id with NUL for none, and a line break would end it. */
const idLine = (id: string | undefined) => (id === undefined || /[\0\r\n]/.test(id) ? '' : `id: ${id}\n`);
