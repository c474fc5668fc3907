import { addDuration, parseDuration } from '../../expression/index.js';
import { type DecisionDefinition, type DecisionInstance, decisionInstances, keyOfDefinition } from '../collections.js';
import type { DecisionOutcome } from '../decision/outcome.js';
import { isAtMost } from '../element/native.js';
import type { TypedValue } from '../element/typed-value.js';
import type { Changes } from './changes.js';

/** A decision that was evaluated, and where. */
interface Noted {
  readonly id: string;
  readonly definition: Pick<DecisionDefinition, 'id' | 'name'> & Partial<Pick<DecisionDefinition, 'historyTimeToLive'>>;
  readonly time: number;
  readonly userId: string;
  readonly outcome: DecisionOutcome;
  readonly place?: Pick<DecisionInstance, 'instanceId' | 'processDefinitionId' | 'activityId' | 'activityInstanceId'>;
}

const NOWHERE = { instanceId: null, processDefinitionId: null, activityId: null, activityInstanceId: null };

/** Characters of one value that are kept, and of the whole. */
const VALUE_MAX = 2_000;
const WHOLE_MAX = 60_000;

/** Writes the history of a decision. What is large is left out: the values that it was made of. */
export function noteDecision(
  changes: Changes,
  { id, definition, time, userId, outcome, place = NOWHERE }: Noted,
): void {
  const { value, rows, evaluated = [], notes = [] } = outcome;
  const whole = isKeptWhole(outcome);
  const short = shortened(evaluated);
  const isKept = JSON.stringify(short).length <= WHOLE_MAX;
  changes.create(decisionInstances, {
    id,
    definitionId: definition.id,
    definitionKey: keyOfDefinition(definition.id),
    definitionName: definition.name,
    time,
    userId,
    startUserId: userId,
    ...place,
    ...(place.instanceId === null && endOf(definition, time)),
    result: whole ? value : LEFT_OUT,
    rows: whole ? rows : [],
    evaluated: isKept ? short : [],
    notes,
    shortened: !(whole && isKept && short === evaluated),
  });
}

/** When it goes by what its decision says: days, or a duration. What cannot be read as either, which was deployed once, counts for nothing. */
function endOf({ historyTimeToLive }: Noted['definition'], time: number): { readonly ends?: number } {
  const given = historyTimeToLive?.trim() ?? '';
  try {
    const kept = /^\d{1,6}$/.test(given) ? `P${given}D` : given;
    return kept === '' ? {} : { ends: addDuration(time, parseDuration(kept)) };
  } catch {
    return {};
  }
}

/** Whether the result can be kept. */
export const isKeptWhole = ({ value, rows }: DecisionOutcome): boolean =>
  isAtMost(rows, WHOLE_MAX) || JSON.stringify([value, rows]).length <= WHOLE_MAX;

type Evaluated = DecisionInstance['evaluated'];

const LEFT_OUT: TypedValue = { type: 'Null', value: null };

/** Large values are null. */
const shortened = (evaluated: Evaluated): Evaluated =>
  isAtMost(evaluated, VALUE_MAX) ? evaluated : leaveOut(evaluated);

function leaveOut(evaluated: Evaluated): Evaluated {
  let count = 0;
  const short = JSON.stringify(evaluated, (_, value: unknown) => {
    if (!isTyped(value) || isAtMost(value, VALUE_MAX) || JSON.stringify(value).length <= VALUE_MAX) return value;
    count++;
    return LEFT_OUT;
  });
  return count === 0 ? evaluated : (JSON.parse(short) as Evaluated);
}

const isTyped = (value: unknown): value is TypedValue =>
  typeof value === 'object' && value !== null && 'type' in value && 'value' in value;
