import assert from 'node:assert/strict';
import { routeWithFacts, templatedRouteText } from '../../../src/eip/model/route-facts.js';

const B = '- route:\n    id: b\n    from:\n      uri: direct:b\n      steps: []\n';

describe('a route with an id and a description', () => {
  const facts = { id: 'b', description: undefined };

  it('is its own text where it says both itself', () => {
    assert.equal(routeWithFacts(B, facts), B);
    assert.equal(routeWithFacts(`# mine\n${B}`, facts), `# mine\n${B}`);
  });

  it('is given what it does not say', () => {
    const bare = '- from:\n    uri: direct:b # there\n    steps: []\n';
    assert.equal(
      routeWithFacts(bare, { id: 'b', description: 'new' }),
      '- route:\n    from:\n      uri: direct:b # there\n      steps: []\n    id: b\n    description: new\n',
    );
    assert.match(routeWithFacts(B, { id: 'b', description: 'new' }) ?? '', /description: new/);
  });

  it('may be without its list, and without its `route`', () => {
    assert.equal(routeWithFacts('route:\n  id: b\n  from:\n    uri: direct:b\n    steps: []\n', facts), B);
    assert.equal(routeWithFacts('id: b\nfrom:\n  uri: direct:b\n  steps: []\n', facts), B);
  });

  it('is one route, and a text that can be read', () => {
    for (const text of [B + B, '- bean: {}', '[', 'just text'])
      assert.equal(routeWithFacts(text, facts), undefined, text);
  });

  it('is made of a template by its parameters', () => {
    assert.equal(
      templatedRouteText('x', 't', { period: 5 }),
      '- templatedRoute:\n    routeTemplateRef: t\n    routeId: x\n    parameters:\n      - name: period\n        value: 5\n',
    );
  });
});
