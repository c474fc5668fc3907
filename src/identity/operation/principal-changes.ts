import {
  type CommandContext,
  hasEnded,
  longJobs,
  operation,
  put,
  queuedLongJob,
  remove,
  type State,
  type Write,
} from '../../store/index.js';
import { type PrincipalChange, principalChanges, takenNames } from '../collections.js';
import type { Homes } from '../homes.js';
import { refusal } from '../refusal.js';

// A name is in documents of all workspaces. Whatever takes a name from a user or a group notes so here and begins a long job, which changes them, one
// workspace after the other; until it is through, nobody else takes the name. What is stopped then is left in the list, and changed when it starts.

/** The type of the long job. */
export const CHANGE_PRINCIPALS = 'change-principals';

/** How many changes one decision looks at: more than one call makes. */
const CHANGES_MAX = 100;

/** A name that a user or a group leaves, for another one (`to`) or for good (null). */
export type LeftName = Pick<PrincipalChange, 'kind' | 'from' | 'to' | 'profileId'>;

/** Has the names changed in all workspaces. Gives the job that does so. */
export function changePrincipals(
  { change: { draft }, events }: Homes,
  left: readonly LeftName[],
  context: Pick<CommandContext, 'caller' | 'commandId'>,
): string {
  const { job, events: queued } = queuedLongJob(draft, { type: CHANGE_PRINCIPALS, parameters: null }, context);
  draft.put(longJobs, job);
  events.push(...queued);
  for (const { kind, from, to, profileId } of left) {
    draft.put(takenNames, { id: from, kind, profileId, leaving: job.id });
    draft.put(principalChanges, { id: draft.ids.next(), kind, from, to, profileId, jobId: job.id, workspaces: null });
  }
  return job.id;
}

/** Requires that the group is not just being given another name, which must be through first. @throws CONFLICT */
export function requireNotChanging({ change }: Homes, profileId: string, field: string): void {
  const [changing] = change.draft.find(principalChanges, 'changing', [profileId], { limit: 1 });
  if (changing === undefined) return;
  throw refusal(
    'CONFLICT',
    `expected group '${changing.to}' to have its name everywhere, but job '${changing.jobId}' is only just giving it that`,
    field,
    changing.jobId,
  );
}

const changesOf = (state: State, jobId: string): PrincipalChange[] =>
  state.find(principalChanges, 'job', [jobId], { limit: CHANGES_MAX });

interface ListedInput {
  readonly jobId: string;
  /** Ids of all that there are. */
  readonly workspaces: readonly string[];
}

/** Notes in which workspaces the job's changes are to be made, unless it was noted before; answers the changes. */
export const listPrincipalChanges = operation('listPrincipalChanges', (state, { jobId, workspaces }: ListedInput) => {
  const changes = changesOf(state, jobId).map((one) => ({ ...one, workspaces: one.workspaces ?? workspaces }));
  return { write: changes.map((one) => put(principalChanges, one)), answer: changes };
});

/** A change is made in a workspace. */
export const notePrincipalChange = operation(
  'notePrincipalChange',
  (state, { id, workspace }: { readonly id: string; readonly workspace: string }) => {
    const known = state.get(principalChanges, id);
    if (!known?.workspaces?.includes(workspace)) return { answer: null };
    return {
      write: left(
        known,
        known.workspaces.filter((one) => one !== workspace),
      ),
      answer: null,
    };
  },
);

/** The change as long as it is to be made somewhere, or its job is not through. */
const left = (change: PrincipalChange, workspaces: readonly string[]): Write[] =>
  change.jobId === null && workspaces.length === 0
    ? [remove(principalChanges, change.id)]
    : [put(principalChanges, { ...change, workspaces })];

/** The job's changes are made wherever somebody is answered: the names are free. `workspaces`: ids of all that there are. */
export const endPrincipalChanges = operation('endPrincipalChanges', (state, { jobId, workspaces }: ListedInput) => ({
  write: changesOf(state, jobId).flatMap((one) => [
    ...left({ ...one, jobId: null }, still(one, workspaces)),
    ...freed(state, one),
  ]),
  answer: null,
}));

/** Where the change is to be made, as far as that is still there. */
const still = ({ workspaces }: PrincipalChange, known: readonly string[]): readonly string[] =>
  (workspaces ?? known).filter((id) => known.includes(id));

const freed = (state: State, { from, jobId }: PrincipalChange): Write[] =>
  state.get(takenNames, from)?.leaving === jobId ? [remove(takenNames, from)] : [];

interface ResumedInput extends Pick<ListedInput, 'workspaces'> {
  /** Behind which change. */
  readonly after: string;
}

/** Begins anew what jobs have failed at, and forgets what was to be done in workspaces that are gone; answers the last change that it looked at, null behind all of them. */
export const resumePrincipalChanges = operation(
  'resumePrincipalChanges',
  (state, { workspaces, after }: ResumedInput, context) => {
    const known = principalChangesBehind(state, after);
    const answer = known.at(-1)?.id ?? null;
    const done = known.filter(
      (one) => one.jobId === null && still(one, workspaces).length < (one.workspaces ?? []).length,
    );
    const forgotten = done.flatMap((one) => left(one, still(one, workspaces)));
    const failed = known.filter(({ jobId }) => jobId !== null && isOver(state, jobId));
    if (failed.length === 0) return { write: forgotten, answer };
    const { job, events } = queuedLongJob(state, { type: CHANGE_PRINCIPALS, parameters: null }, context);
    const resumed = failed.flatMap((one) => [
      put(principalChanges, { ...one, jobId: job.id }),
      ...leavingBy(state, one, job.id),
    ]);
    return { write: [...forgotten, put(longJobs, job), ...resumed], events, answer };
  },
);

/** Some of the changes, in the order in which they were begun. `after`: the id of one; empty: none. */
export const principalChangesBehind = (state: Pick<State, 'range'>, after: string): PrincipalChange[] =>
  // A space sorts before whatever ids have.
  state.range(principalChanges, 'order', [`${after} `], CHANGES_MAX);

function isOver(state: State, jobId: string): boolean {
  const job = state.get(longJobs, jobId);
  return job === undefined || hasEnded(job.actor.value);
}

function leavingBy(state: State, { from, jobId }: PrincipalChange, next: string): Write[] {
  const taken = state.get(takenNames, from);
  return taken === undefined || taken.leaving !== jobId ? [] : [put(takenNames, { ...taken, leaving: next })];
}
