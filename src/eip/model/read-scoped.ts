import { elementType } from './dsl.js';
import type { ElementReader } from './read-element.js';
import { perhaps, refusalOf } from './refusal.js';
import type { ElementModel, ScopedModel, StepModel } from './route-model.js';
import type { Written, WrittenEntry } from './written.js';

const ELEMENTS = {
  onException: 'OnException',
  onCompletion: 'OnCompletion',
  intercept: 'Intercept',
  interceptFrom: 'InterceptFrom',
  interceptSendToEndpoint: 'InterceptSendToEndpoint',
} as const;

/** The names of what holds for several routes. */
export const SCOPED: readonly string[] = ['errorHandler', ...Object.keys(ELEMENTS)];

export const NO_SCOPE: ScopedModel = {
  onException: [],
  onCompletion: [],
  intercept: [],
  interceptFrom: [],
  interceptSendToEndpoint: [],
};

/** Reads what holds for a configuration's routes, or for one route alone: lists, whose items may say their name once more. */
export function readOwnScope(elements: ElementReader, value: Written): ScopedModel {
  const entries = value.type === 'map' ? value.entries.filter(({ name }) => SCOPED.includes(name)) : [];
  return readScoped(
    elements,
    entries.flatMap((entry) =>
      entry.name === 'errorHandler'
        ? [entry]
        : elements.list(entry.value, entry.name).map((item) => named(item, entry.name)),
    ),
  );
}

const named = (item: Written, name: string): WrittenEntry => {
  const [only, more] = item.type === 'map' ? item.entries : [];
  return only?.name === name && more === undefined ? only : { name, at: item.at, value: item };
};

/** Reads what holds for several routes: of a file, or of a configuration. */
export function readScoped(elements: ElementReader, entries: readonly WrittenEntry[]): ScopedModel {
  let errorHandler: ElementModel | undefined;
  const steps: Record<keyof typeof ELEMENTS, StepModel[]> = {
    onException: [],
    onCompletion: [],
    intercept: [],
    interceptFrom: [],
    interceptSendToEndpoint: [],
  };
  for (const entry of entries) {
    if (entry.name === 'errorHandler') {
      if (errorHandler !== undefined)
        elements.problems.error(entry.at, 'errorHandler', 'expected one errorHandler, but found a further one');
      errorHandler = readErrorHandler(elements, entry).errorHandler;
    } else if (entry.name in ELEMENTS) {
      const name = entry.name as keyof typeof ELEMENTS;
      steps[name].push(elements.step(name, elementType(ELEMENTS[name]), entry.at, entry.value));
    }
  }
  return errorHandler === undefined ? steps : { errorHandler, ...steps };
}

/** Reads the error handler of a route, configuration or file: the name of one, with its options. */
function readErrorHandler(elements: ElementReader, { value }: WrittenEntry): { readonly errorHandler?: ElementModel } {
  const entries = value.type === 'map' ? value.entries.filter(({ name }) => name !== 'id') : [];
  const only = elements.only(value.type === 'map' ? { ...value, entries } : value, 'an error handler');
  if (only === undefined) return {};
  const { options } = elementType('ErrorHandler');
  const refusal = refusalOf('errorHandler', only.name);
  const type = options.get(only.name);
  if (type?.isOneOf !== true) {
    const sentence = `expected an error handler, but found ${only.name}${perhaps(only.name, [...options.keys()])}`;
    elements.problems.error(only.at, 'errorHandler', sentence);
    return {};
  }
  if (refusal !== undefined) {
    elements.problems.error(only.at, 'errorHandler', refusal);
    return {};
  }
  return { errorHandler: elements.element(only.name, elementType(type.element), only.at, only.value) };
}
