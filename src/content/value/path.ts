import { badRequest, limitExceeded } from '../../shared/errors.js';
import { type NamespaceRegistry, qualifiedName } from './names.js';

/** One step of a path: the child of that name, `index` the how-manieth of its same-name siblings, from 1. */
export interface PathSegment {
  readonly name: string;
  readonly index: number;
}

/** Normalised (JCR 2.0 §3.4.5): without `.`; with `..` at most at the start of a relative one, as segments of that name. */
interface Path {
  readonly absolute: boolean;
  readonly segments: readonly PathSegment[];
}

/** The most characters of a path. */
const PATH_MAX = 8_192;

const INDEXED = /^(.+)\[([1-9]\d{0,8})\]$/s;

/**
 * Reads and normalises a path: `/a/b[2]/jcr:content`, `../b`, `.`; names in expanded form too; one slash at the end is dropped
 * (JCR 2.0 §3.4.3). `what`: for the message. @throws BAD_REQUEST, LIMIT_EXCEEDED
 */
export function parsePath(text: string, namespaces: NamespaceRegistry, what = 'path'): Path {
  if (text.length > PATH_MAX) {
    throw limitExceeded(`expected ${what} of at most ${PATH_MAX} characters, but found ${text.length}`, {
      reason: 'path_too_long',
    });
  }
  if (text === '') throw badPath(text, 'it is empty', what);
  const absolute = text.startsWith('/');
  const segments: PathSegment[] = [];
  for (const step of stepsOf(text, absolute, what)) append(segments, step, { text, absolute, namespaces, what });
  return { absolute, segments };
}

/** The segments from the root; none: the root itself. @throws BAD_REQUEST (also: relative), LIMIT_EXCEEDED */
export function parseAbsolutePath(text: string, namespaces: NamespaceRegistry, what = 'path'): readonly PathSegment[] {
  const { absolute, segments } = parsePath(text, namespaces, what);
  if (!absolute) throw badPath(text, "it does not start with '/'", what);
  return segments;
}

/** As text, the index left out where it is 1. The empty relative path is `.`. */
export function formatPath(path: Path): string {
  const steps = path.segments.map(formatSegment).join('/');
  if (path.absolute) return `/${steps}`;
  return steps === '' ? '.' : steps;
}

export const formatSegment = ({ name, index }: PathSegment): string => (index === 1 ? name : `${name}[${index}]`);

interface Reading {
  readonly text: string;
  readonly absolute: boolean;
  readonly namespaces: NamespaceRegistry;
  readonly what: string;
}

/** The texts between slashes; a slash within the braces of an expanded name is none. */
function stepsOf(text: string, absolute: boolean, what: string): readonly string[] {
  const body = text.slice(absolute ? 1 : 0);
  if (body === '') return [];
  const bare = body.endsWith('/') ? body.slice(0, -1) : body;
  const steps = bare.includes('{')
    ? (bare.match(/(?:\{[^{}]*:[^{}]*\}|[^/])+|(?<=\/)(?=\/|$)/g) ?? [])
    : bare.split('/');
  if (bare === '' || steps.some((step) => step === '') || bare.startsWith('/')) {
    throw badPath(text, "nothing stands between two '/'", what);
  }
  return steps;
}

function append(segments: PathSegment[], step: string, reading: Reading): void {
  if (step === '.') return;
  if (step === '..') return up(segments, reading);
  const indexed = step.endsWith(']') ? INDEXED.exec(step) : null;
  if (step.endsWith(']') && indexed === null) {
    throw badPath(reading.text, `'${step}' has no index of 1 or more in its brackets`, reading.what);
  }
  const name = qualifiedName(
    indexed?.[1] ?? step,
    reading.namespaces,
    `'${step}' in ${reading.what} '${reading.text}'`,
  );
  segments.push({ name, index: indexed ? Number(indexed[2]) : 1 });
}

function up(segments: PathSegment[], { text, absolute, what }: Reading): void {
  const last = segments.at(-1);
  if (last !== undefined && last.name !== '..') segments.pop();
  else if (absolute) throw badPath(text, "'..' leads above the root", what);
  else segments.push({ name: '..', index: 1 });
}

const badPath = (text: string, flaw: string, what: string) =>
  badRequest(`expected ${what} to be a path such as /a/b or /a/b[2]/jcr:content, but found '${text}': ${flaw}`, {
    reason: 'invalid_path',
  });
