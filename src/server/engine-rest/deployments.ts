import {
  type Deployment,
  decisionDefinitions,
  deployedResources,
  deployments,
  processDefinitions,
  type Resource,
  resourceText,
} from '../../engine/index.js';
import { badRequest } from '../../shared/errors.js';
import { decisionDto } from './decisions.js';
import { flag, is, isLike, listRoutes, nothing } from './list-route.js';
import { definitionDto } from './process-lists.js';
import { instant, type Json, notThere, type RestAnswer, type RestCall, type RestRoute, unfit } from './rest-call.js';

/** The version of Camunda 7 whose REST this is. */
const VERSION = '7.23.0';

/** The files of a form, and its fields. */
async function deployment(call: RestCall) {
  const form = await call.form();
  const field = (name: string): string | undefined => {
    const value = form.get(name);
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  const flag = (name: string): boolean => field(name)?.toLowerCase() === 'true';
  const resources = await filesIn(form);
  const [first] = resources;
  if (first === undefined)
    throw badRequest('expected at least one file to deploy, but found none', { reason: 'argument_missing' });
  const id = await call.send(call.services.api.deployProcess, {
    name: field('deployment-name') ?? first.name,
    source: field('deployment-source') ?? null,
    resources,
    enableDuplicateFiltering: flag('enable-duplicate-filtering'),
    deployChangedOnly: flag('deploy-changed-only'),
  });
  const deployed = call.state.get(deployments, id);
  if (deployed === undefined) throw notThere('deployment', id);
  return { json: deploymentDto(call, deployed) };
}

async function filesIn(form: FormData): Promise<{ readonly name: string; readonly content: string }[]> {
  const files: { readonly name: string; readonly content: string }[] = [];
  for (const [part, value] of form.entries()) {
    if (typeof value === 'string') continue;
    const content = Buffer.from(await value.arrayBuffer()).toString('utf8');
    const name = value.name || part;
    if (content.includes('\0')) throw unfit(name, 'a file of text', 'bytes');
    files.push({ name, content });
  }
  return files;
}

/** Camunda's DeploymentWithDefinitionsDto. */
function deploymentDto({ state, services, partition }: RestCall, deployed: Deployment): Json {
  const decisions = (deployed.decisionDefinitionIds ?? []).flatMap((id) => state.get(decisionDefinitions, id) ?? []);
  const definitions = deployed.definitionIds.flatMap((id) => state.get(processDefinitions, id) ?? []);
  const href = `${services.baseUrl(partition.workspace)}/deployment/${deployed.id}`;
  return {
    links: [{ method: 'GET', href, rel: 'self' }],
    ...plainDeployment(deployed),
    deployedProcessDefinitions: listed(definitions.map(definitionDto)),
    deployedCaseDefinitions: null,
    deployedDecisionDefinitions: listed(decisions.map(decisionDto)),
    deployedDecisionRequirementsDefinitions: null,
  };
}

const plainDeployment = ({ id, name, source, time }: Deployment): Json => ({
  id,
  name,
  source,
  deploymentTime: instant(time),
  tenantId: null,
});

/** By id; null: there are none. */
const listed = (definitions: readonly Json[]): Json | null =>
  definitions.length === 0 ? null : Object.fromEntries(definitions.map((one) => [String(one.id), one]));

const lists = listRoutes({
  path: 'deployment',
  collection: deployments,
  always: [{ op: 'notNull', column: 'time' }],
  filters: { id: is('id'), name: is('name'), nameLike: isLike('name'), tenantIdIn: nothing, withoutTenantId: flag([]) },
  sorts: { id: 'id', name: 'name', deploymentTime: 'time' },
  sorted: 'time',
  dto: (_, found) => ({ links: [], ...plainDeployment(found) }),
});

/** @throws NOT_FOUND */
function deployed(call: RestCall): Deployment {
  const found = call.state.get(deployments, call.param('id'));
  if (found === undefined || found.deleting) throw notThere('deployment', call.param('id'));
  return found;
}

const one = (call: RestCall): RestAnswer => ({ json: { links: [], ...plainDeployment(deployed(call)) } });

/** Files of a deployment; their ids have slashes, which paths have escaped. */
function resourcesOf(call: RestCall): RestAnswer {
  const files = deployedResources(call.state, deployed(call));
  return { json: files.map(({ id, name, deploymentId }) => ({ id, name, deploymentId })) };
}

function fileOf(call: RestCall): Resource {
  const id = call.param('resource');
  const file = deployedResources(call.state, deployed(call)).find((each) => each.id === id);
  if (file === undefined) throw notThere('deployment resource', id);
  return file;
}

function resource(call: RestCall): RestAnswer {
  const { id, name, deploymentId } = fileOf(call);
  return { json: { id, name, deploymentId } };
}

/** It is given to be kept, never to be shown. */
function data(call: RestCall): RestAnswer {
  const file = fileOf(call);
  const name = file.name.replace(/^.*\//, '').replace(/[^ -~]|["\\]/g, '_');
  return {
    bytes: Buffer.from(resourceText(call.state, file)),
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${name}"; filename*=UTF-8''${encodeURIComponent(name)}`,
      'Content-Security-Policy': 'sandbox',
    },
  };
}

async function remove(call: RestCall): Promise<RestAnswer> {
  const { id } = deployed(call);
  await call.sendAndSettle(call.services.api.deleteDeployment, { id, cascade: call.query.get('cascade') === 'true' });
  return null;
}

/** Routes of deployments and of the version, which Camunda Modeler calls to connect and to deploy. */
export const deploymentRoutes: readonly RestRoute[] = [
  { method: 'GET', path: 'version', answer: () => ({ json: { version: VERSION } }) },
  ...lists,
  { method: 'POST', path: 'deployment/create', answer: deployment },
  { method: 'GET', path: 'deployment/:id', answer: one },
  { method: 'DELETE', path: 'deployment/:id', answer: remove },
  { method: 'GET', path: 'deployment/:id/resources', answer: resourcesOf },
  { method: 'GET', path: 'deployment/:id/resources/:resource', answer: resource },
  { method: 'GET', path: 'deployment/:id/resources/:resource/data', answer: data },
];
