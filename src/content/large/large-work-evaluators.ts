import { newId } from '../../shared/ids.js';
import type { Command, Evaluator } from '../../store/index.js';
import { type CopyQuestion, STAGE_COPY, type StagedCopy } from './copy-plan.js';
import { type DeletePlan, type DeleteQuestion, PLAN_DELETE } from './delete-plan.js';
import type { LargeWork } from './make-ready.js';
import { planDelete } from './plan-delete.js';
import { CopyStaging } from './stage-copy.js';

/** What answers the asks of large work. */
export const largeWorkEvaluators = (work: LargeWork): Readonly<Record<string, Evaluator>> => ({
  [PLAN_DELETE]: (question: DeleteQuestion, { caller }: Command): Promise<DeletePlan> =>
    work.plan(question.partition, planDelete, question, caller),
  [STAGE_COPY]: (question: CopyQuestion, { caller }: Command): Promise<StagedCopy> =>
    new CopyStaging(work, question, { caller, seed: newId(question.now) }).run(),
});
