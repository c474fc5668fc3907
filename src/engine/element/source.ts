import type { Answer } from '../../store/index.js';
import type { Source } from '../model/program.js';
import { evaluate, evaluateTyped } from './evaluate.js';
import { type ExecutionFacts, executionFacts, ownNames, parentId } from './execution-bean.js';
import { ask, executionFailed } from './failure.js';
import { evaluateFeel } from './feel.js';
import type { Scope, TypedValue, Variables } from './instance-state.js';
import { native, textOf } from './native.js';
import { apply } from './outcome.js';
import type { At, Run } from './run.js';
import { type TaskView, taskView } from './task-bean.js';
import { visible } from './variables.js';

/** The value of an expression or a script. @throws EXECUTION_FAILED */
export function evaluateSource(run: Run, at: At, source: Source): unknown {
  if (isExpression(source)) return evaluate(run, at, source.text);
  if (source.language === 'feel') return native(evaluateFeel(run, at, source.text).value);
  return native(runScript(run, at, source.language, scriptOf(run, at, source)));
}

/** As {@link evaluateSource}, with the type that a variable gets of it. @throws EXECUTION_FAILED */
export function typedSource(run: Run, at: At, source: Source): TypedValue {
  if (isExpression(source)) return evaluateTyped(run, at, source.text);
  if (source.language === 'feel') return evaluateFeel(run, at, source.text).value;
  return runScript(run, at, source.language, scriptOf(run, at, source));
}

/** The text of a script, or what its expression gives. @throws EXECUTION_FAILED where that is nothing */
function scriptOf(run: Run, at: At, { text, made }: Extract<Source, { kind: 'script' }>): string {
  const script = made ? textOf(evaluate(run, at, text)) : text;
  if (script !== null) return script;
  throw executionFailed(at.place, { expected: `a script from '${text}'`, expression: text, cause: 'it gives nothing' });
}

/** A script in Camunda's expression language needs no sandbox. */
const isExpression = (source: Source): source is Exclude<Source, { kind: 'script' }> =>
  source.kind === 'expression' || source.language.toLowerCase() === 'juel';

/** Whether a condition holds. As in Camunda it must be true or false, nothing that could be taken for it. @throws EXECUTION_FAILED */
export function holds(run: Run, at: At, condition: Source): boolean {
  const isFeel = condition.kind === 'script' && condition.language === 'feel';
  const feel = isFeel ? evaluateFeel(run, at, condition.text) : undefined;
  const value = feel === undefined ? evaluateSource(run, at, condition) : feel.value.value;
  if (typeof value === 'boolean') return value;
  const found = (value === null || value === undefined ? 'null' : `a ${typeof value}`) + because(feel?.cause);
  throw executionFailed(at.place, {
    expected: `condition '${condition.text}' to be true or false`,
    cause: `condition expression returns non-Boolean: it is ${found}`,
    ...(condition.kind === 'script' && !isFeel ? { script: condition.text } : { expression: condition.text }),
  });
}

const because = (cause: string | null | undefined): string => (cause == null ? '' : `, for ${cause}`);

/** Question of a script: how it is run, and what it sees. The same run asks the same. */
interface ScriptQuestion {
  readonly language: string;
  readonly source: string;
  readonly elementId: string;
  /** The time it sees, ms. */
  readonly now: number;
  /** Decides its random numbers. */
  readonly seed: string;
  readonly execution: ExecutionFacts & { readonly parentId?: string | null };
  /** Of a task listener. */
  readonly task?: TaskView;
  readonly variables: Variables;
  /** The names of others that it sees, and that its text does not name. Absent: there are none, or a former version asked. */
  readonly withheld?: readonly string[];
  /** Which of them are the activity's own. Absent: a former version asked. */
  readonly own?: readonly string[];
  /** Which of them are not the process's, and what of the process they hide. Absent: none are, or a former version asked. */
  readonly inner?: readonly string[];
  readonly hidden?: Variables;
}

/** Runs a script through an ask: the sandbox is not the interpreter's. What the script set is set. Gives its result. @throws EXECUTION_FAILED */
function runScript(run: Run, at: At, language: string, source: string): TypedValue {
  const question = questionOf(run, at, language, source);
  const withheld = run.rules < 8 || READS_MANY.test(source) ? [] : unnamed(question.variables, source);
  let answer = ask(run, 'script', withheld.length === 0 ? question : withholding(question, withheld));
  if (withheld.length > 0 && isShort(answer)) answer = ask(run, 'script', question);
  if ('error' in answer) {
    throw executionFailed(at.place, {
      expected: `to run the ${language} script`,
      script: source,
      cause: answer.error.message,
    });
  }
  return apply(run, at, answer.value);
}

/** A script that reads variables by names that it makes needs all at once. */
const READS_MANY = /getVariable(?:s|Names|\w*\(\s*[^\s'"])/;

/** Variables that a script reads by names that it makes, if it reads them. */
const unnamed = (variables: Variables, source: string): string[] =>
  Object.keys(variables).filter((name) => !source.includes(name));

/** What is large need not be read, let alone be handed over, where the script does not look at it. */
function withholding(question: ScriptQuestion, withheld: readonly string[]): ScriptQuestion {
  const names = new Set(withheld);
  const variables = Object.fromEntries(Object.entries(question.variables).filter(([name]) => !names.has(name)));
  return { ...question, variables, withheld };
}

/** Whether the script has looked at what was withheld. */
const isShort = (answer: Answer): boolean =>
  'value' in answer && (answer.value as { readonly isShort?: unknown } | null)?.isShort === true;

/** The same run asks the same. */
function questionOf(run: Run, at: At, language: string, source: string): ScriptQuestion {
  return {
    language,
    source,
    elementId: at.place.element.id,
    now: run.context.now,
    seed: run.context.ids.next(),
    ...(at.task !== undefined && { task: taskView(run, at, at.task) }),
    execution: factsFor(run, at),
    variables: visible(run, at.scope),
    ...(run.rules >= 3 && { own: ownNames(run, at) }),
    ...(run.rules >= 8 && aroundWhole(run, at)),
  };
}

/** What lies between the script and the process. */
function aroundWhole(run: Run, at: At): Pick<ScriptQuestion, 'inner' | 'hidden'> {
  const names = new Set<string>();
  let scope: Scope | undefined = run.scope(at.scope);
  for (; scope !== undefined && scope.id !== 0; scope = run.around(scope))
    for (const name in scope.variables) names.add(name);
  if (names.size === 0) return {};
  const hidden = Object.entries(run.scope(0).variables).filter(([name]) => names.has(name));
  return { inner: [...names], ...(hidden.length > 0 && { hidden: Object.fromEntries(hidden) }) };
}

/** The question of a run that is replayed is the one that it asked. */
function factsFor(run: Run, at: At): ScriptQuestion['execution'] {
  const facts = executionFacts(run, at);
  return run.rules < 3 ? facts : { ...facts, parentId: parentId(run, at) };
}
