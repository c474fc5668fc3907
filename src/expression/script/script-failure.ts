import type { ScriptFailure } from './script-run.js';

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
