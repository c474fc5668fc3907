import { compileForm } from './compile-form.js';
import { body, extensions, isA, type ModdleElement, many, one, text } from './moddle-element.js';
import type { UserTaskDefinition } from './program.js';
import type { Report } from './report.js';

/** How many people, or groups, one attribute may name. */
const ENTRIES_MAX = 1_000;

/** Who does a user task, until when, and with which form: Camunda's attributes and BPMN's resource roles (BPMN 2.0 §10.3.1). */
export function compileUserTask(element: ModdleElement, report: Report): UserTaskDefinition {
  const attribute = (name: string) => {
    const value = text(element, `camunda:${name}`);
    return value === null ? null : report.expression(element, `camunda:${name}`, value);
  };
  const owners = many(element, 'resources')
    .filter((role) => isA(role, 'bpmn:PotentialOwner'))
    .flatMap((role) => userOrGroups(resourceExpression(role)));
  checked(
    owners.map(({ name }) => name),
    'potential owner',
    element,
    report,
  );
  const form = compileForm(element, report);
  return {
    assignee: assignee(element, report),
    owner: null,
    candidateUsers: [...list(element, 'candidateUsers', report), ...owners.flatMap((o) => (o.isUser ? [o.name] : []))],
    candidateGroups: [
      ...list(element, 'candidateGroups', report),
      ...owners.flatMap((o) => (o.isUser ? [] : [o.name])),
    ],
    dueDate: date(element, 'dueDate', report),
    followUpDate: date(element, 'followUpDate', report),
    priority: report.priority(element, 'camunda:priority'),
    formKey: attribute('formKey'),
    ...(form !== undefined && { form }),
  };
}

/** The people and groups who may start a process: Camunda's attributes and `camunda:potentialStarter`. */
export function compileStarters(
  element: ModdleElement,
  report: Report,
): { users: readonly string[]; groups: readonly string[] } {
  const starters = extensions(element, 'camunda:PotentialStarter').flatMap((role) =>
    userOrGroups(resourceExpression(role)),
  );
  return {
    users: [...list(element, 'candidateStarterUsers', report), ...starters.flatMap((s) => (s.isUser ? [s.name] : []))],
    groups: [
      ...list(element, 'candidateStarterGroups', report),
      ...starters.flatMap((s) => (s.isUser ? [] : [s.name])),
    ],
  };
}

/** The entries of a comma list; commas within an expression are part of it. */
function commaList(value: string | null): readonly string[] {
  const entries = value?.match(/(?:[$#]\{(?:'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|[^}'"])*\}|[^,])+/g) ?? [];
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

function list(element: ModdleElement, name: string, report: Report): readonly string[] {
  return checked(commaList(text(element, `camunda:${name}`)), `camunda:${name}`, element, report);
}

function checked(entries: readonly string[], what: string, element: ModdleElement, report: Report): readonly string[] {
  if (entries.length > ENTRIES_MAX)
    report.problem(
      element,
      `has ${entries.length} entries as ${what}, but expected at most ${ENTRIES_MAX}`,
      'user-task-entries',
    );
  const found = entries.slice(0, ENTRIES_MAX);
  for (const entry of found) report.expression(element, what, entry);
  return found;
}

function assignee(element: ModdleElement, report: Report): string | null {
  const attribute = text(element, 'camunda:assignee');
  const performers = many(element, 'resources').filter(
    (role) => isA(role, 'bpmn:HumanPerformer') && !isA(role, 'bpmn:PotentialOwner'),
  );
  const [performer] = performers;
  if (performers.length > 1)
    report.problem(
      element,
      `has ${performers.length} human performers, but expected at most one`,
      'user-task-one-performer',
    );
  if (performer !== undefined && attribute !== null) {
    report.problem(
      element,
      'has a human performer and a camunda:assignee, but expected one of the two',
      'user-task-one-assignee',
    );
  }
  const value = attribute ?? (performer === undefined ? null : resourceExpression(performer));
  return value === null ? null : report.expression(element, 'assignee', value);
}

function date(element: ModdleElement, name: string, report: Report): string | null {
  const value = text(element, `camunda:${name}`);
  return value && report.time(element, `camunda:${name}`, value, 'instant');
}

function resourceExpression(role: ModdleElement): string | null {
  const assignment = one(role, 'resourceAssignmentExpression');
  return assignment === null ? null : body(one(assignment, 'expression'));
}

/** `user(x), group(y), z`: an entry without a word is a group, as Camunda reads it. */
function userOrGroups(value: string | null): readonly { name: string; isUser: boolean }[] {
  return commaList(value).map((entry) => {
    const match = /^(user|group)\(([\s\S]*)\)$/.exec(entry);
    return { name: (match?.[2] ?? entry).trim(), isUser: match?.[1] === 'user' };
  });
}
