import { badRequest, type ErrorCode, limitExceeded, ServiceError } from '../../shared/errors.js';
import { seedOf } from '../../shared/ids.js';
import { type Ask, type Asking, type CommandContext, type Decision, operation, type State } from '../../store/index.js';
import { type Deployment, deployments, type ModelWarning, resources } from '../collections.js';
import { badArgument, missingArgument } from '../errors.js';
import { deploymentEvent } from '../events.js';
import type { ParsedModel } from '../model/compile-model.js';
import type { Program } from '../model/program.js';
import type { ModelFiles } from '../model/report.js';
import { bounded } from '../rule/given-value.js';
import { requireDeployer } from '../rule/rights.js';
import { Changes } from '../run/changes.js';
import { nextVersion, publishDefinition } from '../run/publish-definition.js';
import { storeText } from '../run/stored-text.js';

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

/** The question that the parser answers with a {@link ParsedModel}. */
export interface ParseModelQuestion {
  readonly resourceName: string;
  /** Of the content. */
  readonly hash: string;
  readonly content: string;
  /** Files that the model may name, where it names any. */
  readonly files: ModelFiles;
}

/**
 * Deploys files; every executable process of a `.bpmn` or `.bpmn20.xml` file becomes the newest version of its key; a model without one is stored,
 * with a warning. Warnings stay with the files. Answers the deployment's
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
  return 'ask' in models ? models : deploy(state, context, { ...input, name }, { files: fresh, models });
});

/** A file, and the files that it names in `camunda:resource`. A model is another one where one of these is. */
interface HashedResource extends ResourceInput {
  readonly hash: string;
  readonly files: ModelFiles;
}

function hashed(resource: ResourceInput, given: readonly ResourceInput[]): HashedResource {
  const { name, content } = resource;
  const files = isModel(name) ? filesFor(content, given) : {};
  const texts = [content, ...Object.values(files)];
  return { ...resource, files, hash: seedOf(texts.length === 1 ? content : JSON.stringify(texts)) };
}

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

interface Models {
  readonly programs: readonly { readonly resourceName: string; readonly program: Program }[];
  /** Of each file that has any. */
  readonly warnings: ReadonlyMap<string, readonly ModelWarning[]>;
}

/** The programs of all models, with what they are warned of; or the next question. @throws BAD_REQUEST */
function parsed(files: readonly HashedResource[], { answers }: CommandContext): Models | Asking {
  const programs: Models['programs'][number][] = [];
  const warnings = new Map<string, readonly ModelWarning[]>();
  for (const { name, hash, content, files: named } of files.filter((file) => isModel(file.name))) {
    const question: ParseModelQuestion = { resourceName: name, hash, content, files: named };
    const answered = answers.find(({ ask }) => isAbout(ask, question));
    if (answered === undefined) return { ask: { kind: 'parseModel', question } };
    if ('error' in answered.answer) throw notParsed(name, answered.answer.error);
    const model = answered.answer.value as ParsedModel;
    if (model.problems.length > 0) throw invalidModel(name, model);
    if (model.warnings.length > 0) warnings.set(name, kept(model.warnings));
    programs.push(...model.programs.map((program) => ({ resourceName: name, program })));
  }
  const keys = programs.map(({ program }) => program.key);
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined) throw badArgument('resources', 'processes with keys of their own', twice);
  return { programs, warnings };
}

/** What a model may name as `camunda:resource`: the files of those names. */
function filesFor(model: string, given: readonly ResourceInput[]): ModelFiles {
  const named = new Set(Array.from(model.matchAll(RESOURCE), ([, name]) => name));
  return Object.fromEntries(given.flatMap(({ name, content }) => (named.has(name) ? [[name, content]] : [])));
}

const RESOURCE = /\bresource\s*=\s*["'](?:(?:deployment|classpath):\/\/)?([^"']+)["']/g;

/** Characters of a file's warnings that are kept: a document has room for so much beside a text. */
const WARNINGS_MAX = 20_000;

function kept(warnings: readonly ModelWarning[]): readonly ModelWarning[] {
  let left = WARNINGS_MAX;
  const shown = warnings.filter((warning) => {
    left -= JSON.stringify(warning).length;
    return left >= 0;
  });
  const more = warnings.length - shown.length;
  return more === 0 ? shown : [...shown, { line: null, column: null, elementId: null, message: `and ${more} more` }];
}

function isAbout({ kind, question }: Ask, { resourceName, hash }: ParseModelQuestion): boolean {
  const asked = question as ParseModelQuestion;
  return kind === 'parseModel' && asked.resourceName === resourceName && asked.hash === hash;
}

function deploy(
  state: State,
  { caller }: CommandContext,
  { name, source }: DeployProcess,
  { files, models }: { readonly files: readonly HashedResource[]; readonly models: Models },
): Decision<string> {
  const changes = new Changes();
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
  const deployment: Deployment = {
    id,
    name,
    source: bounded('source', source, 'name'),
    time: state.now,
    userId: caller.userId,
    resources: files.map((file) => ({ id: resourceId(file.name), name: file.name, hash: file.hash })),
    definitionIds,
    deleting: false,
  };
  changes.create(deployments, deployment);
  changes.event(deploymentEvent('created', deployment, state.now));
  return changes.decision(id);
}

/** Codes that a parser's failure keeps; whatever else it is, is the file's fault or a bug. */
const KEPT_CODES: readonly string[] = ['BAD_REQUEST', 'LIMIT_EXCEEDED', 'UNAVAILABLE'] satisfies ErrorCode[];

function notParsed(resourceName: string, error: { readonly message: string; readonly code?: string }): ServiceError {
  const kept = KEPT_CODES.find((code) => code === error.code) as ErrorCode | undefined;
  return new ServiceError(kept ?? 'INTERNAL_ERROR', `resource '${resourceName}': ${error.message}`, {
    reason: 'model_not_parsed',
    resourceId: resourceName,
  });
}

function invalidModel(resourceName: string, { problems }: ParsedModel): ServiceError {
  const [first, ...more] = problems;
  const place = first?.line == null ? '' : ` line ${first.line}, column ${first.column}:`;
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return badRequest(`resource '${resourceName}':${place} ${first?.message}${rest}`, {
    reason: 'model_invalid',
    resourceId: resourceName,
    details: { problems },
  });
}

/** A file as a caller gives it. */
interface ResourceInput {
  readonly name: string;
  readonly content: string;
}

/** The most files of one deployment. */
const RESOURCES_MAX = 200;

/** Whether the file is a model, by its name as Camunda decides it; other files are stored as they are. */
const isModel = (name: string): boolean => name.endsWith('.bpmn') || name.endsWith('.bpmn20.xml');

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
