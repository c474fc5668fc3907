import assert from 'node:assert/strict';
import { readYaml } from '../../src/eip/model/read-routes.js';
import { readRoutes } from '../../src/eip/read-routes.js';
import { FakeRuntime } from './support/fake-runtime.js';

const read = (text: string, others = '') =>
  readRoutes(
    {
      ...{ partition: 'p', file: '/etc/eip/routes/x.yaml', format: 'yaml', text },
      deployer: { userId: 'dora', principalId: null },
    },
    {
      read: async (question) => {
        const { file = null, errors: problems, warnings } = readYaml(question.text, { name: 'x' });
        return { file, problems, warnings };
      },
      template: (id) => readYaml(others).file?.templates.find((one) => one.id === id),
      runtime: new FakeRuntime(),
    },
  );

const TEMPLATE = `- routeTemplate:
    id: tick
    parameters:
      - name: to
      - name: period
        defaultValue: "5s"
    from:
      uri: timer:tick
      parameters:
        period: "{{period}}"
      steps:
        - to:
            uri: "{{to}}?a={{other}}"
`;
const templated = (parameters: string) => `- templatedRoute:
    routeTemplateRef: tick
    routeId: made
    parameters: ${parameters}
`;

describe('reading a file of routes', () => {
  it('makes a route of each method of rest, or says what of it is not served', async () => {
    const { routes } = await read('- rest: { path: /a, get: [{ to: direct:a }, { path: /b, to: direct:a }] }\n');
    assert.deepEqual(
      routes.map(({ definition: { model } }) => [model.id, model.from.uri]),
      [
        ['x-get-a', 'rest:get://a:'],
        ['x-get-a-b', 'rest:get://a:/b'],
      ],
    );
    const { problems } = await read('\n- rest: { openApi: { specification: a.json } }\n');
    assert.deepEqual(
      problems.map(({ line, element, message }) => [line, element, message]),
      [[2, 'rest', 'openApi comes with a later version']],
    );
  });

  it('gives each route with its place and its own text', async () => {
    const one = '- route:\n    id: a\n    from:\n      uri: direct:a\n      steps: []\n';
    const two = one.replaceAll('a\n', 'b\n');
    const { routes } = await read(one + two);
    assert.deepEqual(
      routes.map(({ definition, source }) => [definition.model.id, source.text]),
      [
        ['a', one],
        ['b', two],
      ],
    );
  });

  it('gives each of a thousand routes its text, which is read once for all', async () => {
    const one = (id: number) => `- route: { id: r${id}, from: { uri: "direct:r${id}", steps: [{ stop: {} }] } }\n`;
    const { routes } = await read(Array.from({ length: 1000 }, (_, id) => one(id)).join(''));
    assert.deepEqual([routes.length, routes[999]?.source.text], [1000, one(999)]);
  });

  it('makes routes of templates, its own and those of others, with given values and defaults', async () => {
    for (const [text, others] of [
      [TEMPLATE + templated('[{name: to, value: "log:x"}]'), ''],
      [templated('[{name: to, value: "log:x"}]'), TEMPLATE],
    ] as const) {
      const { routes, problems } = await read(text, others);
      assert.deepEqual(problems, []);
      const [made] = routes;
      assert.deepEqual(made?.definition.template, { id: 'tick', parameters: { to: 'log:x', period: '5s' } });
      const { id, from, steps } = made?.definition.model ?? assert.fail();
      assert.deepEqual([id, from.parameters.period, steps[0]?.options.uri], ['made', '5s', 'log:x?a={{other}}']);
    }
  });

  it('says what is wrong with the parameters', async () => {
    const problemOf = async (text: string) => (await read(text, TEMPLATE)).problems[0]?.message;
    assert.equal(await problemOf(templated('[]')), "template 'tick' needs a value of its parameter 'to'");
    assert.equal(
      await problemOf(templated('[{name: to, value: x}, {name: tu, value: x}]')),
      "template 'tick' has no parameter 'tu'",
    );
    assert.equal(await problemOf(templated('[]').replace('tick', 'tock')), "there is no template 'tock'");
  });
});
