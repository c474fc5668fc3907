import type { Incident } from '../../store/index.js';

/** Incidents of one kind that were opened and have not been told of. */
export interface OpenedIncidents {
  /** `failedJob`, `failedDeployment`, …; null: of several kinds, which are not told apart any more. */
  readonly type: string | null;
  /** Of the process; null: of none, or of several. */
  readonly definitionKey: string | null;
  readonly count: number;
  /** The first of them. */
  readonly incidentId: string;
  /** What that says, cut where it is long. */
  readonly message: string | null;
}

/** How many kinds are told apart; all others are told as one. */
const KINDS_MAX = 10;
const MESSAGE_LENGTH_MAX = 500;

/** The list with one more incident: counted with its kind, or with all others where there are {@link KINDS_MAX}. */
export function withIncident(opened: readonly OpenedIncidents[], incident: Incident): readonly OpenedIncidents[] {
  const known = opened.findIndex((one) => isSame(one, incident));
  const kind = known >= 0 || opened.length < KINDS_MAX ? incident : OTHERS;
  const at = kind === incident ? known : opened.findIndex((one) => isSame(one, OTHERS));
  if (at >= 0) return opened.map((one, i) => (i === at ? { ...one, count: one.count + 1 } : one));
  const message = incident.message === null ? null : cut(incident.message, MESSAGE_LENGTH_MAX);
  const { type, definitionKey } = kind;
  return [...opened, { type, definitionKey, count: 1, incidentId: incident.id, message }];
}

/** Without those that were told of. */
export const without = (
  opened: readonly OpenedIncidents[],
  told: readonly OpenedIncidents[],
): readonly OpenedIncidents[] =>
  opened
    .map((one) => ({ ...one, count: one.count - (told.find((other) => isSame(one, other))?.count ?? 0) }))
    .filter(({ count }) => count > 0);

type Kind = Pick<OpenedIncidents, 'type' | 'definitionKey'>;

const OTHERS: Kind = { type: null, definitionKey: null };

const isSame = (a: Kind, b: Kind): boolean => a.type === b.type && a.definitionKey === b.definitionKey;

/** A text of so many characters at most, not cut between the halves of one. */
export const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
