import assert from 'node:assert/strict';
import { compileModel } from '../../src/engine/model/compile-model.js';
import type { Element, Flow, Program } from '../../src/engine/model/program.js';

/** The one program of a model that has no problem. */
export async function programOf(xml: string): Promise<Program> {
  const { programs, problems } = await compileModel(xml);
  assert.deepEqual(problems, []);
  const [program] = programs;
  assert.ok(program !== undefined && programs.length === 1, `expected one program, found ${programs.length}`);
  return program;
}

/** The messages of a model's problems. */
export async function problemsOf(xml: string): Promise<string[]> {
  const { problems, programs } = await compileModel(xml);
  if (problems.length > 0) assert.deepEqual(programs, []);
  return problems.map((problem) => problem.message);
}

/** The messages of the warnings of a model that has no problem. */
export async function warningsOf(xml: string): Promise<string[]> {
  const { problems, warnings } = await compileModel(xml);
  assert.deepEqual(problems, []);
  return warnings.map((warning) => warning.message);
}

export function elementOf(program: Program, id: string): Element {
  const found = program.elements.find((element) => element.id === id);
  assert.ok(found, `no element '${id}'`);
  return found;
}

export function flowOf(program: Program, id: string): Flow {
  const found = program.flows.find((flow) => flow.id === id);
  assert.ok(found, `no flow '${id}'`);
  return found;
}

/** The ids of the elements at these positions. */
export const idsOf = (program: Program, indexes: readonly number[]): string[] =>
  indexes.map((index) => program.elements[index]?.id ?? '?');
