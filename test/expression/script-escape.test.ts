import assert from 'node:assert/strict';
import { ScriptSandbox } from '../../src/expression/routes.js';
import { done, failure, scriptRun } from './script-support.js';

/** Ways to a host that have worked in some sandbox or other. Each either fails or finds nothing. */
const ESCAPES = [
  'process',
  'process.exit()',
  'require("node:fs")',
  'module.constructor._load("fs")',
  'import("node:fs")',
  'import.meta',
  'globalThis.process',
  'globalThis.require',
  'this.constructor.constructor("return process")()',
  'constructor.constructor("return this.process")()',
  '(function () {}).constructor("return process.env")()',
  '(async function () {}).constructor("return process")()',
  '(function* () {}).constructor("return process")().next()',
  'new Function("return process")()',
  'eval("process")',
  '(0, eval)("this.process.pid")',
  'execution.constructor.constructor("return process")()',
  'execution.getVariable.constructor("return process")()',
  'execution.setVariable.caller.arguments',
  'print.constructor("return process")()',
  'console.log.constructor("return process.mainModule")()',
  'BpmnError.constructor("return process")()',
  'try { null.f() } catch (e) { e.constructor.constructor("return process")() }',
  'try { (function f() { f() })() } catch (e) { e.constructor.constructor("return process")() }',
  'Error.prepareStackTrace = (e, frames) => frames; new Error().stack[0].getThis().process',
  'Error.captureStackTrace({}).process',
  'new Proxy({}, { get: (t, k, r) => r.constructor.constructor("return process")() }).x',
  'Reflect.construct(Function, ["return process"])()',
  'Reflect.getPrototypeOf(execution).constructor.constructor("return process")()',
  'Object.getOwnPropertyDescriptor(globalThis, "amount").get.constructor("return process")()',
  'Symbol.for("nodejs.util.inspect.custom"); process.binding("fs")',
  'fetch("http://127.0.0.1")',
  'new WebSocket("ws://127.0.0.1")',
  'new Worker("x")',
  'new WebAssembly.Memory({ initial: 1 }).buffer.process.pid',
  'parentPort.postMessage({ type: "done", result: "{}" })',
  'postMessage("x")',
  'setTimeout(() => {}, 0)',
  'Deno.env',
  'Bun.env',
  'java.lang.Runtime.getRuntime()',
  'Java.type("java.lang.System")',
  'load("/etc/passwd")',
  'std.open("/etc/passwd", "r")',
  'os.exec(["id"])',
  'scriptArgs',
];

describe('a script cannot leave the sandbox:', () => {
  let sandbox: ScriptSandbox;
  before(() => {
    sandbox = new ScriptSandbox({ timeoutMs: 10_000 });
  });
  after(() => sandbox.close());

  for (const source of ESCAPES) {
    it(source, async () => {
      const outcome = await sandbox.run(scriptRun(source, { variables: { amount: { type: 'Long', value: 1 } } }));
      if ('error' in outcome) assert.equal(outcome.error.kind, 'thrown');
      else assert.equal(outcome.result, null);
    });
  }

  it('there is nothing but JavaScript, execution and the variables', async () => {
    const { result } = await done(sandbox, 'Object.getOwnPropertyNames(globalThis)');
    const known = new Set(Object.getOwnPropertyNames(globalThis));
    const more = (result as string[]).filter((name) => !known.has(name));
    const expected = ['BpmnError', 'execution', 'task', 'now', 'print', 'InternalError', 'Iterator', 'Float16Array'];
    assert.deepEqual(
      more.filter((name) => !expected.includes(name)),
      [],
    );
    for (const name of [
      'process',
      'Buffer',
      'require',
      'fetch',
      'setTimeout',
      'performance',
      'WebAssembly',
      'queueMicrotask',
    ]) {
      assert.ok(!(result as string[]).includes(name), name);
    }
  });

  it('names that reach into prototypes are refused as variables', async () => {
    for (const name of ['__proto__', 'constructor', 'prototype', '', 'a\0b', '\ud800']) {
      const { kind, message } = await failure(sandbox, `execution.setVariable(${JSON.stringify(name)}, 1)`);
      assert.equal(kind, 'output');
      assert.match(message, new RegExp(`^expected a variable name of 1 to 255 characters.*, but found '${name}'$`));
    }
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  });

  it('an outcome that the script forged is read with care', async () => {
    const forged = [
      '"not json"',
      '"null"',
      '"[]"',
      '"{}"',
      '5',
      'JSON_({ result: [1], variables: 5, locals: [], removed: [], bpmnError: null })',
      'JSON_({ result: [1], variables: [["__proto__", { x: 1 }, null]], locals: [], removed: [], bpmnError: null })',
      'JSON_({ result: [1], variables: [], locals: [], removed: [{}], bpmnError: null })',
    ];
    for (const text of forged) {
      const { kind } = await failure(sandbox, `var JSON_ = JSON.stringify; JSON.stringify = () => ${text}; 1`);
      assert.ok(kind === 'output' || kind === 'thrown', text);
    }
  });

  it('what it gives back has a limit of size and depth', async () => {
    assert.match((await failure(sandbox, '"x".repeat(9000000)')).message, /at most 8388608 characters/);
    assert.match(
      (await failure(sandbox, 'var a = []; for (var i = 0; i < 200; i++) a = [a]; a')).message,
      /at most 100 levels/,
    );
    const { result } = await done(sandbox, '"[".repeat(1000) + "\\\\\\"" + "{".repeat(1000)');
    assert.equal(String(result).length, 2002);
  });
});
