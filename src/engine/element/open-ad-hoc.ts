import { choicesIn } from '../model/ad-hoc.js';
import type { Program } from '../model/program.js';
import type { InstanceState } from './instance-state.js';

/** An ad-hoc sub-process in which something may be chosen. */
export interface OpenAdHoc {
  /** The scope that it opened. */
  readonly scope: number;
  /** What can be started now. */
  readonly enabled: readonly number[];
  /** It takes one after the other, and one is running. */
  readonly isBusy: boolean;
}

/** The ad-hoc sub-processes of the instance in which something may be chosen; those that hold the element, if that is given. */
export function openAdHocs(program: Program, state: InstanceState, element?: number): OpenAdHoc[] {
  return state.tokens.flatMap((token) => {
    if (token.wait?.kind !== 'adHoc' || token.wait.over || token.opens === undefined) return [];
    const choices = choicesIn(program.elements, token.element);
    if (element !== undefined && !choices.includes(element)) return [];
    const isBusy = program.elements[token.element]?.adHoc?.sequential === true && runsIn(program, state, token.opens);
    return { scope: token.opens, enabled: isBusy ? [] : choices, isBusy };
  });
}

/** Whether something that was chosen runs. What event sub-processes do is done beside it. */
const runsIn = ({ elements }: Program, { tokens, scopes }: InstanceState, id: number): boolean =>
  (scopes.find((scope) => scope.id === id)?.size ?? 0) > 0 ||
  tokens.some(({ scope, element }) => scope === id && !elements[element]?.triggeredByEvent);
