import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BpmnError, type Handlers } from '../../engine/index.js';
import { badRequest, messageOf } from '../../shared/errors.js';

/**
 * Loads the operator's module, whose default export registers the handlers of service tasks: `(handlers, { BpmnError }) => void`. It runs in
 * the server's process, with all its rights.
 * @throws BAD_REQUEST when there is no such module, it has no such function, or the function fails
 */
export async function loadHandlers(path: string, handlers: Handlers): Promise<void> {
  const register = await importDefault(path);
  if (typeof register !== 'function') {
    throw badRequest(
      `MILLRACE_HANDLERS: expected '${path}' to export a default function that registers handlers, but it exports ${typeof register}`,
    );
  }
  try {
    await register(handlers, { BpmnError });
  } catch (thrown) {
    throw badRequest(`MILLRACE_HANDLERS: the default function of '${path}' failed: ${messageOf(thrown)}`);
  }
}

async function importDefault(path: string): Promise<unknown> {
  try {
    const loaded = (await import(pathToFileURL(resolve(path)).href)) as { default?: unknown };
    return loaded.default;
  } catch (thrown) {
    throw badRequest(
      `MILLRACE_HANDLERS: expected '${path}' to be an ES module that can be loaded: ${messageOf(thrown)}`,
    );
  }
}
