import { duration, integer } from './settings.js';

/** How much is begun at once, and how long the rest may wait. */
export const admissionLimits = {
  mutationsMax: integer(
    'MILLRACE_MUTATIONS_AT_ONCE',
    64,
    [1, 10_000],
    'Mutations of a workspace that are worked at; more wait for their turn. One that waits for what it set off, or for a script or a plan, is none of them.',
  ),
  requestWaitMs: duration(
    'MILLRACE_REQUEST_WAIT',
    '500ms',
    'How long a GraphQL request may wait for its turn; then 503 with Retry-After. Where requests have had to wait for a fifth of it for as long as it, a fifth is all they may wait.',
  ),
  requestsWaitingMax: integer(
    'MILLRACE_REQUESTS_WAITING_MAX',
    2000,
    [1, 100_000],
    'Mutations of a workspace, and queries, that may wait for their turn; above it 503 with Retry-After.',
  ),
  queryReadsMax: integer(
    'MILLRACE_QUERY_READS_MAX',
    250,
    [1, 100_000],
    "Lists and reports of queries that the reader's thread has before it; above it 503 with Retry-After. What a mutation reads back of what it changed is none of them.",
  ),
};
