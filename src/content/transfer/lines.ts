import { badRequest, limitExceeded } from '../../shared/errors.js';

/** A line of the sidecar holds one node, whose document is smaller than this. In characters. */
const LINE_LENGTH_MAX = 2_000_000;

/** The values of a file of JSON texts, one per line. @throws BAD_REQUEST a line is no JSON object; LIMIT_EXCEEDED it is too long */
export async function* linesOf(bytes: AsyncIterable<Buffer>, name: string): AsyncGenerator<Record<string, unknown>> {
  const decoder = new TextDecoder('utf-8', { fatal: false });
  let left = '';
  for await (const piece of bytes) {
    const lines = (left + decoder.decode(piece, { stream: true })).split('\n');
    left = lines.pop() ?? '';
    if (left.length > LINE_LENGTH_MAX)
      throw limitExceeded(
        `expected lines of at most ${LINE_LENGTH_MAX} characters in '${name}', but found a longer one`,
      );
    for (const line of lines) if (line.trim() !== '') yield parsed(line, name);
  }
  const last = left + decoder.decode();
  if (last.trim() !== '') yield parsed(last, name);
}

/** The JSON object of a text. @throws BAD_REQUEST */
export function parsed(text: string, name: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What is no JSON is refused below, as what is no object.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw badRequest(`expected JSON objects in '${name}', but found '${text.slice(0, 80)}'`, {
    reason: 'sidecar_broken',
  });
}
