import { badRequest } from '../../shared/errors.js';
import type { Instruction, Variables } from '../element/instance-state.js';
import { badArgument } from '../errors.js';
import { typedVariables, type VariableInput } from './given-value.js';

/** A step of a modification, as a client gives it. */
export interface GivenInstruction {
  readonly type: 'startBeforeActivity' | 'startAfterActivity' | 'startTransition' | 'cancel';
  readonly activityId?: string | null;
  readonly transitionId?: string | null;
  /** `<process instance>:<number>`; of the process the id of the instance itself. */
  readonly activityInstanceId?: string | null;
  readonly transitionInstanceId?: string | null;
  readonly ancestorActivityInstanceId?: string | null;
  /** Of `cancel` with `activityId`: whether only what is active there already is meant. Default false. */
  readonly cancelCurrentActiveActivityInstances?: boolean | null;
  readonly variables?: readonly VariableInput[] | null;
  readonly localVariables?: readonly VariableInput[] | null;
}

/** How many steps one modification may have. */
const INSTRUCTIONS_MAX = 100;

/** The steps as the interpreter knows them. `instanceId`: null where there is no instance yet. @throws BAD_REQUEST (none, a step that does not say what it needs, an id) */
export function typedInstructions(given: readonly GivenInstruction[], instanceId: string | null): Instruction[] {
  if (given.length === 0) throw badArgument('instructions', 'at least one instruction', 'none');
  if (given.length <= INSTRUCTIONS_MAX) return given.map((each) => typedInstruction(each, instanceId));
  throw badArgument('instructions', `at most ${INSTRUCTIONS_MAX} instructions`, given.length);
}

function typedInstruction(given: GivenInstruction, instanceId: string | null): Instruction {
  if (given.type === 'cancel') return { type: 'cancel', what: cancelled(given, instanceId) };
  const { type, ancestorActivityInstanceId: ancestor, variables, localVariables } = given;
  const name = type === 'startTransition' ? 'transitionId' : 'activityId';
  const id = needed(given, name);
  const other = NAMES.find((each) => each !== name && given[each] != null);
  if (other !== undefined)
    throw badArgument(other, `nothing beside '${name}' of an instruction '${type}'`, given[other]);
  return {
    type,
    id,
    ancestor: ancestor == null ? null : numberOf('ancestorActivityInstanceId', ancestor, instanceId),
    variables: givenVariables('variables', variables),
    localVariables: givenVariables('localVariables', localVariables),
  };
}

/** Counters of a multi-instance, by which Camunda 7 goes on. */
const COUNTERS = ['nrOfInstances', 'nrOfActiveInstances', 'nrOfCompletedInstances'];

/** @throws BAD_REQUEST: one would be a counter, which nothing is told by when it is set */
function givenVariables(argument: string, given: readonly VariableInput[] | null | undefined): Variables {
  const variables = typedVariables(given ?? []);
  const counter = COUNTERS.find((name) => Object.hasOwn(variables, name));
  if (counter === undefined) return variables;
  const expected = 'no counter of a multi-instance, which has as many instances as are begun and cancelled in it';
  throw badArgument(argument, expected, counter);
}

/** What an instruction may be about. */
const NAMES = ['activityId', 'transitionId', 'activityInstanceId', 'transitionInstanceId'] as const;

type What = Extract<Instruction, { type: 'cancel' }>['what'];

function cancelled(given: GivenInstruction, instanceId: string | null): What {
  const { activityId, activityInstanceId, transitionInstanceId, cancelCurrentActiveActivityInstances: current } = given;
  const named = [activityId, activityInstanceId, transitionInstanceId].filter((each) => each != null);
  if (named.length !== 1 || given.variables?.length || given.localVariables?.length) {
    throw badRequest(
      `expected an instruction 'cancel' with one of activityId, activityInstanceId and transitionInstanceId alone, but found ${named.length} of them`,
      { reason: 'argument_invalid', details: { argument: 'instructions' } },
    );
  }
  if (activityId != null) return { activityId, ...(current && { current }) };
  if (activityInstanceId != null) return { number: numberOf('activityInstanceId', activityInstanceId, instanceId) };
  return { number: numberOf('transitionInstanceId', transitionInstanceId ?? '', instanceId) };
}

function needed(given: GivenInstruction, name: 'activityId' | 'transitionId'): string {
  const value = given[name];
  if (value != null && value !== '') return value;
  throw badArgument(name, `what an instruction '${given.type}' is about`, value ?? null);
}

/** The number in an id such as `<process instance>:<number>`; the instance's own is 0. @throws BAD_REQUEST: it is of another instance, or none */
function numberOf(argument: string, id: string, instanceId: string | null): number {
  if (id === instanceId) return 0;
  const [, of, number] = /^(.*):(\d{1,15})$/.exec(id) ?? [];
  if (instanceId !== null && of === instanceId) return Number(number);
  const where =
    instanceId === null
      ? 'no id of an activity instance, which is of one process instance'
      : `the id of something in process instance '${instanceId}'`;
  throw badArgument(argument, where, id);
}
