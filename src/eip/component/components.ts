import type { Component } from './component.js';
import { direct } from './direct/direct.js';
import { mock } from './mock/mock.js';

/** The components that are there. */
export const COMPONENTS: readonly Component[] = [direct, mock];
