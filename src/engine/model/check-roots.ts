import { idOf, isA, type ModdleElement, raw } from './moddle-element.js';
import { type Report, short } from './report.js';

/** What a model names beside its processes, as far as Camunda refuses it: signals and errors without an id, signals without a name, or of one name. */
export function checkRoots(roots: readonly ModdleElement[], report: Report): void {
  const signals = roots.filter((root) => isA(root, 'bpmn:Signal'));
  for (const root of [...signals, ...roots.filter((each) => isA(each, 'bpmn:Error'))]) {
    if (idOf(root) === null) report.problem(root, 'needs an id');
  }
  const names = new Map<string, ModdleElement>();
  for (const signal of signals) {
    const name = raw(signal, 'name');
    const first = names.get(name ?? '');
    if (name === null) report.problem(signal, 'needs a name');
    else if (first !== undefined) report.problem(signal, `has name '${short(name)}', as signal '${idOf(first)}' has`);
    else names.set(name, signal);
  }
}
