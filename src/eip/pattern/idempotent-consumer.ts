import { type Exchange, ExchangeFailure } from '../../expression/routes.js';
import { evaluated, type Outcome, whenThrough } from '../flow/outcome.js';
import { type IdempotentRepository, repositoryOption } from './idempotent-repository.js';
import { booleanOption } from './options.js';
import type { Pattern } from './pattern.js';
import { textOf } from './value.js';

/** Its block for each message id that has not been there; duplicates go on behind it, or (`skipDuplicate: false`) through it with `CamelDuplicateMessage`. Ids are kept in memory. */
export const idempotentConsumer: Pattern = (step, route) => {
  const expression = route.expression(step);
  const repository = repositoryOption(route, step);
  const block = route.block(step.steps);
  const isEager = booleanOption(route, step, 'eager', true);
  const isEndEager = booleanOption(route, step, 'completionEager', false);
  const skips = booleanOption(route, step, 'skipDuplicate', true);
  const removes = booleanOption(route, step, 'removeOnFailure', true);
  const text = step.expressions.expression?.text ?? '';
  const finished = (exchange: Exchange, id: string, isFailed: boolean) => {
    if (!isFailed && !exchange.isHandled) confirmed(repository, id, isEager);
    else if (removes) repository.remove(id);
  };
  const work = (exchange: Exchange, id: string): Outcome => {
    if (!isEndEager) {
      exchange.whenEnded((isFailed) => finished(exchange, id, isFailed));
      return block(exchange);
    }
    return whenThrough(
      () => block(exchange),
      (isFailed) => finished(exchange, id, isFailed),
    );
  };
  return (exchange) =>
    evaluated(expression(exchange), (value) => {
      const id = textOf(value);
      if (id === undefined)
        throw new ExchangeFailure(
          'org.apache.camel.processor.idempotent.NoMessageIdException',
          `No message ID could be found using expression: ${text} on message exchange: Exchange[${exchange.id}]`,
        );
      const isNew = isEager ? repository.add(id) : !repository.contains(id);
      if (isNew) return work(exchange, id);
      exchange.properties.set('CamelDuplicateMessage', true);
      return skips ? undefined : work(exchange, id);
    });
};

function confirmed(repository: IdempotentRepository, id: string, isEager: boolean): void {
  if (!isEager) repository.add(id);
  repository.confirm?.(id);
}
