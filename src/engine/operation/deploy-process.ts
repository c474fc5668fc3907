import { badRequest, limitExceeded } from '../../shared/errors.js';
import { type CommandContext, type Decision, operation, type State } from '../../store/index.js';
import { type Deployment, deployments, formDefinitions, resources } from '../collections.js';
import { badArgument, missingArgument } from '../errors.js';
import { deploymentEvent } from '../events.js';
import { bounded } from '../rule/given-value.js';
import { requireDeployer } from '../rule/rights.js';
import { Changes } from '../run/changes.js';
import { publishDecisions } from '../run/publish-decision.js';
import { nextVersion, publishDefinition, requireOwnMessages } from '../run/publish-definition.js';
import { storeText } from '../run/stored-text.js';
import { nextVersionOf } from '../run/versions.js';
import { type HashedResource, hashed, isModel, type Models, parsed, type ResourceInput } from './deployed-models.js';

/** Input of `deployProcess`. */
interface DeployProcess {
  readonly name: string;
  readonly source?: string | null;
  readonly resources: readonly ResourceInput[];
  /** Whether nothing is deployed when the newest deployment of that name has the same files. Default false. */
  readonly enableDuplicateFiltering?: boolean | null;
  /** Whether files stay out that are as in earlier deployments of that name. Default false; implies filtering. */
  readonly deployChangedOnly?: boolean | null;
}

/**
 * Deploys files; every executable process of a `.bpmn` or `.bpmn20.xml` file, every decision of a `.dmn` or `.dmn11.xml` file, and every `.form` file, becomes the newest version of
 * its key; a model without one is stored, with a warning. Warnings stay with the files. Answers the deployment's
 * id: with filtering that of the one which has the same files already. Allowed to supervisors and administrators.
 * @throws FORBIDDEN, BAD_REQUEST (no name, no file; a model, with line, column and element), CONFLICT (a start message of another process)
 */
export const deployProcess = operation<DeployProcess, string>('deployProcess', (state, input, context) => {
  requireDeployer(context.caller, 'deploy processes');
  const name = bounded('name', input.name, 'name')?.trim() ?? '';
  if (name === '') throw missingArgument('name', 'the name of the deployment');
  checkResources(input.resources ?? []);
  const given = input.resources.map((it) => hashed(it, input.resources));
  const { fresh, same } = filtered(state, name, input, given);
  if (same !== undefined) return { answer: same.id };
  const models = parsed(fresh, context);
  return 'ask' in models
    ? models
    : deploy(state, context, { ...input, name }, { files: [...fresh, ...models.held], models });
});

/** How many earlier deployments of the name are looked at. */
const EARLIER_MAX = 50;

/** The files to deploy, or the deployment that has them all already. */
function filtered(
  state: State,
  name: string,
  { enableDuplicateFiltering, deployChangedOnly }: DeployProcess,
  given: readonly HashedResource[],
): { readonly fresh: readonly HashedResource[]; readonly same?: Deployment } {
  if (!enableDuplicateFiltering && !deployChangedOnly) return { fresh: given };
  const earlier = state
    .range(deployments, 'newest', [name], EARLIER_MAX)
    .filter((deployment) => deployment.name === name && !deployment.deleting)
    // The index orders by time alone; ids tell what came later within one millisecond.
    .sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1));
  const [newest] = earlier;
  if (newest === undefined) return { fresh: given };
  const looked = deployChangedOnly ? earlier : [newest];
  const changed = given.filter((file) => newestHash(looked, file.name) !== file.hash);
  if (changed.length === 0) return { fresh: [], same: newest };
  return { fresh: deployChangedOnly ? changed : given };
}

const newestHash = (earlier: readonly Deployment[], file: string): string | undefined =>
  earlier.flatMap((deployment) => deployment.resources).find((resource) => resource.name === file)?.hash;

function deploy(
  state: State,
  { caller }: CommandContext,
  { name, source }: DeployProcess,
  { files, models }: { readonly files: readonly HashedResource[]; readonly models: Models },
): Decision<string> {
  const changes = new Changes();
  requireFew(models, changes);
  const id = state.ids.next();
  const resourceId = (file: string) => `${id}/${file}`;
  for (const file of files) {
    const text = storeText(changes, resourceId(file.name), file.content);
    const warnings = models.warnings.get(file.name);
    const resource = { id: resourceId(file.name), deploymentId: id, name: file.name, ...text };
    changes.create(resources, { ...resource, ...(warnings !== undefined && { warnings }) });
  }
  const definitionIds = models.programs.map(({ program, resourceName }) => {
    const version = nextVersion(state, program.key);
    const definitionId = `${program.key}:${version}:${state.ids.next()}`;
    const resource = { id: resourceId(resourceName), name: resourceName };
    publishDefinition({ state, changes }, { id: definitionId, version, deployment: { id, name }, resource, program });
    return definitionId;
  });
  requireOwnMessages(
    { state, changes },
    models.programs.map(({ program }) => program),
  );
  const decisionDefinitionIds = models.decisions.flatMap(({ model, resourceName }) => {
    const resource = { id: resourceId(resourceName), name: resourceName };
    return publishDecisions({ state, changes }, { id, name }, resource, model);
  });
  for (const { key, resourceName } of models.forms) {
    const version = nextVersionOf({ state, changes }, formDefinitions, key);
    const form = { id: `${key}:${version}:${state.ids.next()}`, key, version, latest: true, deleting: false };
    changes.create(formDefinitions, { ...form, deploymentId: id, resourceName });
  }
  const deployment: Deployment = {
    id,
    name,
    source: bounded('source', source, 'name'),
    time: state.now,
    userId: caller.userId,
    resources: files.map((file) => ({ id: resourceId(file.name), name: file.name, hash: file.hash })),
    definitionIds,
    ...(decisionDefinitionIds.length > 0 && { decisionDefinitionIds }),
    deleting: false,
  };
  changes.create(deployments, deployment);
  requireFew(models, changes);
  changes.event(deploymentEvent('created', deployment, state.now));
  return changes.decision(id);
}

/** As many documents one decision writes; a process takes two, or three where it is a new version. */
const WRITES_MAX = 500;

/** @throws LIMIT_EXCEEDED: what is deployed is more than one decision writes */
function requireFew({ programs, decisions, forms }: Models, { size }: Changes): void {
  const decided = decisions.reduce((sum, { model }) => sum + model.decisions.length, 0);
  const count = programs.length + decided + forms.length;
  if (Math.max(count, size) <= WRITES_MAX) return;
  throw limitExceeded(
    `expected a deployment of some 150 processes, decisions and forms at most, and of files that are not longer than usual, but found ${count}; deploy them as several deployments`,
    { reason: 'deployment_too_large' },
  );
}

/** The most files of one deployment. */
const RESOURCES_MAX = 200;

/** Text that is not the XML of a model, but what Base64 makes of it: of `<`, with or without a byte order mark. */
const BASE64_XML = /^\s*(?:data:[^,]{0,200},)?(?:77u\/)?P[A-P][\w+/\s-]*={0,2}\s*$/;

/** @throws BAD_REQUEST (none; without name or content; two of one name; a model in Base64), LIMIT_EXCEEDED */
function checkResources(resources: readonly ResourceInput[]): void {
  if (resources.length === 0) throw missingArgument('resources', 'at least one file');
  if (resources.length > RESOURCES_MAX) {
    throw limitExceeded(`expected at most ${RESOURCES_MAX} resources in one deployment, but found ${resources.length}`);
  }
  const names = new Set<string>();
  for (const { name, content } of resources) {
    if (name.trim() === '') throw missingArgument('resources.name', 'the name of a file');
    if (content === '') throw missingArgument('resources.content', `the content of '${name}'`);
    bounded('resources.name', name, 'name');
    if (isModel(name) && BASE64_XML.test(content)) throw base64(name);
    if (names.has(name)) throw badArgument('resources', 'files with names of their own', name);
    names.add(name);
  }
}

const base64 = (name: string) =>
  badRequest(
    `resource '${name}': expected the XML of the model as text, but it is Base64; send it as it was before that`,
    {
      reason: 'model_is_base64',
      resourceId: name,
    },
  );
