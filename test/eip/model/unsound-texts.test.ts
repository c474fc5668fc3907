import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readXml, readYaml } from '../../../src/eip/model/read-routes.js';
import { writeXml, writeYaml } from '../../../src/eip/model/write-routes.js';
import { routeTexts } from '../support/route-texts.js';

/** A text of which a part is gone, twice there, or something else. */
const torn = (texts: fc.Arbitrary<string>) =>
  fc
    .tuple(
      texts,
      fc.nat(),
      fc.nat(30),
      fc.constantFrom('', ':', '- ', '{', ']', '<', '/>', '"', '&a ', '*a', '\n', '\u0000', '💥'),
    )
    .map(([text, at, length, instead]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + instead + text.slice(start + length);
    });
const xmlTexts = routeTexts.map((yaml) => {
  const { file } = readYaml(yaml);
  return file === undefined ? '' : writeXml(file);
});

describe('texts that are no routes', () => {
  const told = (read: typeof readYaml) => (text: string) => {
    const { file, errors } = read(text);
    assert.equal(file === undefined, errors.length > 0);
    for (const { message } of errors) assert.match(message, /expected|once|later version|not run|is a part of|stands/);
    if (file !== undefined) assert.doesNotThrow(() => [writeYaml(file), writeXml(file)]);
  };

  it('are told of, whatever they are', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), told(readYaml)));
    fc.assert(fc.property(fc.string({ unit: 'binary' }), told(readXml)));
    fc.assert(fc.property(fc.json(), told(readYaml)));
  });

  it('are told of where a part of them is something else', () => {
    fc.assert(fc.property(torn(routeTexts), told(readYaml)));
    fc.assert(fc.property(torn(xmlTexts), told(readXml)));
  });
});
