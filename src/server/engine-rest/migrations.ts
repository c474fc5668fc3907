import { migrationReport } from '../../engine/index.js';
import { badRequest } from '../../shared/errors.js';
import { batchOf } from './batches.js';
import { idsMeant } from './instances-meant.js';
import { instanceList } from './process-lists.js';
import {
  flagIn,
  type Json,
  objectIn,
  objectsIn,
  type RestAnswer,
  type RestCall,
  type RestRoute,
  textIn,
  textsIn,
  unfit,
} from './rest-call.js';
import { variablesIn } from './variable-value.js';

// Migrations, as Camunda's clients plan and order them.

/** What both definitions are. @throws BAD_REQUEST */
function definitionsIn(json: Json) {
  return {
    sourceProcessDefinitionId: idIn(json, 'sourceProcessDefinitionId'),
    targetProcessDefinitionId: idIn(json, 'targetProcessDefinitionId'),
  };
}

function idIn(json: Json, name: string): string {
  const id = textIn(json, name);
  if (id === undefined) throw unfit(name, 'the id of a process definition', id);
  return id;
}

/** Camunda's MigrationPlanGenerationDto: what is equal is paired. */
async function generate(call: RestCall): Promise<RestAnswer> {
  const json = call.json();
  const plan = await call.send(call.services.api.createMigrationPlan, {
    ...definitionsIn(json),
    updateEventTriggers: flagIn(json, 'updateEventTriggers') ?? false,
    variables: variablesIn(json, 'variables'),
  });
  return { json: { ...plan, variables: objectIn(json, 'variables') ?? null } };
}

interface GivenInstruction {
  readonly sourceActivityIds: readonly string[];
  readonly targetActivityIds: readonly string[];
  readonly updateEventTrigger: boolean;
}

const instructionIn = (json: Json): GivenInstruction => ({
  sourceActivityIds: textsIn(json, 'sourceActivityIds') ?? [],
  targetActivityIds: textsIn(json, 'targetActivityIds') ?? [],
  updateEventTrigger: flagIn(json, 'updateEventTrigger') ?? false,
});

/** Camunda's MigrationPlanDto: what it does not name goes nowhere, also where an equal activity is. */
function planIn(call: RestCall, json: Json) {
  const definitions = definitionsIn(json);
  const instructions = (objectsIn(json, 'instructions') ?? []).map(instructionIn);
  const named = new Set(instructions.flatMap(({ sourceActivityIds }) => sourceActivityIds.map(withoutBody)));
  const equal = reportOf(call, definitions).plan.instructions;
  const left = equal.filter(({ sourceActivityIds: [id = ''] }) => !named.has(id));
  return {
    ...definitions,
    variables: variablesIn(json, 'variables'),
    instructions: [...instructions, ...left.map((each) => ({ ...each, targetActivityIds: [] }))],
  };
}

const withoutBody = (id: string): string => id.replace(/#multiInstanceBody$/, '');

const reportOf = ({ services, state, caller }: RestCall, request: Parameters<typeof migrationReport>[1]) =>
  migrationReport({ programs: services.programs, state, caller }, request);

/** Camunda's MigrationPlanReportDto: each instruction that cannot be followed, with why. */
function validate(call: RestCall): RestAnswer {
  const plan = planIn(call, call.json());
  const { problems } = reportOf(call, plan);
  const sources = new Set(problems.map(sourceOf));
  const instructionReports = [...sources].map((source) => ({
    instruction: plan.instructions.find((each) => sourceOf(each) === source) ?? null,
    failures: problems.filter((each) => sourceOf(each) === source).map(({ message }) => message),
  }));
  return { json: { instructionReports, variableReports: {} } };
}

const sourceOf = ({ sourceActivityIds }: { readonly sourceActivityIds: readonly string[] }) => sourceActivityIds.join();

/** Camunda's MigrationExecutionDto. @throws BAD_REQUEST */
async function orderIn(call: RestCall, isBatch: boolean) {
  const json = call.json();
  const plan = objectIn(json, 'migrationPlan');
  if (plan === undefined) throw unfit('migrationPlan', 'a migration plan', plan);
  return {
    ids: await idsMeant(call, json, { field: 'processInstanceQuery', list: instanceList, isBatch }),
    request: {
      ...planIn(call, plan),
      skipCustomListeners: flagIn(json, 'skipCustomListeners') ?? false,
      skipIoMappings: flagIn(json, 'skipIoMappings') ?? false,
    },
  };
}

/** One after the other, once it is known that all can. */
async function execute(call: RestCall): Promise<RestAnswer> {
  const { ids, request } = await orderIn(call, false);
  const { problems, hindered } = reportOf(call, { ...request, processInstanceIds: ids });
  const [first, ...more] = [...problems, ...hindered];
  if (first !== undefined)
    throw badRequest(`${first.message}${more.length === 0 ? '' : `, and ${more.length} more`}`, {
      reason: problems.length > 0 ? 'migration_plan_invalid' : 'migration_hindered',
    });
  for (const processInstanceId of ids)
    await call.sendAndSettle(call.services.migrateInstance, { ...request, processInstanceId });
  return null;
}

async function executeAsync(call: RestCall): Promise<RestAnswer> {
  const { ids: processInstanceIds, request } = await orderIn(call, true);
  return batchOf(call, await call.send(call.services.api.migrateProcessInstance, { ...request, processInstanceIds }));
}

/** Routes of migrations: generation, validation and execution of a plan. */
export const migrationRoutes: readonly RestRoute[] = [
  { method: 'POST', path: 'migration/generate', answer: generate },
  { method: 'POST', path: 'migration/validate', answer: validate },
  { method: 'POST', path: 'migration/execute', answer: execute },
  { method: 'POST', path: 'migration/executeAsync', answer: executeAsync },
];
