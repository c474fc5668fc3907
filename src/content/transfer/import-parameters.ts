import { badRequest } from '../../shared/errors.js';
import type { LongJobFile, LongJobPrepared, LongJobStart, State } from '../../store/index.js';
import { removeSubtree } from '../large/delete-node.js';
import { Change } from '../tree/change.js';
import { isStored } from '../tree/detached.js';
import type { ContentNode } from '../tree/node.js';
import { bytesIn } from '../value/property.js';
import { archiveFilename, normalPath } from './archive-parameters.js';

/** Parameters of an archive's import, as its job keeps them. */
export interface ImportParameters {
  readonly destinationPath: string;
  readonly filename: string;
  /** What becomes of identifiers that are taken. 0: the import fails; 1: the node gets a new one; 2: all nodes get new ones. */
  readonly uuidBehavior: 0 | 1 | 2;
  /** What becomes of paths that are taken. 0: the import fails; 1: they are left out; 2: they are replaced. */
  readonly pathBehavior: 0 | 1 | 2;
  readonly importAcl: boolean;
  readonly preserveTimestamps: boolean;
  readonly dryRun: boolean;
  readonly locale: 'en' | 'ja';
}

/**
 * The parameters of an import's start, checked; the ZIP is taken out of the tree and kept with the job.
 * @throws BAD_REQUEST (a parameter; there is no such file), and what keeps the caller from taking it away
 */
export function prepareImport(state: State, { parameters, caller }: LongJobStart): LongJobPrepared {
  const given = (parameters ?? {}) as Partial<Record<keyof ImportParameters | 'archivePath', unknown>>;
  const text = (name: 'archivePath' | 'destinationPath', shownAs: string = name) => {
    const value = given[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
    throw badRequest(`expected '${shownAs}' to be a path, but it is empty`);
  };
  const checked: ImportParameters = {
    destinationPath: normalPath(state, text('destinationPath', 'destPath')),
    filename: archiveFilename(typeof given.filename === 'string' ? given.filename : ''),
    uuidBehavior: behaviorOf('uuidBehavior', given.uuidBehavior),
    pathBehavior: behaviorOf('pathBehavior', given.pathBehavior),
    importAcl: given.importAcl === true,
    preserveTimestamps: given.preserveTimestamps !== false,
    dryRun: given.dryRun === true,
    locale: /^ja\b/i.test(typeof given.locale === 'string' ? given.locale : '') ? 'ja' : 'en',
  };
  const change = new Change(state, caller);
  const file = change.at(text('archivePath'), 'Archive');
  const source = sourceOf(change, file, checked.filename);
  // What a job keeps already stays there.
  if (isStored(change, file) && removeSubtree(change, file) !== undefined)
    throw badRequest('expected the archive to be a file by itself, but too much lies below it');
  const { write = [], events = [] } = change.decision(null);
  return { parameters: checked, files: [source], write, events };
}

function sourceOf(change: Change, file: ContentNode, name: string): LongJobFile {
  const data = bytesIn(change.contentOf(file).properties['jcr:data']);
  if (data === undefined || !change.types.isA(file, 'nt:file'))
    throw badRequest(`expected '${change.pathOf(file)}' to be a file, but it is of type ${file.type}`);
  return { kind: 'source', name, mimeType: 'application/zip', data };
}

function behaviorOf(name: string, given: unknown): 0 | 1 | 2 {
  if (given === undefined || given === null) return 0;
  if (given === 0 || given === 1 || given === 2) return given;
  throw badRequest(`expected '${name}' to be 0, 1 or 2, but it is ${String(given)}`);
}
