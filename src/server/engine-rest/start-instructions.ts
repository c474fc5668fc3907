import { flagIn, type Json, objectIn, objectsIn, textIn, unfit } from './rest-call.js';
import { type GivenVariable, variablesIn } from './variable-value.js';

/** Where a process begins, as the operation takes it. */
interface StartInstruction {
  readonly type: (typeof TYPES)[number];
  readonly activityId: string | null;
  readonly transitionId: string | null;
  readonly variables: readonly GivenVariable[];
  readonly localVariables: readonly GivenVariable[];
}

const TYPES = ['startBeforeActivity', 'startAfterActivity', 'startTransition'] as const;

/** Camunda's `startInstructions` of a request. @throws BAD_REQUEST */
export const startInstructions = (json: Json): readonly StartInstruction[] =>
  (objectsIn(json, 'startInstructions') ?? []).map(startInstruction);

function startInstruction(json: Json): StartInstruction {
  const named = textIn(json, 'type');
  const type = TYPES.find((each) => each === named);
  if (type === undefined) throw unfit('startInstructions.type', `one of ${TYPES.join(', ')}`, named);
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
    variables: all.filter((each) => !isLocal(each)),
    localVariables: all.filter(isLocal),
  };
}
