import { createRequire } from 'node:module';
import { BpmnModdle, type ParseResult } from 'bpmn-moddle';
import { messageOf } from '../../shared/errors.js';
import { CAMUNDA_NAMESPACES } from './allow-list.js';
import { anyNcName } from './element-ids.js';
import type { ModdleElement } from './moddle-element.js';
import { judgeWarnings, unparsable } from './parser-warnings.js';
import type { Report } from './report.js';

const camunda: unknown = createRequire(import.meta.url)('camunda-bpmn-moddle/resources/camunda.json');

const moddle = new BpmnModdle(
  { camunda },
  { nsMap: Object.fromEntries([...CAMUNDA_NAMESPACES].map((name) => [name, 'camunda'])) },
);

/** Reads BPMN 2.0 XML; what the parser could not read goes to the report. Null: it is no BPMN document at all, and the report says why. */
export async function readXml(xml: string, report: Report): Promise<ModdleElement | null> {
  let result: ParseResult;
  try {
    result = await moddle.fromXML(xml, anyNcName);
  } catch (thrown) {
    for (const { message } of warningsOf(thrown)) report.add(report.problems, unparsable(message, report));
    if (report.problems.length === 0) report.add(report.problems, unparsable(messageOf(thrown), report));
    return null;
  }
  judgeWarnings(result, report);
  return result.rootElement;
}

function warningsOf(thrown: unknown): readonly { message: string }[] {
  if (typeof thrown !== 'object' || thrown === null || !('warnings' in thrown)) return [];
  return Array.isArray(thrown.warnings) ? thrown.warnings : [];
}
