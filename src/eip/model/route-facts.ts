import { type Document, isMap, isSeq, parseDocument, stringify } from 'yaml';

/** Facts of a route that are given beside its definition. */
export interface RouteFacts {
  readonly id: string;
  /** Undefined: as it says itself. */
  readonly description: string | undefined;
}

/**
 * A file of one route, with its id and description as given: a list of one item, that alone, or just what is behind `route:`. Undefined: it is none of these, and reading it says
 * what is wrong.
 */
export function routeWithFacts(text: string, facts: RouteFacts): string | undefined {
  const document = parseDocument(text, { logLevel: 'silent' });
  if (document.errors.length > 0) return undefined;
  const path = routePath(document);
  if (path === undefined) return undefined;
  const isChanged =
    document.getIn([...path, 'id']) === undefined ||
    (facts.description !== undefined && document.getIn([...path, 'description']) !== facts.description);
  if (!isChanged && isSeq(document.contents)) return text;
  if (document.getIn([...path, 'id']) === undefined) document.setIn([...path, 'id'], facts.id);
  if (facts.description !== undefined) document.setIn([...path, 'description'], facts.description);
  const written = document.toString({ lineWidth: 0 });
  if (isSeq(document.contents)) return written;
  const [head, rest] =
    path.length === 0 ? ['- route:\n', indented(written, 4)] : ['', `- ${indented(written, 2).trimStart()}`];
  return head + rest;
}

/** Where in the document the route's own options are; a bare `from` is put below a route first. */
function routePath(document: Document): (string | number)[] | undefined {
  const { contents } = document;
  if (isSeq(contents)) {
    const [item] = contents.items;
    if (contents.items.length !== 1 || !isMap(item)) return undefined;
    if (!item.has('route') && item.has('from')) document.setIn([0], document.createNode({ route: item }));
    return isMap(document.getIn([0, 'route'])) ? [0, 'route'] : undefined;
  }
  if (!isMap(contents)) return undefined;
  return contents.has('route') ? ['route'] : [];
}

/** The lines with so many blanks more in front of them. */
const indented = (text: string, by: number): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : ' '.repeat(by) + line))
    .join('\n');

/** A file that makes one route of a template. */
export const templatedRouteText = (
  routeId: string,
  templateId: string,
  parameters: Readonly<Record<string, unknown>>,
): string =>
  stringify([
    {
      templatedRoute: {
        routeTemplateRef: templateId,
        routeId,
        parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })),
      },
    },
  ]);
