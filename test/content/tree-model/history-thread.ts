import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../../src/shared/errors.js';
import { type Course, live } from './history.js';
import type { SubjectOptions } from './subject.js';

/** Some of the histories, one after the other; tells the first difference, or null. */
export interface HistoryThreadData extends SubjectOptions {
  readonly courses: readonly Course[];
}

const { courses, ...options } = workerData as HistoryThreadData;
try {
  for (const course of courses) await live(course, options);
  parentPort?.postMessage(null);
} catch (thrown) {
  parentPort?.postMessage(messageOf(thrown));
}
