import { loadFeelin, scriptProblems } from '../../expression/index.js';
import type { ThreadService } from '../../shared/thread-service.js';
import { checkAllowed, isCamunda8, tellCamunda8 } from './check-allowed.js';
import { compileDefinitions } from './compile-process.js';
import { withGlobalTasks } from './global-task.js';
import { nameByMessageFlows } from './message-flows.js';
import type { ModdleElement } from './moddle-element.js';
import type { Program } from './program.js';
import { createElement, readXml } from './read-xml.js';
import { type ModelFiles, type ModelForm, type Problem, Report } from './report.js';
import { MODEL_LIMITS, type ModelLimits, scanXml } from './scan-xml.js';
import { translateZeebe } from './zeebe.js';

/** A model, compiled: its programs, or its problems, with warnings in either case. */
export interface ParsedModel {
  /** One per executable process, in document order; none if there is a problem, or no such process. */
  readonly programs: readonly Program[];
  /** Why the model cannot be deployed. At most 101. */
  readonly problems: readonly Problem[];
  /** Doubts: perhaps not meant so. At most 101. */
  readonly warnings: readonly Problem[];
  /** Those that it holds itself. Absent: there are none. */
  readonly forms?: readonly ModelForm[];
}

/**
 * Compiles BPMN 2.0 XML in Camunda's dialect; scripts may be in `files`, and handlers other than those named are warned of (null: none is). Takes up to a second for large models: call it through `ModelParser`.
 * @throws BAD_REQUEST (a DTD, a foreign entity, a reserved id), LIMIT_EXCEEDED
 */
export async function compileModel(
  source: string,
  files: ModelFiles = {},
  handlers: readonly string[] | null = null,
  limits: ModelLimits = MODEL_LIMITS,
): Promise<ParsedModel> {
  const { xml, positions, tags } = scanned(source.replace(/^\uFEFF/, ''), limits);
  const report = new Report(positions, files, handlers);
  checkAllowed(tags, report);
  const definitions = await readXml(xml, report);
  const programs = definitions === null ? [] : programsOf(definitions, isCamunda8(tags), report);
  await checkScripts(report);
  tellCamunda8(tags, report);
  const { problems, warnings, forms } = report;
  return {
    programs: problems.length === 0 ? programs : [],
    problems,
    warnings,
    ...(forms.length > 0 && { forms }),
  };
}

function programsOf(definitions: ModdleElement, inCamunda8: boolean, report: Report): readonly Program[] {
  translateZeebe(definitions, inCamunda8, createElement, report);
  nameByMessageFlows(definitions, createElement, report);
  return compileDefinitions(definitions, report);
}

/** What stands in the text, with global tasks as the processes that they are. @throws BAD_REQUEST, LIMIT_EXCEEDED */
function scanned(source: string, limits: ModelLimits): ReturnType<typeof scanXml> {
  const drawn = scanXml(source, limits);
  const text = withGlobalTasks(drawn.xml, drawn.tags);
  return text === null ? drawn : scanXml(text, limits);
}

/** A model, the files that it may name, and the handlers that are registered. */
export interface ModelToRead {
  readonly xml: string;
  readonly files: ModelFiles;
  readonly handlers: readonly string[] | null;
}

/** Compilation of BPMN in its thread, as the thread's side of `ModelParser`. */
export const inThread = (limits: ModelLimits): ThreadService<ModelToRead, ParsedModel> => ({
  answer: async ({ xml, files, handlers }) => {
    if (MAY_HAVE_FEEL.test(xml)) await loadFeelin();
    return compileModel(xml, files, handlers, limits);
  },
});

/** It is named as a language, or a text begins with `=`, as in Camunda 8. */
const MAY_HAVE_FEEL = /feel|zeebe|[">]\s*=/i;

/** Checks the scripts that were found: they cannot be while the model is compiled. */
export async function checkScripts(report: Report): Promise<void> {
  const { scripts } = report;
  const failures = scripts.length === 0 ? [] : await scriptProblems(scripts.map(({ text }) => text));
  scripts.forEach((script, at) => {
    const failure = failures[at];
    if (failure != null) report.scriptProblem(script, failure);
  });
}
