/** What a process of a seed is built of. */
export const KINDS = [
  'script',
  'expression',
  'user',
  'receive',
  'external',
  'rule',
  'call',
  'timerCatch',
  'messageCatch',
  'signalCatch',
  'conditionCatch',
  'failing',
  'parallel',
  'exclusive',
  'inclusive',
  'loop',
  'sub',
  'multiUser',
  'multiScript',
  'multiSub',
  'boundaryTimer',
  'boundaryMessage',
  'boundarySignal',
  'boundaryCondition',
  'boundaryError',
  'boundaryEscalation',
  'boundaryWorker',
  'eventSub',
  'events',
  'compensated',
  'transaction',
  'terminated',
  'calledError',
  'signalThrow',
  'errorSub',
  'escalationSub',
  'multiCollection',
  'takeListener',
] as const;

export type Kind = (typeof KINDS)[number];

/** Kinds that need no more than one element. */
export const SMALL: readonly Kind[] = KINDS.slice(0, KINDS.indexOf('parallel'));
/** Kinds that wait by a name: where they are repeated side by side, two would wait by the same. */
export const NAMED: readonly Kind[] = [
  'receive',
  'messageCatch',
  'signalCatch',
  'boundaryMessage',
  'boundarySignal',
  'eventSub',
  'events',
  'signalThrow',
];

/** Where blocks are written: a process or a sub-process. */
export interface Scope {
  readonly xml: string[];
  readonly flows: string[];
  readonly artifacts: string[];
  readonly depth: number;
  /** Whether several of it may go on side by side. */
  readonly isRepeated: boolean;
}

/** A block has one way in and one way out. */
export interface Ends {
  readonly entry: string;
  readonly exit: string;
}
