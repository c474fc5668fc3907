import type { Component } from './component.js';
import { direct } from './direct/direct.js';
import { log } from './log/log.js';
import { mock } from './mock/mock.js';
import { seda, stub } from './seda/seda.js';
import { timer } from './timer/timer.js';

/** The components that are there. */
export const COMPONENTS: readonly Component[] = [direct, log, mock, seda, stub, timer];
