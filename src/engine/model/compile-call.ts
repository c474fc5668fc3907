import { variableName } from './compile-work.js';
import { extensions, type ModdleElement, text } from './moddle-element.js';
import type { CallDefinition, Given, Transfer } from './program.js';
import { isLiteral, type Report, short } from './report.js';

/** Compiles a call activity: the called element, with its inputs and outputs. Null, with a problem, where nothing says it. */
export function compileCall(element: ModdleElement, report: Report): CallDefinition | null {
  for (const [attribute, meaning] of REFUSED) {
    if (text(element, attribute) !== null)
      report.problem(element, `has a ${attribute}, but ${meaning}`, 'call-unsupported');
  }
  const called = text(element, 'calledElement');
  if (called === null) {
    if (text(element, 'camunda:caseRef') === null)
      report.problem(element, 'needs the process that it calls (calledElement)', 'call-called-element');
    return null;
  }
  return {
    process: report.expression(element, 'calledElement', called),
    ...bindingOf(element, report),
    ...compileGiven(element, element, report),
    outputs: extensions(element, 'camunda:Out').flatMap((each) => transfer(element, each, report)),
  };
}

/** Compiles `camunda:in` of the holder, the element or its event definition: all that it gives to another instance. */
export function compileGiven(element: ModdleElement, holder: ModdleElement, report: Report): Given {
  const inputs = extensions(holder, 'camunda:In');
  const keys = inputs.flatMap((each) => text(each, 'businessKey') ?? []);
  if (keys.length > 1)
    report.problem(element, 'gives more than one business key by camunda:in', 'call-one-business-key');
  const [key] = keys;
  return {
    businessKey: key === undefined ? null : report.expression(element, 'business key', key),
    inputs: inputs
      .filter((each) => text(each, 'businessKey') === null)
      .flatMap((each) => transfer(element, each, report)),
  };
}

const REFUSED = [
  ['camunda:caseRef', 'cases are not run here'],
  ['camunda:variableMappingClass', 'variables are given and taken by camunda:in and camunda:out alone'],
  ['camunda:variableMappingDelegateExpression', 'variables are given and taken by camunda:in and camunda:out alone'],
] as const;

const BINDINGS = ['latest', 'deployment', 'version', 'versionTag'] as const;

function bindingOf(element: ModdleElement, report: Report): Pick<CallDefinition, 'binding' | 'version'> {
  const given = text(element, 'camunda:calledElementBinding') ?? 'latest';
  const binding = BINDINGS.find((each) => each === given);
  if (binding === undefined)
    report.problem(
      element,
      `has '${short(given)}' as camunda:calledElementBinding, but expected ${BINDINGS.join(', ')}`,
      'call-binding',
    );
  const attribute = binding === 'versionTag' ? 'camunda:calledElementVersionTag' : 'camunda:calledElementVersion';
  const version = text(element, attribute);
  if (binding !== 'version' && binding !== 'versionTag') return { binding: binding ?? 'latest', version: null };
  if (version === null)
    report.problem(
      element,
      `calls a ${binding === 'version' ? 'version' : 'version tag'}, but has no ${attribute}`,
      'call-version',
    );
  else if (binding === 'version' && isLiteral(version) && !/^\d{1,9}$/.test(version))
    report.problem(
      element,
      `has '${short(version)}' as ${attribute}, but expected a whole number or an expression`,
      'call-version-number',
    );
  return { binding, version: version === null ? null : report.expression(element, attribute, version) };
}

function transfer(about: ModdleElement, each: ModdleElement, report: Report): Transfer[] {
  const name = each.$type === 'camunda:In' ? 'camunda:in' : 'camunda:out';
  const local = each.get('local') === true;
  if (text(each, 'variables') === 'all') return [{ kind: 'all', local }];
  const source = text(each, 'source');
  const expression = text(each, 'sourceExpression');
  const target = variableName(each, 'target', report);
  if ((source === null) === (expression === null)) {
    report.problem(
      about,
      `has a ${name} that expects one of source, sourceExpression and variables="all"`,
      'call-mapping-source',
    );
    return [];
  }
  if (target === null) {
    report.problem(about, `has a ${name} without a target`, 'call-mapping-target');
    return [];
  }
  if (source !== null) return [{ kind: 'variable', source, target, local }];
  return [
    {
      kind: 'expression',
      text: report.expression(about, `sourceExpression of ${name}`, expression ?? ''),
      target,
      local,
    },
  ];
}
