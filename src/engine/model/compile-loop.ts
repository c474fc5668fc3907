import { isVariableName, VARIABLE_NAME } from '../../shared/sound-text.js';
import { compileThrown } from './compile-event.js';
import { compileCondition, feelSource } from './compile-source.js';
import { variableName } from './compile-work.js';
import { type Continuations, continuations } from './continuations.js';
import { body, flag, idOf, isA, type ModdleElement, many, number, one, text } from './moddle-element.js';
import type { Node } from './nodes.js';
import { KEPT } from './parser-warnings.js';
import type { Loop, LoopEvent, MultiInstance, StandardLoop } from './program.js';
import { isLiteral, type Report, short } from './report.js';

/** Where a loop has what is said in Camunda 8's words: the variable in which outputs are gathered, and the variable, or the FEEL, that gives each. */
export const OUTPUT_COLLECTION = 'millrace:outputCollection';
export const OUTPUT_VARIABLE = 'millrace:outputVariable';
export const OUTPUT_ELEMENT = 'millrace:outputElement';
/** And that it counts from 1. */
export const COUNTS_FROM_ONE = 'millrace:countsFromOne';

/** How the activity is repeated; undefined: it is not. */
export function compileLoop({ element }: Node, report: Report): Loop | undefined {
  const loop = one(element, 'loopCharacteristics');
  if (loop === null) return undefined;
  return isA(loop, 'bpmn:StandardLoopCharacteristics')
    ? standardLoop(element, loop, report)
    : multiInstance(element, loop, report);
}

/** BPMN 2.0 §10.3.7. As Camunda takes it for no loop at all where it says neither how long nor how often, that is run once. */
function standardLoop(element: ModdleElement, loop: ModdleElement, report: Report): StandardLoop | undefined {
  const condition = compileCondition(one(loop, 'loopCondition'), report);
  const maximum = number(loop, 'loopMaximum');
  if (maximum !== null && maximum < 0)
    report.problem(element, `has ${maximum} as loopMaximum, but expected 0 or more`, 'loop-maximum');
  if (condition === null && maximum === null) {
    report.warn(element, 'has a standard loop without loopCondition and loopMaximum, so it runs once', 'loop-once');
    return undefined;
  }
  return { kind: 'standard', testBefore: loop.get('testBefore') === true, maximum, condition };
}

function multiInstance(element: ModdleElement, loop: ModdleElement, report: Report): MultiInstance {
  const collection = collectionOf(element, loop, report);
  const elementVariable =
    variableName(loop, 'camunda:elementVariable', report) ?? itemOf(loop, 'inputDataItem', report);
  const drawn = one(loop, 'loopCardinality');
  const cardinality = drawn !== null && body(drawn) === null ? null : compileCondition(drawn, report);
  checkCount(element, { drawn, isGiven: cardinality !== null, collection, elementVariable }, report);
  const throws = eventsOf(element, loop, report);
  const each = continuations(loop, report);
  const output = outputOf(element, loop, report);
  return {
    kind: 'multiInstance',
    sequential: loop.get('isSequential') === true,
    cardinality,
    collection,
    elementVariable,
    ...(output && { output }),
    ...(flag(loop, COUNTS_FROM_ONE) && { first: 1 }),
    completionCondition: compileCondition(one(loop, 'completionCondition'), report),
    ...(throws.length > 0 && { throws }),
    ...(saysMore(each) && { each }),
  };
}

const saysMore = ({ asyncBefore, asyncAfter, exclusive, retryCycle }: Continuations): boolean =>
  asyncBefore || asyncAfter || !exclusive || retryCycle !== null;

/** Properties of a multi-instance that say how many instances there are. */
interface Counted {
  readonly drawn: ModdleElement | null;
  readonly isGiven: boolean;
  readonly collection: MultiInstance['collection'];
  readonly elementVariable: string | null;
}

function checkCount(element: ModdleElement, counted: Counted, report: Report): void {
  const { drawn, isGiven, collection, elementVariable } = counted;
  const literal = drawn === null ? null : body(drawn);
  if (!isGiven && collection === null) {
    report.problem(
      element,
      'needs a loopCardinality, a camunda:collection, a loopDataInputRef or a zeebe inputCollection that says how many instances it has',
      'multi-instance-count',
    );
  } else if (elementVariable !== null && collection === null) {
    report.problem(
      element,
      `names '${short(elementVariable)}' for the items of a collection, but has none (camunda:collection, loopDataInputRef)`,
      'multi-instance-item',
    );
  }
  if (
    literal !== null &&
    isLiteral(literal) &&
    text(drawn as ModdleElement, 'language') === null &&
    !/^\d{1,9}$/.test(literal)
  )
    report.problem(
      element,
      `has '${short(literal)}' as loopCardinality, but expected a whole number or an expression`,
      'multi-instance-cardinality',
    );
}

/** As in Camunda, a name is a variable's, and everything else an expression. What the standard refers to is named by its id. */
function collectionOf(element: ModdleElement, loop: ModdleElement, report: Report): MultiInstance['collection'] {
  const given = text(loop, 'camunda:collection') ?? referred(loop, 'loopDataInputRef');
  if (given === null) return null;
  if (!isLiteral(given)) return { kind: 'expression', text: report.expression(element, 'collection', given) };
  if (!isVariableName(given))
    report.problem(
      element,
      `has '${short(given)}' as its collection, but expected ${VARIABLE_NAME}, or an expression`,
      'multi-instance-collection',
    );
  return { kind: 'variable', name: given };
}

function referred(loop: ModdleElement, name: string): string | null {
  const target = one(loop, name);
  return target === null ? text(loop, KEPT + name) : idOf(target);
}

/** The name of a data item, else its id. */
function itemOf(loop: ModdleElement, name: string, report: Report): string | null {
  const item = one(loop, name);
  return item === null ? null : (variableName(item, 'name', report) ?? variableName(item, 'id', report));
}

function outputOf(element: ModdleElement, loop: ModdleElement, report: Report): MultiInstance['output'] | null {
  const source = text(loop, OUTPUT_ELEMENT);
  const list = text(loop, OUTPUT_COLLECTION) ?? referred(loop, 'loopDataOutputRef');
  const own = text(loop, OUTPUT_VARIABLE);
  if (source !== null && list !== null)
    return { list, item: feelSource(element, 'outputElement', source, report), ...(own !== null && { own }) };
  const item = own ?? itemOf(loop, 'outputDataItem', report);
  if (list === null && item === null) return null;
  if (list !== null && item !== null && isVariableName(list)) return { list, item };
  if (list !== null && item !== null)
    report.problem(
      element,
      `has '${short(list)}' as loopDataOutputRef, but expected ${VARIABLE_NAME}`,
      'multi-instance-output-ref',
    );
  else
    report.problem(
      element,
      'needs both of loopDataOutputRef and outputDataItem, or none of them',
      'multi-instance-output',
    );
  return null;
}

/** BPMN 2.0 §10.3.7, `behavior`: None throws for each instance, One for the first, Complex by conditions, and All nothing. */
function eventsOf(element: ModdleElement, loop: ModdleElement, report: Report): readonly LoopEvent[] {
  switch (text(loop, 'behavior')) {
    case 'None':
      return thrown(element, one(loop, 'noneBehaviorEventRef'), 'each', report);
    case 'One':
      return thrown(element, one(loop, 'oneBehaviorEventRef'), 'first', report);
    case 'Complex':
      return many(loop, 'complexBehaviorDefinition').flatMap((each) => complexEvents(element, each, report));
    default:
      return [];
  }
}

function complexEvents(element: ModdleElement, definition: ModdleElement, report: Report): readonly LoopEvent[] {
  const condition = compileCondition(one(definition, 'condition'), report);
  if (condition === null) {
    report.problem(element, 'has a complexBehaviorDefinition without a condition', 'multi-instance-behavior-condition');
    return [];
  }
  const event = one(definition, 'event');
  if (event === null) return [];
  const found = [...many(event, 'eventDefinitions'), ...many(event, 'eventDefinitionRef')];
  return found.flatMap((each) => thrown(element, each, condition, report));
}

function thrown(
  element: ModdleElement,
  definition: ModdleElement | null,
  when: LoopEvent['when'],
  report: Report,
): readonly LoopEvent[] {
  if (definition === null) {
    report.problem(element, 'has a behavior that throws an event, but refers to none', 'multi-instance-behavior-event');
    return [];
  }
  const event = compileThrown(element, definition, report);
  return event === null ? [] : [{ when, event }];
}
