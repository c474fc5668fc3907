import { incidents } from '../../src/store/incident/incident.js';
import { jobs } from '../../src/store/job/job.js';
import { JOB_DEATHS_MAX } from '../../src/store/job/job-class.js';
import { commitBodyOf } from '../../src/store/log/packed.js';
import type { State } from '../../src/store/state.js';
import { counters } from '../support/test-domain.js';
import type { Follower } from './follower.js';
import { stored } from './stage.js';
import type { Call } from './story.js';

interface Event {
  readonly type: string;
  readonly ids: { readonly id: string };
  readonly data: unknown;
}

interface Commit {
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly events: readonly Event[];
}

export interface Checked {
  readonly calls: readonly Call[];
  readonly followers: readonly Follower[];
  /** How often the server was killed. */
  readonly kills: number;
  /** Whether history went back: then what was answered need not be there. */
  readonly isLossy: boolean;
  /** What is stored, when all is done. */
  readonly state: State;
  readonly wrong: string[];
}

/** Compares what callers and followers were told with the log, which is the truth, and the log with itself. */
export function check({ calls, followers, kills, isLossy, state, wrong }: Checked): void {
  const commits = allCommits();
  denseAndOnce(commits, wrong);
  if (!isLossy) answersAreTrue(calls, commits, wrong);
  countersAdd(commits, state, wrong);
  worksOnce(commits, { kills, state }, wrong);
  for (const follower of followers) streamIsWhole(follower, commits, wrong);
}

function allCommits(): Commit[] {
  const rows = stored().prepare('SELECT revision, id, body FROM commits ORDER BY revision').all();
  return rows.map(({ revision, id, body }) => {
    const { type, events } = commitBodyOf(String(body));
    return { revision: Number(revision), id: String(id), type, events: events as readonly Event[] };
  });
}

/** No revision is missing, and no command is there twice. */
function denseAndOnce(commits: readonly Commit[], wrong: string[]): void {
  const ids = new Set<string>();
  for (const [i, { revision, id, type }] of commits.entries()) {
    if (revision !== i + 1) wrong.push(`commit ${i + 1} is missing`);
    if (ids.has(id)) wrong.push(`command ${id} (${type}) is there twice`);
    ids.add(id);
  }
}

/** What was answered is there, as it was answered; what was refused is not. */
function answersAreTrue(calls: readonly Call[], commits: readonly Commit[], wrong: string[]): void {
  const byId = new Map(commits.map((commit) => [commit.id, commit]));
  for (const { operation, key, input, outcome } of calls) {
    const called = `${operation} ${JSON.stringify(input)}${key === null ? '' : ` (${key})`}`;
    const commit = key === null ? undefined : byId.get(key);
    if (outcome === null) {
      if (key !== null) wrong.push(`${called} was never answered`);
      continue;
    }
    if ('code' in outcome) {
      if (commit !== undefined && commit.events.length > 0) wrong.push(`${called} was refused, but it happened`);
      continue;
    }
    if (key !== null && commit === undefined) wrong.push(`${called} was answered, but is not in the log`);
    if (commit !== undefined && !isAnswer(commit, outcome.answer))
      wrong.push(`${called} was answered ${JSON.stringify(outcome.answer)}, but the log says otherwise`);
    if (key === null && operation !== 'look' && !commits.some((one) => says(one, outcome)))
      wrong.push(`${called} was answered ${JSON.stringify(outcome)}, but nothing in the log says so`);
  }
}

/** Whether a command without a key, answered so, may be this commit. */
const says = (commit: Commit, { answer, revision }: { readonly answer: unknown; readonly revision: number }) =>
  commit.revision === revision && isAnswer(commit, answer);

function isAnswer({ type, events }: Commit, answer: unknown): boolean {
  if (type === 'order') return events[0]?.ids.id === answer;
  const values = events.map(({ data }) => data);
  if (type === 'spread') return JSON.stringify(values) === JSON.stringify(answer);
  return type === 'look' || values[0] === answer;
}

/** Each change of a counter follows the one before, and the last is what is stored. */
function countersAdd(commits: readonly Commit[], state: State, wrong: string[]): void {
  const last = new Map<string, number>();
  for (const { type, events } of commits) {
    for (const { type: event, ids, data } of events) {
      if (event !== 'changed') continue;
      const before = last.get(ids.id) ?? 0;
      if (type === 'spread' && data !== before + 1) wrong.push(`counter ${ids.id} went from ${before} to ${data}`);
      last.set(ids.id, Number(data));
    }
  }
  for (const [id, value] of last) {
    const found = state.get(counters, id)?.value;
    if (found !== value) wrong.push(`counter ${id} is ${found}, but the log ends with ${value}`);
    if (id.startsWith('greeted:') && value !== 1) wrong.push(`${id} was greeted ${value} times`);
  }
}

/** Every order was worked on once, with all that follows it, and was greeted; nothing is left over. */
function worksOnce(
  commits: readonly Commit[],
  { kills, state }: Pick<Checked, 'kills' | 'state'>,
  wrong: string[],
): void {
  const events = commits.flatMap((commit) => commit.events);
  const worked = new Map<string, number>();
  for (const { type, ids } of events) if (type === 'worked') worked.set(ids.id, (worked.get(ids.id) ?? 0) + 1);
  for (const [id, times] of worked) if (times !== 1) wrong.push(`job ${id} was done ${times} times`);
  // A job that has seen the death of its server so often is dead, and is meant to be.
  const dead = new Set(
    kills < JOB_DEATHS_MAX ? [] : state.range(incidents, 'created', [0], 1_000).map(({ jobId }) => jobId),
  );
  const ordered = events.filter(({ type }) => type === 'ordered').map(({ ids }) => ids.id);
  for (const id of ordered) {
    if (!worked.has(id) && !dead.has(id)) wrong.push(`order ${id} was not worked on`);
    if (state.get(counters, `greeted:${id}`)?.value !== 1) wrong.push(`order ${id} was not greeted`);
  }
  for (const job of state.range(jobs, 'due', [0], 1_000))
    if (!dead.has(job.id)) wrong.push(`job ${job.id} is still ${job.actor.value}`);
}

/** Whoever follows was shown every event once, in order. */
function streamIsWhole(follower: Follower, commits: readonly Commit[], wrong: string[]): void {
  const all = commits.flatMap(({ revision, events }) => events.map((_, index) => `${revision}.${index}`));
  const at = all.findIndex((one, i) => one !== follower.seen[i]);
  if (at >= 0) wrong.push(`a stream has ${follower.seen[at] ?? 'nothing'} where the log has ${all[at]}`);
  else if (follower.seen.length > all.length)
    wrong.push(`a stream has more than the log: ${follower.seen[all.length]}`);
}
