import { LineCounter, parseDocument, type YAMLError } from 'yaml';
import type { ThreadService } from '../../shared/thread-service.js';
import { type AppDescriptor, brokenDescriptor, descriptorOf, isFields } from './app-descriptor.js';

/** How often a value may be named again, with what it holds, so that a short text does not become a long one. */
const ALIASES_MAX = 20;

/** The thread of `AppDescriptors`. */
export const inThread = (): ThreadService<string, AppDescriptor> => ({ answer: readDescriptor });

/** Reads a descriptor. Takes its time: not for the main thread. Never throws. */
export function readDescriptor(text: string): AppDescriptor {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
    const [error] = document.errors;
    if (error !== undefined) return brokenDescriptor(placed(error, lines));
    const value: unknown = document.toJS({ maxAliasCount: ALIASES_MAX });
    if (value === null || isFields(value)) return descriptorOf(value ?? {});
    return brokenDescriptor('expected fields, each a name and a value, but found something else');
  } catch (thrown) {
    return brokenDescriptor(thrown instanceof Error ? thrown.message : 'it cannot be read');
  }
}

function placed({ pos: [start], message }: YAMLError, lines: LineCounter): string {
  const { line, col } = lines.linePos(start);
  return `line ${line}, column ${col}: ${message}`;
}
