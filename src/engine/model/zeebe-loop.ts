import { simplePath } from '../../expression/index.js';
import { COUNTS_FROM_ONE, OUTPUT_COLLECTION, OUTPUT_ELEMENT, OUTPUT_VARIABLE } from './compile-loop.js';
import { extensions, type ModdleElement, one, text } from './moddle-element.js';
import { withoutSign } from './zeebe-mapping.js';
import type { ZeebeWords } from './zeebe-words.js';

/** Translates a multi-instance loop of Camunda 8: its input collection and its output. */
export function translateLoop(element: ModdleElement, words: ZeebeWords): void {
  const loop = one(element, 'loopCharacteristics');
  if (loop === null) return;
  for (const said of extensions(loop, 'zeebe:loopCharacteristics')) {
    if (text(loop, 'camunda:collection') === null) countAsSaid(loop);
    words.set(loop, 'camunda:collection', said, 'inputCollection');
    words.set(loop, 'camunda:elementVariable', said, 'inputElement');
    const collection = text(said, 'outputCollection');
    if (collection !== null) gather(loop, collection, withoutSign(text(said, 'outputElement') ?? 'null'));
  }
}

/** A variable is each instance's own, also where a part of it is gathered. */
function gather(loop: ModdleElement, collection: string, output: string): void {
  const [name, ...more] = simplePath(output) ?? [];
  loop.set(OUTPUT_COLLECTION, collection);
  if (name !== undefined) loop.set(OUTPUT_VARIABLE, name);
  if (name === undefined || more.length > 0) loop.set(OUTPUT_ELEMENT, output);
}

/** Camunda 8 counts the instances of a loop from 1, and tells its completion condition how many there are by names of its own. */
function countAsSaid(loop: ModdleElement): void {
  loop.set(COUNTS_FROM_ONE, true);
  const condition = one(loop, 'completionCondition');
  const written = condition === null ? null : text(condition, 'body');
  if (written?.startsWith('=') && /numberOf(\w+)?Instances/.test(written))
    condition?.set('body', `={${counters(loop)}, result: ${withoutSign(written)}}.result`);
}

/** The condition is asked as an instance has completed: of one after the other none is active then. */
const counters = (loop: ModdleElement): string =>
  `numberOfInstances: nrOfInstances, numberOfActiveInstances: ${loop.get('isSequential') === true ? 0 : 'nrOfActiveInstances'}, numberOfCompletedInstances: nrOfCompletedInstances, numberOfTerminatedInstances: 0`;
