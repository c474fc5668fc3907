import assert from 'node:assert/strict';
import { parseRoutes } from '../../../src/eip/model/parse-routes.js';
import { sourcesOf, textsIn, withTextAt } from '../../../src/eip/model/route-text.js';

const yaml = `# orders
- route:
    id: a # the first
    from:
      uri: direct:a
      steps:
        - setBody: { constant: text }
# the second
- from: { uri: direct:b, steps: [{ stop: {} }] }

- route: { id: c, from: { uri: direct:c, steps: [] } } # the third
`;
const XML = `<?xml version="1.0"?>
<routes>
  <route id="a">
    <from uri="direct:a"/>
  </route>
  <!-- the second -->
  <route id="b"><from uri="direct:b"/><stop/></route>
</routes>
`;
const routesOf = (text: string) => {
  const { file, errors } = parseRoutes({ text });
  assert.deepEqual(errors, []);
  return file?.routes ?? [];
};
const at = (text: string, number: number) => routesOf(text)[number]?.at ?? assert.fail('no route');

describe('the text of a route', () => {
  it('is what was written', () => {
    assert.equal(textsIn(yaml)(at(yaml, 1)), '- from: { uri: direct:b, steps: [{ stop: {} }] }\n');
    assert.equal(textsIn(yaml)(at(yaml, 2)), '- route: { id: c, from: { uri: direct:c, steps: [] } } # the third\n');
    assert.equal(textsIn(yaml)(at(yaml, 0)), yaml.slice('# orders\n'.length, yaml.indexOf('# the second')));
    assert.equal(textsIn(XML)(at(XML, 0)), '<route id="a">\n  <from uri="direct:a"/>\n</route>\n');
    assert.equal(textsIn(XML)(at(XML, 1)), '<route id="b"><from uri="direct:b"/><stop/></route>\n');
  });

  it('is a definition of its own', () => {
    for (const text of [yaml, XML])
      for (const route of routesOf(text)) {
        const [alone] = routesOf(textsIn(text)(route.at) ?? '');
        assert.equal(alone?.from.uri, route.from.uri);
      }
  });

  it('is replaced, and all else stays as it is', () => {
    const replaced =
      withTextAt(yaml, at(yaml, 1), '- route:\n    id: new\n    from: { uri: direct:n, steps: [] }\n') ?? '';
    assert.equal(
      replaced,
      yaml.replace(
        '- from: { uri: direct:b, steps: [{ stop: {} }] }',
        '- route:\n    id: new\n    from: { uri: direct:n, steps: [] }',
      ),
    );
    const xml = withTextAt(XML, at(XML, 0), '<route id="new">\n  <from uri="direct:n"/>\n</route>\n') ?? '';
    assert.equal(xml, XML.replace('id="a"', 'id="new"').replace('direct:a', 'direct:n'));
  });

  it('is taken out, and all else stays as it is', () => {
    const left = withTextAt(yaml, at(yaml, 1), null) ?? '';
    assert.equal(left, yaml.replace('- from: { uri: direct:b, steps: [{ stop: {} }] }\n', ''));
    const xml = withTextAt(XML, at(XML, 1), null) ?? '';
    assert.equal(xml, XML.replace('  <route id="b"><from uri="direct:b"/><stop/></route>\n', ''));
  });

  it('is found in a list that stands further in', () => {
    const text =
      '  - from: {uri: direct:a, steps: []}\n  - route:\n      id: b\n      from: {uri: direct:b, steps: []}\n';
    assert.equal(textsIn(text)(at(text, 1)), '- route:\n    id: b\n    from: {uri: direct:b, steps: []}\n');
    const replaced = withTextAt(text, at(text, 0), '- route:\n    from: {uri: direct:n, steps: []}') ?? '';
    assert.deepEqual(
      routesOf(replaced).map(({ from }) => from.uri),
      ['direct:n', 'direct:b'],
    );
  });

  it('is none where the list is in brackets, or it is wrapped', () => {
    for (const text of [
      '[{from: {uri: direct:a, steps: []}}]',
      'kind: Integration\nspec: {flows: [{from: {uri: direct:a, steps: []}}]}',
    ]) {
      assert.equal(textsIn(text)(at(text, 0)), undefined);
      const [route] = routesOf(text);
      assert.ok(route);
      const source = { format: 'yaml', text: '- route:\n    from:\n      uri: direct:a\n      steps: []\n' };
      assert.deepEqual(sourcesOf(text, [route]), [source]);
    }
  });
});
