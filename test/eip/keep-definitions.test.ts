import assert from 'node:assert/strict';
import { keptDefinitions } from '../../src/eip/keep-definitions.js';
import type { RouteModel } from '../../src/eip/model/route-model.js';
import type { PreparedRoute, RouteDefinition } from '../../src/eip/route-port.js';

const NONE = { onException: [], onCompletion: [], intercept: [], interceptFrom: [], interceptSendToEndpoint: [] };
const SHARED = { templates: [], configurations: [], beans: [], dataFormats: [] };
const PREPARED: PreparedRoute = { isIncluded: true, autoStartup: true, startupOrder: null, endpoints: [] };

const definition = (line: number, uri = 'direct:a'): RouteDefinition => {
  const at = { line, column: 1 };
  const model: RouteModel = {
    ...{ id: 'a', isIdGiven: true, at, steps: [], scoped: NONE, options: {} },
    from: { at, uri, parameters: {}, options: {} },
  };
  return { file: '/etc/eip/routes/a.yaml', scoped: NONE, model, template: null };
};

describe('a definition as it is kept', () => {
  const kept = (one: RouteDefinition, prepared = PREPARED) => {
    const [first] = keptDefinitions([one], [prepared], SHARED);
    assert.ok(first !== undefined);
    return first;
  };

  it('is the definition as JSON, without what it is run with', () => {
    const toRun = { ...definition(1), routeId: 'a', version: 3, deployer: { userId: 'u', principalId: null } };
    assert.deepEqual(JSON.parse(kept(toRun).text), definition(1));
    assert.equal(kept(toRun).hash, kept(definition(1)).hash);
  });

  it('has the hash that versions have that were kept before, wherever it stands in its file', () => {
    assert.equal(kept(definition(1)).hash, '42abc563135ebaecc9427d1961c4cd61');
    assert.equal(kept(definition(7)).hash, '42abc563135ebaecc9427d1961c4cd61');
  });

  it('has another hash where it does something else', () => {
    assert.notEqual(kept(definition(1, 'direct:b')).hash, kept(definition(1)).hash);
    assert.notEqual(kept(definition(1), { ...PREPARED, startupOrder: 1 }).hash, kept(definition(1)).hash);
  });
});
