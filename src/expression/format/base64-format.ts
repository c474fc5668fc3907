import type { DataFormat } from './data-format.js';
import type { FormatOptions } from './format-options.js';
import { withBytes } from './payload.js';

/** Base64 in lines of 76 signs, each with a line end; without lines where the length is 0. */
export function base64Format(options: FormatOptions): DataFormat {
  const lineLength = options.number('lineLength', 76);
  const lineSeparator = options.text('lineSeparator') ?? '\r\n';
  const urlSafe = options.boolean('urlSafe', false);
  options.end();
  // As there, lengths are rounded down to whole groups of four signs.
  const length = Math.floor(lineLength / 4) * 4;
  const lines = new RegExp(`.{1,${Math.max(length, 4)}}`, 'g');
  return {
    marshal: (_, value) =>
      withBytes(value, (bytes) => {
        const text = bytes.toString(urlSafe ? 'base64url' : 'base64');
        if (length === 0) return Buffer.from(text);
        return Buffer.from(text.replace(lines, (line) => line + lineSeparator));
      }),
    // Signs outside of the alphabet are passed over, as there; both alphabets are read.
    unmarshal: (_, value) => withBytes(value, (bytes) => Buffer.from(bytes.toString('latin1'), 'base64')),
  };
}
