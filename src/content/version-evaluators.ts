import type { Command, Evaluator } from '../store/index.js';
import type { LargeWork } from './large-work.js';
import { beginFreezing } from './operation/freeze-tree.js';
import type { RestoreComparison } from './reader/plan-restore.js';
import { FREEZE_TREE, type FreezePlan, type FreezeQuestion } from './rule/planned-check-in.js';
import { PLAN_RESTORE, type PlannedRestore, type RestoreQuestion } from './rule/planned-restore.js';
import { endLater, TreeFreezing } from './tree-freezing.js';

/** What answers the asks of large check-ins and restores. */
export const versionEvaluators = (work: LargeWork): Readonly<Record<string, Evaluator>> => ({
  [FREEZE_TREE]: (question: FreezeQuestion, { caller }: Command): Promise<FreezePlan> =>
    new TreeFreezing(work, question, caller).run(),
  [PLAN_RESTORE]: async (question: RestoreQuestion, { caller }: Command): Promise<PlannedRestore> => {
    const { partition, nodeId } = question;
    // From here on, what comes or goes in the tree is told to the decision.
    const freezing = await work.send(partition, beginFreezing, { nodeId, freezing: null });
    const compared = await work.plan<RestoreComparison>(partition, 'planRestore', question, caller);
    endLater(work, partition, freezing);
    return compared.problem === null ? { ...compared, freezing } : compared;
  },
});
