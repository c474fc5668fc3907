/** The names of Camunda's dialect: its own, those of its ancestors, which Camunda 7 still reads, and its successor's. */
export const CAMUNDA_NAMESPACES: ReadonlySet<string> = new Set([
  'http://camunda.org/schema/1.0/bpmn',
  'http://activiti.org/bpmn',
  'http://www.camunda.com/fox',
  'http://operaton.org/schema/1.0/bpmn',
]);

/** Namespaces that draw, or tell about the file: never executed by anybody. */
export const DRAWING_NAMESPACES: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/XMLSchema-instance',
  'http://www.w3.org/2001/XMLSchema',
  'http://www.w3.org/XML/1998/namespace',
  'http://www.omg.org/spec/BPMN/20100524/DI',
  'http://www.omg.org/spec/DD/20100524/DI',
  'http://www.omg.org/spec/DD/20100524/DC',
  'http://www.omg.org/spec/BPMN/non-normative/color/1.0',
  'http://bpmn.io/schema/bpmn/biocolor/1.0',
  'http://camunda.org/schema/modeler/1.0',
]);
