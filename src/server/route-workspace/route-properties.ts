import { ContentView, nodes, type Property, type Value, valuesOf } from '../../content/index.js';
import { systemCaller } from '../../shared/caller.js';
import type { PartitionPort } from '../../store/index.js';

/** The node whose properties are those of routes, with those of its children. */
const PROPERTIES_ROOT = '/etc/eip/properties';
/** How many children of it are read. */
const CHILDREN_MAX = 1_000;

/**
 * The placeholders `{{key}}` of routes in a workspace, with their values: the properties of the node and of its children, without those of JCR's own names. Where several have one of a name it is
 * that of the first child by name, and the node's own last. Lists are texts with commas; what is longer than 16 kB is none.
 */
export function routeProperties({ replica, workspace }: PartitionPort): Readonly<Record<string, string>> {
  const state = replica.read();
  const view = new ContentView(state, systemCaller(workspace));
  const root = view.at(PROPERTIES_ROOT);
  if (root === undefined) return {};
  const found: Record<string, string> = Object.create(null);
  const children = state.find(nodes, 'name', [root.id], { limit: CHILDREN_MAX });
  for (const node of [root, ...[...children].reverse()])
    for (const [name, property] of Object.entries(view.contentOf(node).properties)) {
      const text = textOf(property);
      if (text !== undefined && !name.startsWith('jcr:')) found[name] = text;
    }
  return { ...found };
}

function textOf(property: Property): string | undefined {
  if (property.type === 'Binary') return undefined;
  const values: readonly Value[] = valuesOf(property);
  return values.some((value) => typeof value === 'object') ? undefined : values.join(',');
}
