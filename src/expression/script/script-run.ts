/** A typed variable, as process variables are kept: Date is ISO 8601 text, a Long beyond ±2^53 text. */
export interface ScriptVariable {
  readonly type: string;
  readonly value: unknown;
}

/** Facts for a script about where it runs: `execution.getProcessInstanceId()` reads `processInstanceId`, and so on for every key. */
export interface ScriptExecution {
  readonly id: string;
  readonly processInstanceId: string;
  readonly processDefinitionId: string;
  readonly processBusinessKey: string | null;
  readonly currentActivityId: string | null;
  readonly [key: string]: string | boolean | null;
}

/** One run of a script. The same run gives the same result, at any time and on any server. */
export interface ScriptRun {
  /** JavaScript, ECMAScript 2023. */
  readonly source: string;
  /** All variables that the script's scope sees; each is a global too, unless JavaScript itself has one of that name. */
  readonly variables: Readonly<Record<string, ScriptVariable>>;
  /** Names of more variables that it sees: a run that would read one of these ends, and says so. Default: none. */
  readonly withheld?: readonly string[];
  /** Time that `now()`, `Date.now()` and `new Date()` give, in ms since 1970. The zone is UTC. */
  readonly now: number;
  /** Decides what Math.random() gives. */
  readonly seed: string;
  readonly execution: ScriptExecution;
  /** Which of the variables are the activity's own. Default: none. */
  readonly own?: readonly string[];
  /** Which of them are not the process's. Default: none. */
  readonly inner?: readonly string[];
  /** Variables of the process that those hide. Default: none. */
  readonly hidden?: Readonly<Record<string, ScriptVariable>>;
  /** Of a task listener: `task.getAssignee()` reads `assignee`, and so on. */
  readonly task?: Readonly<Record<string, string | number | null | readonly string[]>>;
}

/**
 * The type of a value that JSON alone cannot tell: a JavaScript Date (its value is ISO 8601 text), a BigInt (a number, or text beyond ±2^53),
 * NaN and the infinities (text).
 */
export type ScriptType = 'Date' | 'Long' | 'Double';

/** Outcome of a script, as plain JSON. */
export interface ScriptDone {
  /** The value of the last statement; null for undefined and functions. */
  readonly result: unknown;
  /** Set by `execution.setVariable`, by assignment to a variable's name, or to a name that was not declared. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Set by `execution.setVariableLocal`. */
  readonly locals: Readonly<Record<string, unknown>>;
  /** By `execution.removeVariable`. */
  readonly removed: readonly string[];
  /** Set by `execution.getProcessInstance()` where an inner variable has the name. Absent: none was; likewise of those that it removed. */
  readonly process?: Readonly<Record<string, unknown>>;
  readonly processRemoved?: readonly string[];
  readonly types: {
    readonly result?: ScriptType;
    readonly variables: Readonly<Record<string, ScriptType>>;
    readonly locals: Readonly<Record<string, ScriptType>>;
    readonly process?: Readonly<Record<string, ScriptType>>;
  };
  /** Calls of a task listener's script on its task, to change it, in order: `setAssignee`, `addCandidateGroup` … */
  readonly task?: readonly TaskCall[];
  /** By `execution.setProcessBusinessKey`. */
  readonly businessKey?: string | null;
  /** The script ended with `throw new BpmnError(code, message)`; what it set before then still counts. */
  readonly bpmnError?: { readonly code: string; readonly message: string | null };
  /** It would have read a variable that was withheld: nothing else of its run counts. */
  readonly isShort?: true;
}

/** A call that changes a task; a Date is given as ISO 8601 text. */
interface TaskCall {
  readonly method: string;
  readonly value: unknown;
}

/** Why a script has no result. */
export interface ScriptFailure {
  readonly kind: 'thrown' | 'timeout' | 'memory' | 'output';
  readonly message: string;
  /** The line of the source, counted from 1, where it is known. */
  readonly line?: number;
}

/** `'error' in result` tells a failure. */
export type ScriptResult = ScriptDone | { readonly error: ScriptFailure };

/** Messages between main and thread. Texts are JSON, so that neither side clones large structures. */
export interface ThreadRequest {
  readonly source: string;
  /** A PreludeInput. */
  readonly input: string;
}

export type ThreadReply =
  | { readonly type: 'ready' }
  /** `result`: a ScriptResult. `broken`: the interpreter is in no state to run another script. */
  | { readonly type: 'done'; readonly result: string; readonly broken: boolean };

/** Data that the thread is started with. */
export interface ThreadOptions {
  /** Whose scripts it runs. */
  readonly world: 'process' | 'route';
  readonly memoryBytes: number;
  /** One number: when the script that runs began, ns of the machine's monotonic clock; 0 before. */
  readonly begun: BigInt64Array;
}

export const outOfTime = (timeoutMs: number): ScriptFailure => ({
  kind: 'timeout',
  message: `script took longer than ${timeoutMs} ms`,
});

export const outOfMemory = (memoryBytes: number): ScriptFailure => ({
  kind: 'memory',
  message: `script used more than ${Math.round(memoryBytes / 1_048_576)} MB of memory`,
});

export const tooDeep = (): ScriptFailure => ({ kind: 'thrown', message: 'script nests too deeply' });

/** The interpreter gave up in a way of its own. */
export const crashed = (how: string): ScriptFailure => ({
  kind: 'thrown',
  message: `script ended the interpreter: ${how.slice(0, 200)}`,
});
