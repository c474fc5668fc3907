import { flagIn, type Json, objectIn, objectsIn, textIn, unfit } from './rest-call.js';
import { type GivenVariable, variablesIn } from './variable-value.js';

/** Where a process begins, as the operation takes it. */
interface StartInstruction {
  readonly type: (typeof TYPES)[number];
  readonly activityId: string | null;
  readonly transitionId: string | null;
  readonly ancestorActivityInstanceId: string | null;
  readonly variables: readonly GivenVariable[];
  readonly localVariables: readonly GivenVariable[];
}

/** What of an instance is cancelled: one of these. */
interface CancelInstruction {
  readonly type: 'cancel';
  readonly activityId: string | null;
  readonly activityInstanceId: string | null;
  readonly transitionInstanceId: string | null;
  readonly cancelCurrentActiveActivityInstances: boolean;
}

const TYPES = ['startBeforeActivity', 'startAfterActivity', 'startTransition'] as const;

/** Camunda's `startInstructions` of a request. @throws BAD_REQUEST */
export const startInstructions = (json: Json): readonly StartInstruction[] =>
  (objectsIn(json, 'startInstructions') ?? []).map((each) => startInstruction(each, 'startInstructions', TYPES));

/** Camunda's `instructions` of a modification. @throws BAD_REQUEST */
export const modificationInstructions = (json: Json): readonly (StartInstruction | CancelInstruction)[] =>
  (objectsIn(json, 'instructions') ?? []).map((each) =>
    textIn(each, 'type') === 'cancel'
      ? cancelInstruction(each)
      : { ...startInstruction(each, 'instructions', [...TYPES, 'cancel']), ...ancestorIn(each) },
  );

const ancestorIn = (json: Json) => ({
  ancestorActivityInstanceId: textIn(json, 'ancestorActivityInstanceId') ?? null,
});

const cancelInstruction = (json: Json): CancelInstruction => ({
  type: 'cancel',
  activityId: textIn(json, 'activityId') ?? null,
  activityInstanceId: textIn(json, 'activityInstanceId') ?? null,
  transitionInstanceId: textIn(json, 'transitionInstanceId') ?? null,
  cancelCurrentActiveActivityInstances: flagIn(json, 'cancelCurrentActiveActivityInstances') ?? false,
});

function startInstruction(json: Json, field: string, types: readonly string[]): StartInstruction {
  const named = textIn(json, 'type');
  const type = TYPES.find((each) => each === named);
  if (type === undefined) throw unfit(`${field}.type`, `one of ${types.join(', ')}`, named);
  // Each says for itself whether it is local.
  const all = variablesIn(json, 'variables');
  const given = objectIn(json, 'variables') ?? {};
  const isLocal = ({ name }: GivenVariable) => flagIn(given[name] as Json, 'local') === true;
  // As Camunda does, this passes over what an instruction of the type is not about.
  const isFlow = type === 'startTransition';
  return {
    type,
    activityId: (isFlow ? undefined : textIn(json, 'activityId')) ?? null,
    transitionId: (isFlow ? textIn(json, 'transitionId') : undefined) ?? null,
    ancestorActivityInstanceId: null,
    variables: all.filter((each) => !isLocal(each)),
    localVariables: all.filter(isLocal),
  };
}
