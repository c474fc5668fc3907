import { UnreadableRoute } from './route-problems.js';
import { fieldOf, type Written, type WrittenEntry, type WrittenMap, type WrittenScalar } from './written.js';

/** The file of routes within a resource of Kubernetes: a Kamelet is a template, an Integration holds a list. Anything else is given back. @throws UnreadableRoute for what is refused */
export function unwrapped(written: Written): Written {
  const kind = fieldOf(written, 'kind');
  const spec = fieldOf(written, 'spec');
  if (kind?.value.type !== 'scalar' || spec === undefined) return written;
  const flows = fieldOf(spec.value, 'flows');
  if (kind.value.text === 'Integration' && flows !== undefined) return flows.value;
  if (kind.value.text === 'Kamelet') return templateOf(written, spec);
  throw new UnreadableRoute(
    kind.at,
    `expected routes, a Kamelet or an Integration with flows, but found ${kind.value.text}, which is not run here`,
  );
}

function templateOf(written: Written, spec: WrittenEntry): Written {
  const template = fieldOf(spec.value, 'template');
  const definition = fieldOf(spec.value, 'definition');
  if (template?.value.type !== 'map')
    throw new UnreadableRoute(spec.at, 'expected a template in the spec of the Kamelet, but found none');
  const name = nameOf(written);
  const parameters = definition === undefined ? [] : parametersOf(definition);
  const id = name === undefined ? [] : [{ name: 'id', at: name.at, value: name }];
  const entries = template.value.entries.filter((entry) => entry.name !== 'id');
  const list: WrittenEntry = {
    name: 'parameters',
    at: spec.at,
    value: { type: 'list', at: spec.at, items: parameters },
  };
  const body: WrittenMap = { ...template.value, entries: [...id, list, ...entries] };
  const entry: WrittenEntry = { name: 'routeTemplate', at: template.at, value: body };
  return { type: 'list', at: written.at, items: [{ type: 'map', at: template.at, entries: [entry] }] };
}

function nameOf(written: Written): WrittenScalar | undefined {
  const metadata = fieldOf(written, 'metadata');
  const name = metadata === undefined ? undefined : fieldOf(metadata.value, 'name');
  return name?.value.type === 'scalar' ? name.value : undefined;
}

/** The parameters of a template, from the JSON schema of a Kamelet's properties. */
function parametersOf({ value }: WrittenEntry): Written[] {
  const properties = fieldOf(value, 'properties');
  const required = fieldOf(value, 'required');
  const names =
    required?.value.type === 'list'
      ? required.value.items.map((item) => (item.type === 'scalar' ? item.text : ''))
      : [];
  if (properties?.value.type !== 'map') return [];
  return properties.value.entries.map(({ name, at, value: schema }) => {
    const isRequired = names.includes(name) && fieldOf(schema, 'default') === undefined;
    const entries: WrittenEntry[] = [
      { name: 'name', at, value: scalar(name, at) },
      { name: 'required', at, value: scalar(isRequired, at) },
    ];
    for (const [from, to] of [
      ['default', 'defaultValue'],
      ['description', 'description'],
    ] as const) {
      const found = fieldOf(schema, from);
      if (found?.value.type === 'scalar') entries.push({ ...found, name: to });
    }
    return { type: 'map', at, entries };
  });
}

const scalar = (value: string | boolean, at: WrittenScalar['at']): WrittenScalar => ({
  type: 'scalar',
  at,
  value,
  text: String(value),
});
