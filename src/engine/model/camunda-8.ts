import type { Report } from './report.js';
import type { XmlTag } from './scan-xml.js';

/** The namespace in which Camunda 8's models say what to do. */
export const ZEEBE = 'http://camunda.org/schema/zeebe/1.0';

/** Says that a model is made for Camunda 8, which has another dialect: first of all where it is refused, for then that is mostly why. */
export function tellCamunda8([root]: readonly XmlTag[], report: Report): void {
  if (root === undefined || !isCamunda8(root)) return;
  const message =
    "this is a Camunda 8 model: what it says by zeebe's extensions is not executed, for this engine executes Camunda 7's dialect";
  const list = report.problems.length > 0 ? report.problems : report.warnings;
  list.unshift({ ...report.placeAt(root.offset), elementId: null, message });
}

/** As the modeler marks it; else by the namespace. */
function isCamunda8({ attributes }: XmlTag): boolean {
  const platform = attributes.find(({ name }) => /(^|:)executionPlatform$/.test(name))?.value;
  if (platform !== undefined) return /cloud|camunda 8/i.test(platform);
  return attributes.some(({ name, value }) => name.startsWith('xmlns') && value === ZEEBE);
}
