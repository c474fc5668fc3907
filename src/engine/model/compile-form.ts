import { readForm } from '../form/camunda-form.js';
import { variableName } from './compile-work.js';
import type { FormField, FormRef, FormSource } from './form.js';
import { extensions, type ModdleElement, many, one, text } from './moddle-element.js';
import { type Report, short } from './report.js';

const TYPES: readonly string[] = ['string', 'long', 'boolean', 'date', 'enum'];
const NUMBERS = new Set(['min', 'max', 'minlength', 'maxlength']);
const CONSTRAINTS = new Set(['required', 'readonly', ...NUMBERS]);

/** The form of a user task or a start event: `camunda:formData`, `camunda:formRef`. Undefined: it has neither. */
export function compileForm(element: ModdleElement, report: Report): FormSource | undefined {
  const [data] = extensions(element, 'camunda:FormData');
  const ref = refOf(element, report) ?? refOfFile(element, report);
  if (data === undefined && ref === undefined) return undefined;
  const fields = data === undefined ? [] : many(data, 'fields').map((field) => fieldOf(element, field, report));
  const ids = fields.map(({ id }) => id);
  const twice = ids.find((id, at) => id !== '' && ids.indexOf(id) !== at);
  if (twice !== undefined)
    report.problem(element, `has several form fields with the id '${short(twice)}'`, 'form-field-unique');
  return { ...(data !== undefined && { fields }), ...(ref !== undefined && { ref }) };
}

function refOf(element: ModdleElement, report: Report): FormRef | undefined {
  const key = text(element, 'camunda:formRef');
  if (key === null) return undefined;
  const binding = text(element, 'camunda:formRefBinding') ?? 'latest';
  const version = text(element, 'camunda:formRefVersion');
  if (binding !== 'latest' && binding !== 'deployment' && binding !== 'version') {
    report.problem(
      element,
      `has '${short(binding)}' as camunda:formRefBinding, but expected latest, deployment or version`,
      'form-binding',
    );
  }
  if (binding === 'version' && !/^\d{1,9}$|[$#]\{/.test(version ?? '')) {
    report.problem(element, 'binds its form by version, but camunda:formRefVersion is no whole number', 'form-version');
  }
  return {
    key: report.expression(element, 'camunda:formRef', key),
    binding: binding as FormRef['binding'],
    version: binding === 'version' ? versionOf(element, version ?? '', report) : null,
  };
}

const versionOf = (element: ModdleElement, version: string, report: Report): number | string =>
  /^\d{1,9}$/.test(version) ? Number(version) : report.expression(element, 'camunda:formRefVersion', version);

/** As Camunda's Modeler wrote it before there was `camunda:formRef`: a file of the same deployment. */
const FILE_KEY = /^camunda-forms:deployment:(.+)$/;

function refOfFile(element: ModdleElement, report: Report): FormRef | undefined {
  const name = FILE_KEY.exec(text(element, 'camunda:formKey') ?? '')?.[1];
  const written = name === undefined ? null : report.optionalFile(element, 'form', name);
  if (written === null) return undefined;
  const key = readForm(written).form?.id;
  return key === undefined ? undefined : { key, binding: 'deployment', version: null };
}

function fieldOf(about: ModdleElement, field: ModdleElement, report: Report): FormField {
  const id = variableName(field, 'id', report) ?? '';
  const type = text(field, 'type');
  const defaultValue = text(field, 'defaultValue');
  const what = `form field '${short(id)}'`;
  if (id === '') report.problem(about, 'has a form field without an id', 'form-field-id');
  if (type !== null && !TYPES.includes(type)) {
    report.problem(
      about,
      `has a ${what} of type '${short(type)}', but expected one of ${TYPES.join(', ')}`,
      'form-field-type',
    );
  }
  const values = many(field, 'values').map((value) => ({ id: text(value, 'id') ?? '', name: text(value, 'name') }));
  if (type === 'enum' && values.length === 0)
    report.warn(about, `has a ${what} of type enum without a value`, 'form-field-values');
  const validation = one(field, 'validation');
  const properties = one(field, 'properties');
  return {
    id,
    label: text(field, 'label'),
    type,
    datePattern: text(field, 'datePattern'),
    defaultValue: defaultValue === null ? null : report.expression(about, `default value of ${what}`, defaultValue),
    values,
    constraints: validation === null ? [] : constraintsOf(about, validation, what, report),
    properties:
      properties === null
        ? []
        : many(properties, 'values').map((each) => ({
            id: text(each, 'id') ?? text(each, 'name') ?? '',
            value: text(each, 'value'),
          })),
  };
}

function constraintsOf(
  about: ModdleElement,
  validation: ModdleElement,
  what: string,
  report: Report,
): FormField['constraints'] {
  const found = many(validation, 'constraints').map((each) => ({
    name: text(each, 'name') ?? '',
    config: text(each, 'config'),
  }));
  for (const { name, config } of found) {
    if (!CONSTRAINTS.has(name))
      report.warn(
        about,
        `has a ${what} with a constraint '${short(name)}', which is not checked`,
        'form-field-constraint',
      );
    else if (NUMBERS.has(name) && !/^-?\d{1,15}(\.\d{1,15})?$/.test(config ?? '')) {
      report.problem(
        about,
        `has a ${what} with '${short(config ?? '')}' as ${name}, but expected a number`,
        'form-field-number',
      );
    }
  }
  return found;
}
