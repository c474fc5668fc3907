import { collection, type Document } from '../../store/documents.js';
import type { Deployer } from '../route-port.js';
import type { Pieces } from './route-text.js';

/** A file whose routes are deployed. Id: its node's. Its text is what it shares ({@link SharedDefinitions}), as JSON. */
export interface RouteFileEntry extends Document, Pieces {
  readonly path: string;
  readonly format: 'yaml' | 'xml';
  /** Of its bytes. */
  readonly hash: string;
  readonly deployer: Deployer;
  /** ms */
  readonly deployed: number;
}

export const routeFiles = collection<RouteFileEntry>({
  name: 'routeFile',
  columns: { path: (it) => it.path, deployer: (it) => it.deployer.userId },
  indexes: { path: { columns: ['path'] }, deployer: { columns: ['deployer'] } },
  principals: { 'deployer.userId': 'deployer' },
});

/** A template of routes. Id: the template's. Its text is how it was read and is written ({@link ReadTemplate}), as JSON. */
export interface RouteTemplate extends Document, Pieces {
  readonly fileId: string;
  readonly place: number;
  readonly description: string | null;
  readonly parameters: readonly TemplateParameter[];
}

/** The name under which the pieces of a template's text are stored. */
export const templateTextOf = (templateId: string): string => `template:${templateId}`;

export interface TemplateParameter {
  readonly name: string;
  readonly required: boolean;
  readonly defaultValue: string | null;
  readonly description: string | null;
}

export const routeTemplates = collection<RouteTemplate>({
  name: 'routeTemplate',
  columns: { fileId: (it) => it.fileId, place: (it) => it.place, templateId: (it) => it.id },
  indexes: { id: { columns: ['templateId'], unique: true }, file: { columns: ['fileId', 'place'] } },
});
