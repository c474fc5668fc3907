import { badRequest, type ErrorCode, ServiceError } from '../../shared/errors.js';
import { seedOf } from '../../shared/ids.js';
import type { Answer, Ask, Asking, CommandContext } from '../../store/index.js';
import type { ModelWarning } from '../collections.js';
import type { ParsedDecisions } from '../decision/compile-decisions.js';
import { askedOf, type DecisionModel } from '../decision/decision-model.js';
import { badArgument } from '../errors.js';
import { readForm } from '../form/camunda-form.js';
import type { ParsedModel } from '../model/compile-model.js';
import type { Program } from '../model/program.js';
import type { ModelFiles, ModelForm, Problem } from '../model/report.js';

/** A file as a caller gives it. */
export interface ResourceInput {
  readonly name: string;
  readonly content: string;
}

/** The question that a parser answers with a {@link ParsedModel}, or {@link ParsedDecisions}. */
export interface ParseModelQuestion {
  readonly resourceName: string;
  /** Of the content. */
  readonly hash: string;
  readonly content: string;
  /** Files that the model may name, where it names any. */
  readonly files: ModelFiles;
}

/** Whether the file is a model of processes, by its name as Camunda decides it. */
export const isModel = (name: string): boolean => name.endsWith('.bpmn') || name.endsWith('.bpmn20.xml');

/** Who reads the file, by its name as Camunda decides it; null: it is stored as it is. */
function questionOf(name: string): 'parseModel' | 'parseDecisions' | null {
  if (isModel(name)) return 'parseModel';
  return name.endsWith('.dmn') || name.endsWith('.dmn11.xml') ? 'parseDecisions' : null;
}

/** A file, and the files that it names in `camunda:resource`. A model is another one where one of these is. */
export interface HashedResource extends ResourceInput {
  readonly hash: string;
  readonly files: ModelFiles;
}

/** A file with the hash of what it is made of. */
export function hashed(resource: ResourceInput, given: readonly ResourceInput[]): HashedResource {
  const { name, content } = resource;
  const files = isModel(name) ? filesFor(content, given) : {};
  const texts = [content, ...Object.values(files)];
  return { ...resource, files, hash: seedOf(texts.length === 1 ? content : JSON.stringify(texts)) };
}

/** What the models of a deployment are, file by file. */
export interface Models {
  readonly programs: readonly { readonly resourceName: string; readonly program: Program }[];
  readonly decisions: readonly { readonly resourceName: string; readonly model: DecisionModel }[];
  /** The ids of forms. */
  readonly forms: readonly { readonly resourceName: string; readonly key: string }[];
  /** The forms that models hold themselves, as the files that they become. */
  readonly held: readonly HashedResource[];
  /** Of each file that has any. */
  readonly warnings: ReadonlyMap<string, readonly ModelWarning[]>;
}

/** The models of all files, with what they are warned of; or the next question. @throws BAD_REQUEST */
export function parsed(files: readonly HashedResource[], { answers }: CommandContext): Models | Asking {
  const programs: Models['programs'][number][] = [];
  const decisions: Models['decisions'][number][] = [];
  const held: HashedResource[] = [];
  // What was deployed once may be deployed again as it is.
  const names = new Set(files.map(({ name }) => name));
  const warnings = new Map<string, readonly ModelWarning[]>();
  for (const { name: resourceName, hash, content, files: named } of files) {
    const kind = questionOf(resourceName);
    if (kind === null) continue;
    const question: ParseModelQuestion = { resourceName, hash, content, files: named };
    const answered = answers.find(({ ask }) => isAbout(ask, kind, question));
    if (answered === undefined) return { ask: { kind, question } };
    const found = foundIn(resourceName, answered.answer);
    if (found.warnings.length > 0) warnings.set(resourceName, kept(found.warnings));
    if ('programs' in found) {
      programs.push(...found.programs.map((program) => ({ resourceName, program })));
      held.push(...(found.forms ?? []).map(fileOf).filter(({ name }) => !names.has(name)));
    } else if (found.model !== null) decisions.push({ resourceName, model: found.model });
  }
  checkKeys(
    'processes',
    programs.map(({ program }) => program.key),
  );
  checkKeys(
    'decisions',
    decisions.flatMap(({ model }) => askedOf(model).map(({ id }) => id)),
  );
  const forms = [...files, ...held].flatMap(formIn);
  checkKeys(
    'forms',
    forms.map(({ key }) => key),
  );
  return { programs, decisions, forms, held, warnings };
}

const fileOf = ({ id, content }: ModelForm): HashedResource => hashed({ name: `${id}.form`, content }, []);

/** The form that a file is. @throws BAD_REQUEST (line and column, where they are known) */
function formIn({ name: resourceName, content }: HashedResource): Models['forms'] {
  if (!resourceName.endsWith('.form')) return [];
  const { form, problems } = readForm(content);
  if (form === null) throw invalidModel(resourceName, problems);
  return [{ resourceName, key: form.id }];
}

/** @throws BAD_REQUEST (line, column, element); what the parser refuses with */
function foundIn(resourceName: string, answer: Answer): ParsedModel | ParsedDecisions {
  if ('error' in answer) throw notParsed(resourceName, answer.error);
  const found = answer.value as ParsedModel | ParsedDecisions;
  if (found.problems.length > 0) throw invalidModel(resourceName, found.problems);
  return found;
}

/** @throws BAD_REQUEST where two have one key */
function checkKeys(what: string, keys: readonly string[]): void {
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined) throw badArgument('resources', `${what} with keys of their own`, twice);
}

/** What a model may name as `camunda:resource`, or as the form of a `camunda:formKey`: the files of those names. */
function filesFor(model: string, given: readonly ResourceInput[]): ModelFiles {
  const named = new Set(Array.from(model.matchAll(RESOURCE), ([, name]) => name));
  return Object.fromEntries(given.flatMap(({ name, content }) => (named.has(name) ? [[name, content]] : [])));
}

const RESOURCE =
  /\b(?:resource\s*=\s*["'](?:(?:deployment|classpath):\/\/)?|formKey\s*=\s*["']camunda-forms:deployment:)([^"']+)["']/g;

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

function isAbout({ kind, question }: Ask, wanted: string, { resourceName, hash }: ParseModelQuestion): boolean {
  const asked = question as ParseModelQuestion;
  return kind === wanted && asked.resourceName === resourceName && asked.hash === hash;
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

function invalidModel(resourceName: string, problems: readonly Problem[]): ServiceError {
  const [first, ...more] = problems;
  const place = first?.line == null ? '' : ` line ${first.line}, column ${first.column}:`;
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return badRequest(`resource '${resourceName}':${place} ${first?.message}${rest}`, {
    reason: 'model_invalid',
    resourceId: resourceName,
    details: { problems },
  });
}
