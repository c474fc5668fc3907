import type { ContentNode } from '../../content/index.js';
import { messageOf } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import type { ApiContext } from '../api-context.js';

/** Tells in the answer which models among the nodes and below them are not deployed, once that is known: they are stored all the same. */
export async function tellRefusedModels(context: ApiContext, changed: readonly ContentNode[]): Promise<void> {
  const paths = changed.flatMap((node) => context.content.tree.pathOf(node) ?? []);
  const asked = context.services.refusedModelsAt(context.workspace.partition, paths);
  if (asked === null) return;
  context.aside(true);
  try {
    for (const { nodeId, ...model } of await asked)
      if (context.content.get(nodeId) !== undefined) context.refused(model);
  } catch (thrown) {
    log.warn({ reason: messageOf(thrown), paths }, 'models are deployed later');
  } finally {
    context.aside(false);
  }
}
