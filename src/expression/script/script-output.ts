import { isVariableName, VARIABLE_NAME, VARIABLE_NAME_MAX } from '../../shared/sound-text.js';
import type { PreludeOutcome } from './prelude.js';
import type { ScriptDone, ScriptFailure, ScriptType } from './script-run.js';

/** The most that a script may give back, in characters of JSON: a variable of 4,000,000, and again as the value of the statement that sets it. */
const OUTPUT_LENGTH_MAX = 8_388_608;
/** The deepest nesting of what it may give back. */
const OUTPUT_DEPTH_MAX = 100;

/**
 * The outcome of a script, from the text that came out of the sandbox. The script may have written that text itself, so nothing in it is taken on
 * trust: size, nesting, names and types are checked here.
 */
export function readOutput(text: string): ScriptDone | { readonly error: ScriptFailure } {
  const refused = (message: string) => ({ error: { kind: 'output' as const, message } });
  const problem = outputProblem(text);
  if (problem !== undefined) return { error: problem };
  try {
    return done(JSON.parse(text) as PreludeOutcome);
  } catch (thrown) {
    if (thrown instanceof BadName) return refused(thrown.message);
    return refused('expected a result and variables that can be written as JSON');
  }
}

/** Failure of an outcome that must not be read at all, for its size or its depth; undefined: it may be read. */
export function outputProblem(text: string): ScriptFailure | undefined {
  const refused = (message: string) => ({ kind: 'output' as const, message });
  if (text.length > OUTPUT_LENGTH_MAX) {
    return refused(`expected a result and variables of at most ${OUTPUT_LENGTH_MAX} characters of JSON in all`);
  }
  if (depthOf(text) <= OUTPUT_DEPTH_MAX) return undefined;
  return refused(`expected a result and variables of at most ${OUTPUT_DEPTH_MAX} levels`);
}

class BadName extends Error {}

function done({
  result,
  variables,
  locals,
  removed,
  businessKey,
  bpmnError,
  task,
  ...more
}: PreludeOutcome): ScriptDone {
  const { process = [], processRemoved = [] } = more;
  const type = typeOf(result[1]);
  const [values, valueTypes] = collect(variables);
  const [localValues, localTypes] = collect(locals);
  const [processValues, processTypes] = collect(process);
  const setsProcess = process.length > 0;
  return {
    result: result[0] ?? null,
    variables: values,
    locals: localValues,
    removed: removed.map(checkedName),
    ...(setsProcess && { process: processValues }),
    ...(processRemoved.length > 0 && { processRemoved: processRemoved.map(checkedName) }),
    types: {
      ...(type !== undefined && { result: type }),
      variables: valueTypes,
      locals: localTypes,
      ...(setsProcess && { process: processTypes }),
    },
    ...(task.length > 0 && {
      task: task.map(([method, value]) => ({ method: checkedName(method), value: value ?? null })),
    }),
    ...(businessKey !== null && { businessKey: businessKey[0] == null ? null : String(businessKey[0]) }),
    ...(bpmnError !== null && { bpmnError: checkedError(bpmnError) }),
    ...(more.isShort && { isShort: true }),
  };
}

function collect(entries: PreludeOutcome['variables']): [Record<string, unknown>, Record<string, ScriptType>] {
  const values: Record<string, unknown> = {};
  const types: Record<string, ScriptType> = {};
  for (const [name, value, type] of entries) {
    const checked = checkedName(name);
    values[checked] = value ?? null;
    const known = typeOf(type);
    if (known !== undefined) types[checked] = known;
  }
  return [values, types];
}

const typeOf = (type: unknown): ScriptType | undefined =>
  type === 'Date' || type === 'Long' || type === 'Double' ? type : undefined;

function checkedError({ code, message }: { code: unknown; message: unknown }) {
  return { code: String(code).slice(0, VARIABLE_NAME_MAX), message: message === null ? null : String(message) };
}

function checkedName(name: unknown): string {
  if (isVariableName(name)) return name;
  throw new BadName(`expected ${VARIABLE_NAME}, but found '${String(name).slice(0, 80)}'`);
}

/** How deep the brackets of a JSON text are nested, without reading it: JSON.parse and what comes after it may recurse. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character === QUOTE) i = endOfString(text, i + 1);
    else if (character === OPEN_LIST || character === OPEN_MAP) deepest = Math.max(deepest, ++depth);
    else if (character === CLOSE_LIST || character === CLOSE_MAP) depth--;
  }
  return deepest;
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Where the string that began before `start` ends: the place of its closing quote. */
function endOfString(text: string, start: number): number {
  let i = start;
  while (i < text.length && text.charCodeAt(i) !== QUOTE) i += text.charCodeAt(i) === BACKSLASH ? 2 : 1;
  return i;
}
