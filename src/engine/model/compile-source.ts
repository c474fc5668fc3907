import { body, type ModdleElement, raw, text } from './moddle-element.js';
import type { Condition, Source } from './program.js';
import { isLiteral, type Report, short } from './report.js';

/** The one script language, and how models spell it: also by the engines that run it in Java. */
const JAVASCRIPT = new Set([
  'javascript',
  'ecmascript',
  'js',
  'text/javascript',
  'application/javascript',
  'graal.js',
  'nashorn',
]);

/** FEEL, as models spell it. */
const isFeel = (language: string): boolean => /^feel(-|$)|\/feel\/?$|\/spec\/feel\//.test(language);

/** Whether a language is one that runs, however it is spelled. */
export function isExecuted(written: string): boolean {
  const language = written.toLowerCase();
  return language === 'juel' || isFeel(language) || JAVASCRIPT.has(language);
}

/** A script with the language that it names, `what` it is for messages. Null, with a problem, where it cannot run. `juel` is an expression. */
export function compileScript(
  script: { about: ModdleElement; what: string; language: string | null; text: string | null },
  report: Report,
): Source | null {
  const { about, what } = script;
  const language = (script.language ?? 'juel').toLowerCase();
  if (!isExecuted(language)) {
    report.problem(
      about,
      `has a ${what} in '${short(language)}', but only javascript, feel and juel are executed`,
      'script-language',
    );
    return null;
  }
  const resource = text(about, 'camunda:resource');
  if (resource !== null && !isLiteral(resource)) {
    const expected = 'its name, for it becomes part of the version';
    report.problem(
      about,
      `has '${short(resource)}' for the file of its ${what}, but expected ${expected}`,
      'file-name',
    );
    return null;
  }
  const written = resource === null ? script.text : report.file(about, what, resource);
  if (written === null) {
    if (resource === null) report.problem(about, `has an empty ${what}`, 'script-empty');
    return null;
  }
  if (isFeel(language)) return feelSource(about, what, written, report);
  if (language !== 'juel') {
    // As in Camunda: no JavaScript begins so.
    if (/^\s*[$#]\{/.test(written)) {
      return {
        kind: 'script',
        language: 'javascript',
        text: report.expression(about, what, written.trim()),
        made: true,
      };
    }
    report.scripts.push({ about, what, text: written });
    return { kind: 'script', language: 'javascript', text: written };
  }
  return { kind: 'expression', text: report.expression(about, what, written.trim()) };
}

/** The source of a `camunda:script` element. */
export const compileScriptElement = (script: ModdleElement, what: string, report: Report): Source | null =>
  compileScript({ about: script, what, language: text(script, 'scriptFormat'), text: raw(script, 'value') }, report);

/** The condition of a sequence flow; null when there is none. */
export function compileCondition(expression: ModdleElement | null, report: Report): Condition | null {
  if (expression === null) return null;
  const language = text(expression, 'language');
  if (language !== null) {
    return compileScript({ about: expression, what: 'condition', language, text: raw(expression, 'body') }, report);
  }
  if (text(expression, 'camunda:resource') !== null) {
    report.problem(expression, 'names a resource for its condition, but no language', 'condition-language');
    return null;
  }
  const condition = body(expression);
  if (condition === null) {
    report.problem(expression, 'has an empty condition', 'condition-empty');
    return null;
  }
  // As in Camunda 8, whose models say no language: in Camunda 7 such a text is no condition.
  if (condition.startsWith('=')) return feelSource(expression, 'condition', condition.slice(1), report);
  return { kind: 'expression', text: report.expression(expression, 'condition', condition) };
}

/** Source of an expression in FEEL. */
export const feelSource = (about: ModdleElement, what: string, text: string, report: Report): Source => ({
  kind: 'script',
  language: 'feel',
  text: report.feel(about, what, text.trim()),
});

/** The name in `${name}` or `${bean.method()}`, or plain text that is a name; null for everything else. */
export function handlerName(expression: string): string | null {
  const named = /^[$#]\{\s*([^{}\s]+?)\s*\}$/.exec(expression)?.[1];
  const name = named?.replace(/\(\)(?=\.|$)/g, '') ?? expression;
  return /^[\p{L}_$][\p{L}\p{N}_$.:/-]*$/u.test(name) ? name : null;
}
