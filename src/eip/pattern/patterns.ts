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
import { loadBalance } from './load-balance.js';
import { log } from './log.js';
import { loop } from './loop.js';
import { marshal, unmarshal } from './marshal.js';
import { multicast } from './multicast.js';
import type { Pattern } from './pattern.js';
import { poll, pollEnrich } from './poll-enrich.js';
import { process, script } from './process.js';
import { recipientList } from './recipient-list.js';
import { removeHeader, removeHeaders, removeProperties, removeProperty, removeVariable } from './remove.js';
import { resequence } from './resequence.js';
import { dynamicRouter, routingSlip } from './routing-slip.js';
import { sample } from './sample.js';
import { setBody, setExchangePattern, setHeader, setHeaders, setProperty, setVariable, setVariables } from './set.js';
import { sort } from './sort.js';
import { split } from './split.js';
import { rollback, stop, throwException } from './stop.js';
import { threads } from './threads.js';
import { throttle } from './throttle.js';
import { kamelet, to, toD } from './to.js';
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
