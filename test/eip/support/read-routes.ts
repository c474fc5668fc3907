import assert from 'node:assert/strict';
import { readYaml } from '../../../src/eip/model/read-routes.js';
import type { RouteFile } from '../../../src/eip/model/route-model.js';

/** What a YAML text defines, which must be right. */
export function readRoutes(yaml: string): RouteFile {
  const { file, errors } = readYaml(yaml);
  if (file !== undefined) return file;
  assert.fail(errors.map(({ line, message }) => `line ${line}: ${message}`).join('\n'));
}
