import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
  RELEASE_SYNC,
} from 'quickjs-emscripten';
import { messageOf } from '../../shared/errors.js';
import { crashed, outOfMemory, type ScriptFailure, type ThreadRequest, tooDeep } from './script-run.js';
import { PROCESS_WORLD, type ScriptWorld } from './script-world.js';

/** Bytes that the interpreter needs besides what scripts may use: its own code, stack and tables. */
const OVERHEAD_BYTES = 16 * 1024 * 1024;
const PAGE_BYTES = 65_536;
const INITIAL_PAGES = 256;
/** Well below the stack that the module was built with, so that a deep recursion ends as an error of the script. */
const STACK_BYTES = 256 * 1024;
const MESSAGE_LENGTH_MAX = 2000;
const FILE = 'script.js';

/** Not among the types of ES2023 or of Node. */
declare const WebAssembly: { readonly Memory: new (pages: { initial: number; maximum: number }) => Memory };

/** A module's memory; it grows, and never shrinks. */
interface Memory {
  readonly buffer: ArrayBuffer;
}

/** `broken`: the interpreter is in no state to run another script. */
interface Interpretation {
  /** What the world reads of the outcome, or `{ error: ScriptFailure }`. */
  readonly result: object;
  readonly broken: boolean;
}

/** A runtime and a context that only the prelude was read in; `begin` is its function. */
interface Fresh {
  readonly runtime: QuickJSRuntime;
  readonly context: QuickJSContext;
  readonly begin: QuickJSHandle;
}

/** QuickJS, compiled to WebAssembly: a script has no way to the host. Belongs into a thread of its own, which is ended from outside. */
export class ScriptInterpreter {
  readonly #module: QuickJSWASMModule;
  readonly #memory: Memory;
  readonly #memoryBytes: number;
  readonly #world: ScriptWorld;
  #next: Fresh | undefined;

  private constructor(module: QuickJSWASMModule, memory: Memory, memoryBytes: number, world: ScriptWorld) {
    this.#world = world;
    this.#module = module;
    this.#memory = memory;
    this.#memoryBytes = memoryBytes;
  }

  /** The module's memory cannot grow beyond the limit, whatever happens inside. */
  static async load(memoryBytes: number, world: ScriptWorld = PROCESS_WORLD): Promise<ScriptInterpreter> {
    const maximum = Math.ceil((memoryBytes + OVERHEAD_BYTES) / PAGE_BYTES);
    const wasmMemory = new WebAssembly.Memory({ initial: Math.min(INITIAL_PAGES, maximum), maximum });
    const module = await newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmMemory }));
    return new ScriptInterpreter(module, wasmMemory, memoryBytes, world);
  }

  /** Makes the runtime and context of the next run ready ahead of time; nothing has to be, it only makes the run begin sooner. */
  prepare(): void {
    this.#next ??= this.#fresh();
  }

  /** Runs a script of its own, so that the first one that is asked for finds all code compiled. */
  warmUp(): void {
    this.run(this.#world.warmUp);
  }

  /** Runs a script in a runtime and a context that nothing was run in before; `begins` is called right before it does. Never throws. */
  run(request: ThreadRequest, begins?: () => void): Interpretation {
    let result: object | undefined;
    try {
      const { runtime, context, begin } = this.#next ?? this.#fresh();
      this.#next = undefined;
      result = this.#evaluate(context, begin, request, begins);
      context.dispose();
      runtime.dispose();
      return { result, broken: failureIn(result)?.kind === 'memory' };
    } catch (thrown) {
      return { result: result ?? { error: this.#crash(thrown) }, broken: true };
    }
  }

  /** What is wrong with the scripts as texts, in their order, null where nothing is; none is run. Ends with one that it broke of. Never throws. */
  check(sources: readonly string[]): {
    readonly failures: readonly (ScriptFailure | null)[];
    readonly broken: boolean;
  } {
    const failures: (ScriptFailure | null)[] = [];
    try {
      const runtime = this.#runtime();
      const context = runtime.newContext();
      for (const source of sources) {
        const compiled = context.evalCode(source, FILE, { type: 'global', compileOnly: true });
        const failure = compiled.error ? this.#failure(context, compiled.error) : null;
        failures.push(failure);
        if (failure?.kind === 'memory') return { failures, broken: true };
        if (!compiled.error) compiled.value.dispose();
      }
      context.dispose();
      runtime.dispose();
      return { failures, broken: false };
    } catch (thrown) {
      return { failures: [...failures, this.#crash(thrown)], broken: true };
    }
  }

  #runtime(): QuickJSRuntime {
    return this.#module.newRuntime({ memoryLimitBytes: this.#memoryBytes, maxStackSizeBytes: STACK_BYTES });
  }

  #fresh(): Fresh {
    const runtime = this.#runtime();
    const context = runtime.newContext();
    return { runtime, context, begin: context.unwrapResult(context.evalCode(this.#world.prelude, 'prelude.js')) };
  }

  #evaluate(
    context: QuickJSContext,
    begin: QuickJSHandle,
    { source, input }: ThreadRequest,
    begins: (() => void) | undefined,
  ): object {
    const text = context.newString(input);
    const prepared = context.callFunction(begin, context.undefined, text);
    begin.dispose();
    text.dispose();
    if (prepared.error) return { error: this.#failure(context, prepared.error) };
    try {
      begins?.();
      return this.#runScript(context, source, prepared.value);
    } finally {
      prepared.value.dispose();
    }
  }

  #runScript(context: QuickJSContext, source: string, ending: QuickJSHandle): object {
    const finish = context.getProp(ending, 'finish');
    const caught = context.getProp(ending, 'caught');
    try {
      const ran = context.evalCode(source, FILE, { type: 'global' });
      if (!ran.error) {
        const outcome = ran.value.consume((value) => context.callFunction(finish, context.undefined, value));
        return this.#outcome(context, outcome);
      }
      // The thrown value is described before it is handed back to code that the script may have changed.
      const failure = this.#failure(context, ran.error.dup());
      const outcome = ran.error.consume((thrown) => context.callFunction(caught, context.undefined, thrown));
      const isText = !outcome.error && context.typeof(outcome.value) === 'string';
      if (isText) return this.#outcome(context, outcome);
      outcome.dispose();
      return { error: failure };
    } finally {
      finish.dispose();
      caught.dispose();
    }
  }

  #outcome(context: QuickJSContext, outcome: ReturnType<QuickJSContext['callFunction']>): object {
    if (outcome.error) return { error: this.#failure(context, outcome.error) };
    return this.#world.read(outcome.value.consume((text) => context.getString(text)));
  }

  /** What a script threw, in words. Consumes the handle. */
  #failure(context: QuickJSContext, thrown: QuickJSHandle): ScriptFailure {
    const read = (name: string) =>
      context
        .getProp(thrown, name)
        .consume((value) => (context.typeof(value) === 'string' ? context.getString(value) : ''));
    const isNull = context.sameValue(thrown, context.null);
    const isObject = context.typeof(thrown) === 'object' && !isNull;
    const [name, message, stack] = isObject ? [read('name'), read('message'), read('stack')] : ['', '', ''];
    const primitive = isObject ? '' : context.getString(thrown);
    thrown.dispose();
    if ((name === 'InternalError' && message === 'out of memory') || (isNull && this.#isFull()))
      return outOfMemory(this.#memoryBytes);
    const text = [name, message].filter((part) => part !== '').join(': ') || primitive || 'an object without a message';
    const line = Number(/script\.js:(\d{1,9})/.exec(stack.slice(0, 10_000))?.[1] ?? 0);
    return { kind: 'thrown', message: text.slice(0, MESSAGE_LENGTH_MAX), ...(line > 0 && { line }) };
  }

  /** Without the memory for an error, QuickJS throws null, or fails in ways of its own. */
  #isFull(): boolean {
    return this.#memory.buffer.byteLength > Math.max(this.#memoryBytes, INITIAL_PAGES * PAGE_BYTES);
  }

  /** The interpreter itself gave up: it ran out of the module's memory, or of the thread's stack. */
  #crash(thrown: unknown): ScriptFailure {
    if (thrown instanceof RangeError) return tooDeep();
    const message = messageOf(thrown);
    return this.#isFull() || /memory|OOM|alloc/i.test(message) ? outOfMemory(this.#memoryBytes) : crashed(message);
  }
}

const failureIn = (result: object): ScriptFailure | undefined =>
  'error' in result ? (result.error as ScriptFailure) : undefined;
