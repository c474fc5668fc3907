import { aggregate } from './aggregate.js';
import { bean } from './bean.js';
import { pipeline, step } from './block.js';
import { choice } from './choice.js';
import { circuitBreaker } from './circuit-breaker.js';
import { claimCheck } from './claim-check.js';
import { convertBodyTo, convertHeaderTo, convertVariableTo } from './convert.js';
import { delay } from './delay.js';
import { doTry } from './do-try.js';
import { enrich } from './enrich.js';
import { filter } from './filter.js';
import { idempotentConsumer } from './idempotent-consumer.js';
import { kamelet } from './kamelet.js';
import { loadBalance } from './load-balance.js';
import { log } from './log.js';
import { loop } from './loop.js';
import { marshal, unmarshal } from './marshal.js';
import { multicast } from './multicast.js';
import type { Pattern } from './pattern.js';
import { poll, pollEnrich } from './poll-enrich.js';
import { process } from './process.js';
import { recipientList } from './recipient-list.js';
import { removeHeader, removeHeaders, removeProperties, removeProperty, removeVariable } from './remove.js';
import { resequence } from './resequence.js';
import { rollback } from './rollback.js';
import { dynamicRouter, routingSlip } from './routing-slip.js';
import { sample } from './sample.js';
import { script } from './script.js';
import { setBody } from './set-body.js';
import { setExchangePattern } from './set-exchange-pattern.js';
import { setHeader, setHeaders } from './set-header.js';
import { setProperty } from './set-property.js';
import { setVariable, setVariables } from './set-variable.js';
import { sort } from './sort.js';
import { split } from './split.js';
import { stop } from './stop.js';
import { threads } from './threads.js';
import { throttle } from './throttle.js';
import { throwException } from './throw-exception.js';
import { to } from './to.js';
import { toD } from './to-d.js';
import { transacted } from './transacted.js';
import { validate } from './validate.js';
import { wireTap } from './wire-tap.js';

/** The steps of the DSL that are run, by their names. */
export const PATTERNS: Readonly<Record<string, Pattern>> = {
  aggregate,
  bean,
  choice,
  circuitBreaker,
  claimCheck,
  convertBodyTo,
  convertHeaderTo,
  convertVariableTo,
  delay,
  doTry,
  dynamicRouter,
  enrich,
  filter,
  idempotentConsumer,
  kamelet,
  loadBalance,
  log,
  loop,
  marshal,
  multicast,
  pipeline,
  poll,
  pollEnrich,
  process,
  recipientList,
  removeHeader,
  removeHeaders,
  removeProperties,
  removeProperty,
  removeVariable,
  resequence,
  rollback,
  routingSlip,
  sample,
  script,
  setBody,
  setExchangePattern,
  setHeader,
  setHeaders,
  setProperty,
  setVariable,
  setVariables,
  sort,
  split,
  step,
  stop,
  threads,
  throttle,
  throwException,
  to,
  toD,
  transacted,
  transform: setBody,
  unmarshal,
  validate,
  wireTap,
};
