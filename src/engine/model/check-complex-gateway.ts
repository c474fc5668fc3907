import type { Element, Flow } from './program.js';
import type { Report, Subject } from './report.js';

/**
 * BPMN 2.0 §13.4.5: a complex gateway to which several flows lead says with which tokens it goes on. Its conditions are looked at then, and once more as it resets: what does
 * not ask which of the two it is gets a token both times, which is told.
 */
export function checkComplexGateway(gateway: Element, flows: readonly Flow[], report: Report): void {
  const { incoming, outgoing, defaultFlow, activationCondition } = gateway;
  if (activationCondition === undefined) {
    if (incoming.length > 1)
      report.problem(
        gateway,
        `needs an activationCondition that says with which tokens it goes on, for ${incoming.length} sequence flows lead to it`,
        'complex-activation',
      );
    return;
  }
  const asking = outgoing.flatMap((index) => (flows[index]?.condition ? [flows[index]] : []));
  for (const flow of asking) {
    if (!/\bwaitingForStart\b/.test(flow.condition?.text ?? ''))
      report.warn(
        subject(flow),
        `has a condition that is looked at when '${gateway.id}' goes on, and again when it resets; \`waitingForStart\` tells it which of both it is`,
        'complex-condition',
      );
  }
  const standard = flows[defaultFlow ?? -1];
  if (standard !== undefined && asking.length > 0)
    report.warn(
      subject(standard),
      `is also taken when '${gateway.id}' resets and no condition holds then`,
      'complex-default',
    );
}

const subject = ({ id }: Flow): Subject => ({ id, type: 'sequenceFlow' });
