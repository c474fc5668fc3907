import { feelSource } from './compile-source.js';
import { variableName } from './compile-work.js';
import { extensions, type ModdleElement, text } from './moddle-element.js';
import type { DecisionWork, Source } from './program.js';
import { isLiteral, type Report, short } from './report.js';

const BINDINGS: readonly string[] = [
  'latest',
  'deployment',
  'version',
  'versionTag',
] satisfies DecisionWork['binding'][];

const MAPPINGS: readonly string[] = [
  'singleEntry',
  'singleResult',
  'collectEntries',
  'resultList',
] satisfies DecisionWork['map'][];

/** The decision of a business rule task: `camunda:decisionRef`, and how it is bound. Null: it names none. */
export function compileDecision(element: ModdleElement, report: Report): DecisionWork | null {
  const ref = text(element, 'camunda:decisionRef');
  if (ref === null) return null;
  const { binding, version, versionTag } = bindingOf(element, report);
  const map = text(element, 'camunda:mapDecisionResult') ?? 'resultList';
  if (!MAPPINGS.includes(map)) oneOf(element, 'camunda:mapDecisionResult', map, MAPPINGS, report);
  // As Camunda 8 has it.
  const isZeebe = extensions(element, 'zeebe:calledDecision').length > 0;
  return {
    kind: 'decision',
    key: sourceOf(element, ref, report),
    binding,
    version,
    versionTag,
    map: isZeebe ? 'value' : (map as DecisionWork['map']),
    resultVariable:
      variableName(element, 'camunda:resultVariable', report) ??
      variableName(element, 'camunda:resultVariableName', report),
  };
}

/** Which version is meant. */
function bindingOf(element: ModdleElement, report: Report): Pick<DecisionWork, 'binding' | 'version' | 'versionTag'> {
  const binding = text(element, 'camunda:decisionRefBinding') ?? 'latest';
  const version = expression(element, 'camunda:decisionRefVersion', report);
  const versionTag = expression(element, 'camunda:decisionRefVersionTag', report);
  if (!BINDINGS.includes(binding)) oneOf(element, 'camunda:decisionRefBinding', binding, BINDINGS, report);
  if (binding === 'version' && version === null) needs(element, 'camunda:decisionRefVersion', binding, report);
  if (binding === 'versionTag' && versionTag === null) needs(element, 'camunda:decisionRefVersionTag', binding, report);
  if (binding === 'version' && version !== null && isLiteral(version) && !/^\d{1,9}$/.test(version)) {
    report.problem(
      element,
      `has '${short(version)}' as camunda:decisionRefVersion, but expected a whole number`,
      'decision-version-number',
    );
  }
  return { binding: binding as DecisionWork['binding'], version, versionTag };
}

/** Literal, an expression, or FEEL behind an equals sign. */
function sourceOf(element: ModdleElement, ref: string, report: Report): Source {
  if (ref.startsWith('=')) return feelSource(element, 'camunda:decisionRef', ref.slice(1), report);
  return { kind: 'expression', text: report.expression(element, 'camunda:decisionRef', ref) };
}

function expression(element: ModdleElement, attribute: string, report: Report): string | null {
  const written = text(element, attribute);
  return written === null ? null : report.expression(element, attribute, written);
}

function oneOf(element: ModdleElement, attribute: string, found: string, known: readonly string[], report: Report) {
  report.problem(
    element,
    `has '${short(found)}' as ${attribute}, but expected one of ${known.join(', ')}`,
    'decision-choice',
  );
}

const needs = (element: ModdleElement, attribute: string, binding: string, report: Report) =>
  report.problem(element, `binds its decision by ${binding}, but has no ${attribute}`, 'decision-version');
