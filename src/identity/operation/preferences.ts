import { type ContentNode, type Property, placeNode } from '../../content/index.js';
import type { Homes } from '../homes.js';
import { refusal } from '../refusal.js';
import { identityOperation, requireAdministrator } from './identity-operation.js';

/** A value of a preference. */
type Preference = string | number | boolean;

interface UpdatePreferencesInput {
  readonly username: string;
  /** Lower-case letters, digits and hyphens, a letter first. */
  readonly category: string;
  /** What is set; null removes a value, what is not named stays. */
  readonly data: unknown;
}

/** All values of a category. */
interface Preferences {
  readonly category: string;
  readonly data: Readonly<Record<string, Preference>>;
}

/** Sets preferences of a user: its own matter, and the administrator's. @throws ACCESS_DENIED, INVALID_INPUT, NOT_FOUND, CONFLICT */
export const updatePreferences = identityOperation(
  'updatePreferences',
  (homes, { username, category, data }: UpdatePreferencesInput, { caller }): Preferences => {
    if (caller.userId !== username) requireAdministrator(caller, `set preferences of '${username}'`);
    if (!/^[a-z][a-z0-9-]*$/.test(category))
      throw refusal('INVALID_INPUT', `expected a category such as 'appearance', but found '${category}'`, 'category');
    const changes = changesOf(data);
    const { home } = homes.require('user', username, 'username');
    const content = contentOf(homes, folderIn(homes, home), category);
    homes.change.requireUnlocked(content);
    const written = homes.change.put({ ...content, properties: changed(content.properties, changes) });
    return { category, data: preferencesOf(written) };
  },
);

type Changes = Readonly<Record<string, Preference | null>>;

/** How many values one category holds, and how long a text is. */
const VALUES_MAX = 500;
const TEXT_MAX = 10_000;

/** @throws INVALID_INPUT */
function changesOf(data: unknown): Changes {
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw refusal('INVALID_INPUT', 'expected an object of texts, numbers and booleans', 'data');
  for (const [name, value] of Object.entries(data)) {
    if (!/^[\w.-]{1,128}$/.test(name))
      throw refusal(
        'INVALID_INPUT',
        `expected a name of letters, digits, dots and hyphens, but found '${name}'`,
        'data',
      );
    const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
    if (!isPlain || (typeof value === 'string' && value.length > TEXT_MAX))
      throw refusal(
        'INVALID_INPUT',
        `expected '${name}' to be a number, a boolean or a text of at most ${TEXT_MAX} characters`,
        'data',
      );
  }
  return data as Changes;
}

const folderIn = ({ change }: Homes, home: ContentNode): ContentNode =>
  change.tree.child(home, 'preferences') ??
  placeNode(change, home, { name: 'preferences', type: 'nt:folder', mixins: ['mi:anyChildren'] });

/** The content of the file that holds a category. @throws CONFLICT something else has its name */
function contentOf({ change }: Homes, folder: ContentNode, category: string): ContentNode {
  const file = change.tree.child(folder, category);
  const found = file && change.tree.child(file, 'jcr:content');
  if (found !== undefined) return found;
  if (file !== undefined)
    throw refusal('CONFLICT', `expected a file at '${change.pathOf(file)}', but found '${file.type}'`, 'category');
  const made = placeNode(change, folder, { name: category, type: 'nt:file' });
  return placeNode(change, made, {
    name: 'jcr:content',
    type: 'nt:resource',
    properties: {
      'jcr:data': { type: 'Binary', value: { inline: '', size: 0 } },
      'jcr:mimeType': { type: 'String', value: `application/vnd.webtop.${category}` },
    },
  });
}

/** @throws INVALID_INPUT there are too many */
function changed(before: ContentNode['properties'], changes: Changes): ContentNode['properties'] {
  const after = { ...before };
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete after[name];
    else after[name] = propertyOf(value);
  }
  if (Object.keys(after).length <= VALUES_MAX) return after;
  throw refusal('INVALID_INPUT', `expected at most ${VALUES_MAX} values in a category`, 'data');
}

function propertyOf(value: Preference): Property {
  if (typeof value === 'string') return { type: 'String', value };
  if (typeof value === 'boolean') return { type: 'Boolean', value };
  return { type: Number.isSafeInteger(value) ? 'Long' : 'Double', value };
}

const SHOWN: ReadonlySet<string> = new Set(['String', 'Boolean', 'Long', 'Double', 'Decimal']);

/** The preferences that the content of a category's file says: single values, but for those of JCR. */
export const preferencesOf = ({ properties }: ContentNode): Readonly<Record<string, Preference>> =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      if (name.startsWith('jcr:') || !('value' in property) || !SHOWN.has(property.type)) return [];
      const { type, value } = property;
      if (typeof value === 'object') return [];
      return [[name, type === 'Decimal' ? Number(value) : value]];
    }),
  );
