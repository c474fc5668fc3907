import type { RouteCall, RouteReply } from '../../eip/index.js';
import { BpmnError, type Handler, type HandlerCall } from '../../engine/index.js';
import { timeOfId } from '../../shared/ids.js';

/** The class of an exception by which a route ends a call with an error of the model; its message is the error's code, and may go on behind a colon. */
const BPMN_ERROR = 'org.camunda.bpm.engine.delegate.BpmnError';

/**
 * Handler of service tasks that call a route and wait for its reply. Fields: `endpointUri`; `body`; `inputs`, which variables become headers, and `outputs`, which
 * headers become variables. The reply's body is the result.
 */
export const callRoute =
  (call: (workspaceId: string, call: RouteCall) => Promise<RouteReply>): Handler =>
  async (given) => {
    const { id: key, fields, workspaceId } = given;
    const { endpointUri = '', body = null } = fields;
    if (endpointUri === '')
      throw new Error("expected the field 'endpointUri' to name the endpoint of a route, but there is none");
    const {
      body: result,
      headers,
      exception,
    } = await call(workspaceId ?? '', { endpointUri, body, key, at: timeOfId(key), headers: headersOf(given) });
    if (exception === null) {
      for (const [name, value] of chosen(fields.outputs, { ...headers, '@body': result }))
        given.setVariable(name, value);
      return result;
    }
    const { type, message } = exception;
    if (type !== BPMN_ERROR) throw new Error(`${type}: ${message}`);
    const [, code = '', text = ''] = /^([^:]*):?\s*(.*)$/s.exec(message) ?? [];
    throw new BpmnError(code.trim(), text);
  };

function headersOf({ id, fields, variables, processInstanceId, businessKey, activityId }: HandlerCall) {
  return {
    ...Object.fromEntries(chosen(fields.inputs, variables)),
    ...{ CamelBpmProcessInstanceId: processInstanceId, CamelBpmBusinessKey: businessKey },
    ...{ CamelBpmActivityId: activityId, CamelBpmJobId: id },
  };
}

/**
 * Those of the values that a list names, separated by commas: `name`, `name=other` under another name, `begin*` and `*`. Names of headers count in any letter case.
 */
function chosen(list: string | undefined, values: Readonly<Record<string, unknown>>): [string, unknown][] {
  const names = Object.keys(values);
  const found: [string, unknown][] = [];
  for (const part of (list ?? '').split(',').map((it) => it.trim())) {
    if (part === '') continue;
    const [name = '', from = name] = part.split('=', 2).map((it) => it.trim());
    if (from.endsWith('*')) {
      const begins = names.filter((it) => it !== '@body' && it.startsWith(from.slice(0, -1)));
      found.push(...begins.map((it): [string, unknown] => [it, values[it]]));
      continue;
    }
    const known = names.find((it) => it === from) ?? names.find((it) => it.toLowerCase() === from.toLowerCase());
    if (known !== undefined) found.push([name, values[known]]);
  }
  return found;
}
