import type { Command, Evaluator } from '../../store/index.js';
import type { LargeWork } from '../large/make-ready.js';
import { FREEZE_TREE, type FreezePlan, type FreezeQuestion } from './planned-check-in.js';
import { PLAN_RESTORE, type PlannedRestore, type RestoreQuestion } from './planned-restore.js';
import { TreeFreezing } from './stage-freeze.js';
import { RestoreStaging } from './stage-restore.js';

/** What answers the asks of large check-ins and restores. */
export const versionEvaluators = (work: LargeWork): Readonly<Record<string, Evaluator>> => ({
  [FREEZE_TREE]: (question: FreezeQuestion, { caller }: Command): Promise<FreezePlan> =>
    new TreeFreezing(work, question, caller).run(),
  [PLAN_RESTORE]: (question: RestoreQuestion, { caller }: Command): Promise<PlannedRestore> =>
    new RestoreStaging(work, question, caller).run(),
});
