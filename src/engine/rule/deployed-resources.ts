import { badRequest, limitExceeded } from '../../shared/errors.js';
import { badArgument, missingArgument } from '../errors.js';
import { bounded } from './bounded-text.js';

/** A file as a caller gives it. */
export interface ResourceInput {
  readonly name: string;
  readonly content: string;
}

/** The most files of one deployment. */
export const RESOURCES_MAX = 200;

/** Whether the file is a model, by its name as Camunda decides it; other files are stored as they are. */
export const isModel = (name: string): boolean => name.endsWith('.bpmn') || name.endsWith('.bpmn20.xml');

/** Text that is not the XML of a model, but what Base64 makes of it: of `<`, with or without a byte order mark. */
const BASE64_XML = /^\s*(?:data:[^,]{0,200},)?(?:77u\/)?P[A-P][\w+/\s-]*={0,2}\s*$/;

/** @throws BAD_REQUEST (none; without name or content; two of one name; a model in Base64), LIMIT_EXCEEDED */
export function checkResources(resources: readonly ResourceInput[]): void {
  if (resources.length === 0) throw missingArgument('resources', 'at least one file');
  if (resources.length > RESOURCES_MAX) {
    throw limitExceeded(`expected at most ${RESOURCES_MAX} resources in one deployment, but found ${resources.length}`);
  }
  const names = new Set<string>();
  for (const { name, content } of resources) {
    if (name.trim() === '') throw missingArgument('resources.name', 'the name of a file');
    if (content === '') throw missingArgument('resources.content', `the content of '${name}'`);
    bounded('resources.name', name, 'name');
    if (isModel(name) && BASE64_XML.test(content)) throw base64(name);
    if (names.has(name)) throw badArgument('resources', 'files with names of their own', name);
    names.add(name);
  }
}

const base64 = (name: string) =>
  badRequest(
    `resource '${name}': expected the XML of the model as text, but it is Base64; send it as it was before that`,
    {
      reason: 'model_is_base64',
      resourceId: name,
    },
  );
