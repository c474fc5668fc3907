import assert from 'node:assert/strict';
import { declaredBean } from '../../../src/eip/bean/declared-bean.js';
import type { ElementModel, Options } from '../../../src/eip/model/route-model.js';
import type { AggregationStrategy } from '../../../src/eip/pattern/aggregation-strategy.js';
import { Asked, Exchange, languagesOf, RouteScripts } from '../../../src/expression/routes.js';
import { Routes } from '../support/routes.js';

const bean = (options: Options): ElementModel => ({
  kind: 'bean',
  at: { line: 3, column: 1 },
  options,
  expressions: {},
});
const shared = (tested: Routes, ...beans: readonly Options[]) =>
  tested.context.share('beans.yaml', { templates: [], configurations: [], beans: beans.map(bean), dataFormats: [] });
const AGGREGATE = 'org.apache.camel.processor.aggregate';

describe('beans of files', () => {
  it('are classes of Camel with their properties, made once', async () => {
    const tested = new Routes({ sign: '/' });
    shared(
      tested,
      { name: 'joined', type: `#class:${AGGREGATE}.StringAggregationStrategy`, properties: { delimiter: '{{sign}}' } },
      {
        name: 'ids',
        type: 'org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository',
        properties: { cacheSize: 1 },
      },
    );
    await tested.start(`
- from:
    uri: direct:in
    steps:
      - idempotentConsumer: { simple: "\${body}", idempotentRepository: ids, steps: [{ to: { uri: "mock:new" } }] }
      - split: { simple: "\${body}", aggregationStrategy: "#joined", steps: [{ setBody: { simple: "<\${body}>" } }] }`);
    assert.equal((await tested.send('direct:in', 'a,b,c')).body, '<a>/<b>/<c>');
    for (const body of ['a,b,c', 'd', 'a,b,c']) await tested.send('direct:in', body);
    assert.deepEqual(tested.bodies('new'), ['a,b,c', 'd', 'a,b,c']);
    assert.equal(tested.context.bean('joined'), tested.context.bean('joined'));
  });

  it('are gone with their file, and another one when that is', () => {
    const tested = new Routes();
    shared(tested, { name: 's', type: `${AGGREGATE}.GroupedBodyAggregationStrategy` });
    const former = tested.context.bean('s');
    shared(tested, { name: 's', type: `${AGGREGATE}.StringAggregationStrategy` });
    assert.notEqual(tested.context.bean('s'), former);
    tested.context.share('beans.yaml', null);
    assert.equal(tested.context.bean('s'), undefined);
  });

  it('of other classes, and scripts in other languages, are refused', () => {
    const tested = new Routes();
    shared(
      tested,
      { name: 's', type: 'com.acme.Strategy' },
      { name: 'g', type: '#class:x', script: 'x', scriptLanguage: 'groovy' },
    );
    assert.throws(
      () => tested.context.bean('s'),
      /ClassNotFoundException: bean s in line 3: the class com\.acme\.Strategy does not exist here/,
    );
    assert.throws(() => tested.context.bean('g'), /expected scriptLanguage to be js, got groovy/);
  });

  it('may be JavaScript: a processor, or a strategy of two bodies', async () => {
    const scripts = new RouteScripts();
    try {
      const made = declaredBean(
        bean({ name: 'plus', type: 'js', script: 'body.former + body.next', scriptLanguage: 'js' }),
        {
          language: languagesOf(scripts),
          resolved: (text) => text,
          bean: () => undefined,
          instance: () => undefined,
        },
      ) as AggregationStrategy;
      const { context } = new Routes();
      const exchange = (body: number) => new Exchange(context, { routeId: 'r', endpointUri: 'test:' }, { body });
      const former = exchange(3);
      assert.equal(made.aggregate(undefined, former), former);
      const asked = made.aggregate(former, exchange(4));
      assert.ok(asked instanceof Asked);
      assert.equal(asked.taken(await asked.answer), former);
      assert.equal(former.body, 7);
    } finally {
      await scripts.close();
    }
  });
});
