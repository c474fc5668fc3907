/** The steps of the DSL that are run. Those that it has beside are read, and refused by name. */
export const RUN_STEPS: readonly string[] = [
  'aggregate',
  'bean',
  'choice',
  'circuitBreaker',
  'claimCheck',
  'convertBodyTo',
  'convertHeaderTo',
  'convertVariableTo',
  'delay',
  'doTry',
  'dynamicRouter',
  'enrich',
  'filter',
  'idempotentConsumer',
  'kamelet',
  'loadBalance',
  'log',
  'loop',
  'marshal',
  'multicast',
  'pipeline',
  'poll',
  'pollEnrich',
  'process',
  'recipientList',
  'removeHeader',
  'removeHeaders',
  'removeProperties',
  'removeProperty',
  'removeVariable',
  'resequence',
  'rollback',
  'routingSlip',
  'sample',
  'script',
  'setBody',
  'setExchangePattern',
  'setHeader',
  'setHeaders',
  'setProperty',
  'setVariable',
  'setVariables',
  'sort',
  'split',
  'step',
  'stop',
  'threads',
  'throttle',
  'throwException',
  'to',
  'toD',
  'transacted',
  'transform',
  'unmarshal',
  'validate',
  'wireTap',
];

/** The languages of expressions that are run. */
export const RUN_LANGUAGES: readonly string[] = [
  'constant',
  'csimple',
  'exchangeProperty',
  'header',
  'jq',
  'js',
  'jsonpath',
  'language',
  'method',
  'ref',
  'simple',
  'tokenize',
  'variable',
  'xpath',
  'xtokenize',
];

/** The data formats that are run. */
export const RUN_DATA_FORMATS: readonly string[] = [
  'base64',
  'csv',
  'gzipDeflater',
  'jacksonXml',
  'json',
  'yaml',
  'zipDeflater',
  'zipFile',
];

/** The error handlers that are run. */
export const RUN_ERROR_HANDLERS: readonly string[] = [
  'deadLetterChannel',
  'defaultErrorHandler',
  'noErrorHandler',
  'refErrorHandler',
];

/** Elements and options of Camel's that are known and refused, with the reason, by the place where they are written. */
export const REFUSED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  step: {
    a2aSubTask: 'comes with a later version',
    pausable: 'comes with a later version',
    policy: 'comes with a later version',
    resumable: 'comes with a later version',
    saga: 'comes with a later version',
    tokenizer: 'comes with a later version',
    transformDataType: 'comes with a later version',
    doCatch: 'is a part of doTry',
    doFinally: 'is a part of doTry',
    when: 'is a part of choice',
    otherwise: 'is a part of choice',
    onFallback: 'is a part of circuitBreaker',
    onException: 'stands at the top of the file, or in a routeConfiguration',
    onCompletion: 'stands at the top of the file, or in a routeConfiguration',
  },
  option: {
    durable: 'comes with a later version',
    fromType: 'comes with a later version',
    inputType: 'comes with a later version',
    outputType: 'comes with a later version',
    resumeStrategy: 'comes with a later version',
    toType: 'comes with a later version',
  },
  top: {
    sslContextParameters: 'comes with a later version',
    transformers: 'comes with a later version',
    validators: 'comes with a later version',
  },
  errorHandler: {
    jtaTransactionErrorHandler: 'is not run: there is no transaction manager of Java, and transacted blocks need none',
    springTransactionErrorHandler:
      'is not run: there is no transaction manager of Spring, and transacted blocks need none',
  },
  language: {},
  dataFormat: {},
};

/** Repositories that outlive a restart, by the class of a bean. Those of Camel that keep their state in memory are run. */
export const isPersistentRepository = (type: string): boolean =>
  /\.(?!Memory)\w*(Idempotent|Aggregation|State|Cache|Jdbc|Redis|Infinispan|Kafka|File)\w*Repository$/.test(type);
