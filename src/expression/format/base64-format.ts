import type { DataFormat } from './data-format.js';
import type { FormatOptions } from './format-options.js';
import { withBytes } from './payload.js';

/** A text in lines, each with a line end; as it is where their length is 0. As in Camel, lengths are rounded down to whole groups of four signs. */
export function inLines(text: string, lineLength = 76, lineSeparator = '\r\n'): string {
  const length = Math.floor(lineLength / 4) * 4;
  if (length === 0) return text;
  return text.replace(new RegExp(`.{1,${length}}`, 'g'), (line) => line + lineSeparator);
}

/** Base64 in lines of 76 signs, each with a line end; without lines where the length is 0. */
export function base64Format(options: FormatOptions): DataFormat {
  const lineLength = options.number('lineLength', 76);
  const lineSeparator = options.text('lineSeparator') ?? '\r\n';
  const urlSafe = options.boolean('urlSafe', false);
  options.end();
  return {
    marshal: (_, value) =>
      withBytes(value, (bytes) =>
        Buffer.from(inLines(bytes.toString(urlSafe ? 'base64url' : 'base64'), lineLength, lineSeparator)),
      ),
    // Signs outside of the alphabet are passed over, as there; both alphabets are read.
    unmarshal: (_, value) => withBytes(value, (bytes) => Buffer.from(bytes.toString('latin1'), 'base64')),
  };
}
