import type { XmlTag } from './scan-xml.js';

/** The task that each kind of global task is. */
const TASKS: Readonly<Record<string, string>> = {
  globalTask: 'task',
  globalUserTask: 'userTask',
  globalManualTask: 'manualTask',
  globalScriptTask: 'scriptTask',
  globalBusinessRuleTask: 'businessRuleTask',
};

/** What a global task says of the process that it is. */
const OF_PROCESS =
  /^xmlns\b|:(?:versionTag|historyTimeToLive|candidateStarterUsers|candidateStarterGroups|isStartableInTasklist)$/;

/** What a script or a business rule task says that does something. */
const WORK =
  /<(?:[\w.-]+:)?(?:script|calledDecision)[\s>]|\s(?:[\w.-]+:(?:decisionRef|class|delegateExpression|expression|type)|script)\s*=/;

const OPENING = /<(?:[^<>"']|"[^"]*"|'[^']*')*>/y;

/**
 * The text of a model with its global tasks as what they are: processes of one task, whose key is their id. Null: it has none. Those that say nothing of
 * what they do stay, and cannot be called.
 */
export function withGlobalTasks(xml: string, tags: readonly XmlTag[]): string | null {
  const found = tags.filter(({ name, parent, attributes }) => {
    return parent === 0 && localOf(name) in TASKS && attributes.some((each) => each.name === 'id');
  });
  let written = '';
  let at = 0;
  for (const tag of found) {
    const opened = openingOf(xml, tag);
    const end = endOf(xml, tag, opened);
    if (isDone(tag, xml.slice(tag.offset, end)))
      written += xml.slice(at, tag.offset) + processOf(tag, xml.slice(opened, end));
    else written += xml.slice(at, end);
    at = end;
  }
  return at === 0 ? null : written + xml.slice(at);
}

const localOf = (name: string): string => name.slice(name.indexOf(':') + 1);

const isDone = ({ name }: XmlTag, text: string): boolean => !/(Script|BusinessRule)Task$/.test(name) || WORK.test(text);

/** Where its opening tag ends. */
function openingOf(xml: string, { offset }: XmlTag): number {
  OPENING.lastIndex = offset;
  return OPENING.test(xml) ? OPENING.lastIndex : xml.length;
}

/** Where the element ends: there is none of its kind within. */
function endOf(xml: string, { name }: XmlTag, opened: number): number {
  if (xml[opened - 2] === '/') return opened;
  const closing = xml.indexOf(`</${name}`, opened);
  return closing < 0 ? xml.length : xml.indexOf('>', closing) + 1;
}

/** `within`: what stands behind its opening tag, up to its end. */
function processOf({ name, attributes }: XmlTag, within: string): string {
  const prefix = name.slice(0, name.indexOf(':') + 1);
  const task = `${prefix}${TASKS[localOf(name)]}`;
  const id = attributes.find((each) => each.name === 'id')?.value.trim() ?? '';
  const written = (which: (attribute: string) => boolean) =>
    attributes
      .filter((each) => which(each.name))
      .map((each) => ` ${each.name === 'scriptLanguage' ? 'scriptFormat' : each.name}=${quoted(each.value)}`)
      .join('');
  const flow = (from: string, to: string) =>
    `<${prefix}sequenceFlow id="${id}.to.${to}" sourceRef="${id}.${from}" targetRef="${id}.${to}"/>`;
  const ofTask = written((attribute) => attribute !== 'id' && !OF_PROCESS.test(attribute));
  const inside = within.slice(0, Math.max(0, within.lastIndexOf('</')));
  return [
    `<${prefix}process id="${id}" isExecutable="true"${written((attribute) => attribute === 'name' || OF_PROCESS.test(attribute))}>`,
    `<${prefix}startEvent id="${id}.start"/>${flow('start', 'task')}${flow('task', 'end')}<${prefix}endEvent id="${id}.end"/>`,
    `<${task} id="${id}.task"${ofTask}>${inside}</${task}></${prefix}process>`,
  ].join('');
}

const quoted = (value: string): string => (value.includes('"') ? `'${value}'` : `"${value}"`);
