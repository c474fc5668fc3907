import type { Exchange } from '../../expression/routes.js';
import type { LogLevel } from '../component/component.js';
import type { ErrorHandling } from './error-handling.js';
import { failureMessage, failureText } from './failures.js';
import type { RedeliveryPolicy } from './redelivery-policy.js';

/** Log lines of an error handler about one exchange. */
export class FailureLog {
  readonly #exchange: Exchange;
  readonly #handling: ErrorHandling;

  constructor(exchange: Exchange, handling: ErrorHandling) {
    this.#exchange = exchange;
    this.#handling = handling;
  }

  /** Another attempt failed; it may be tried again. `attempt`: 0 for the first one. */
  attempted(policy: RedeliveryPolicy, attempt: number, thrown: unknown): void {
    const { logRetryAttempted, retryAttemptedLogInterval: interval, retryAttemptedLogLevel } = policy;
    if (!logRetryAttempted || (interval > 1 && attempt % interval !== 0)) return;
    this.#write(
      retryAttemptedLogLevel,
      `Failed delivery for ${this.#id()}. On delivery attempt: ${attempt} caught: ${failureText(thrown)}`,
    );
  }

  /** It is not tried again. */
  exhausted(
    policy: RedeliveryPolicy,
    attempt: number,
    thrown: unknown,
    how: {
      readonly isHandled: boolean;
      readonly isContinued: boolean;
      readonly isDeadLetter: boolean;
      readonly hasBlock: boolean;
      readonly uri: string | undefined;
    },
  ): void {
    const { isHandled, isContinued, isDeadLetter, hasBlock, uri } = how;
    const { isPlain, level } = this.#handling;
    const isRollback = this.#exchange.rollback !== undefined;
    if (!isRollback && !isLogged(policy, isHandled || isDeadLetter, isContinued)) return;
    const written = isPlain ? level : policy.retriesExhaustedLogLevel;
    if (isRollback) {
      this.#write(atMostWarn(written), `Rollback ${this.#id()} due: ${failureMessage(thrown)}`);
      return;
    }
    const attempts = isPlain ? 1 : attempt;
    const by = isDeadLetter
      ? ` Handled by DeadLetterChannel: [${uri ?? ''}]`
      : hasBlock
        ? ' Processed by onException'
        : '';
    this.#write(
      written,
      `Failed delivery for ${this.#id()}. Exhausted after delivery attempt: ${attempts} caught: ${failureText(thrown)}.${by}${isContinued ? ' Handled and continue routing.' : ''}`,
    );
  }

  /** What deals with a failure failed itself. */
  failedAgain(former: unknown, thrown: unknown, isDeadLetter: boolean): void {
    this.#write(
      isDeadLetter ? 'WARN' : 'ERROR',
      `Exception occurred while trying to handle previously thrown exception on exchangeId: ${this.#exchange.id}: ${failureText(thrown)}. The previous one: ${failureText(former)}`,
    );
  }

  /** Sending to the dead letter channel failed. */
  newFailure(policy: RedeliveryPolicy, thrown: unknown, uri: string, isHandled: boolean): void {
    if (!policy.logNewException) return;
    const end = `The new exception is ${isHandled ? 'being' : 'not'} handled as deadLetterHandleNewException=${isHandled}.`;
    this.#write(
      atMostWarn(policy.retriesExhaustedLogLevel),
      `New exception occurred during processing by the DeadLetterChannel[${uri}] due ${failureMessage(thrown)}. ${end}`,
    );
  }

  circular(): void {
    const { routeId, id } = this.#exchange;
    this.#write(
      'WARN',
      `Circular error-handler detected at route: ${routeId} - breaking out processing Exchange: ${id}`,
    );
  }

  ignored(what: string, thrown: unknown): undefined {
    this.#write('WARN', `Error during processing ${what}. This exception is ignored: ${failureText(thrown)}`);
  }

  #id(): string {
    return `(ExchangeId: ${this.#exchange.id})`;
  }

  #write(level: LogLevel, message: string): void {
    if (level !== 'OFF') this.#handling.context.log(level, this.#handling.logName, message, this.#exchange);
  }
}

function isLogged(policy: RedeliveryPolicy, isHandled: boolean, isContinued: boolean): boolean {
  if (isContinued) return policy.logContinued;
  return isHandled ? policy.logHandled : policy.logExhausted;
}

const atMostWarn = (level: LogLevel): LogLevel => (level === 'ERROR' ? 'WARN' : level);
