import type { InstanceState } from '../element/instance-state.js';
import type { Program } from '../model/program.js';

/** The ids of the activities that hold a token now, each once, in the order of the model; of a sub-process those within. */
export function activeActivities(program: Program, { tokens }: Pick<InstanceState, 'tokens'>): string[] {
  const elements = new Set(tokens.filter((token) => token.wait?.kind !== 'scope').map((token) => token.element));
  return [...elements].sort((a, b) => a - b).flatMap((element) => program.elements[element]?.id ?? []);
}
