import assert from 'node:assert/strict';
import { readYaml } from '../../../src/eip/model/read-routes.js';

const problemsOf = (yaml: string) =>
  readYaml(yaml).errors.map(({ line, column, element, message }) => `${line}:${column} ${element}: ${message}`);
const inRoute = (steps: string) =>
  problemsOf(`- from:\n    uri: direct:a\n    steps:\n${steps.replace(/^/gm, '      ')}`);

describe('routes in YAML that are wrong', () => {
  const steps: [steps: string, ...problems: (string | RegExp)[]][] = [
    ['- setBdy: {simple: a}', '4:9 setBdy: expected a step, but found setBdy: is setBody meant?'],
    ['- setBody: {simpel: a}', '4:19 setBody: expected an option of setBody, but found simpel: is simple meant?'],
    ['- setBody: {simple: a, xx: 1}', '4:30 setBody: expected an option of setBody, but found xx'],
    ['- setBody: hello', "4:18 setBody: expected an expression, such as {simple: …}, for setBody, but found 'hello'"],
    ['- setBody: {}', '4:9 setBody: expected an expression for setBody, such as simple: …, but found none'],
    [
      '- setBody: {simple: a, constant: b}',
      '4:30 setBody: expected one expression for setBody, but found constant beside another one',
    ],
    ['- setHeader: {constant: a}', '4:9 setHeader: expected name for setHeader, but found none'],
    [
      '- split: {simple: a, parallelProcessing: maybe}',
      "4:48 split: expected true or false for parallelProcessing of split, but found 'maybe'",
    ],
    [
      '- split: {simple: a, parallelProcessing: [1]}',
      '4:48 split: expected true or false for parallelProcessing of split, but found a list',
    ],
    [
      '- log: {message: a, loggingLevel: loud}',
      /expected one of TRACE, DEBUG, INFO, WARN, ERROR, OFF for loggingLevel of log, but found 'loud'$/,
    ],
    [
      '- aggregate: {correlationExpression: {constant: a}, aggregationStrategy: b, closeCorrelationKeyOnCompletion: many}',
      /expected a number for closeCorrelationKeyOnCompletion of aggregate/,
    ],
    ['- enrich: {constant: a, cacheSize: "{{size}}", variableSend: "{{x}}"}'],
    [
      '- to: {uri: mock:a}\n  log: b',
      '5:9 null: expected the name of a step and its options, but found several: to, log',
    ],
    ['- to: {}', '4:9 to: expected uri for to, but found none'],
    ['- saga: {}', '4:9 saga: saga comes with a later version'],
    ['- resumable: {resumeStrategy: a}', /^4:9 resumable: resumable comes with a later version$/],
    ['- tokenizer: {}', /tokenizer comes with a later version/],
    ['- doCatch: {}', '4:9 doCatch: doCatch is a part of doTry'],
    ['- setBody: {groovy: a}', '4:19 setBody: groovy is not run here: simple, js, jsonpath, jq and xpath are'],
    ['- setBody: {language: {language: groovy, expression: a}}', /language: groovy is not run here/],
    ['- marshal: {avro: {}}', /^4:19 marshal: avro is not run here: base64, csv, .* are$/],
    ['- marshal: {json: {}, csv: {}}', '4:9 marshal: expected one of json, csv for marshal, but found 2'],
    [
      '- to: {id: a, uri: mock:a}\n- to: {id: a, uri: mock:b}',
      '5:9 to: expected an id that is there once, but found a in line 4, too',
    ],
    [
      '- doTry: {steps: [], doCatch: [{exception: [a.B], handled: true}]}',
      /expected an option of doCatch, but found handled$/,
    ],
    ['- choice: {when: {simple: a}}', /expected a list for when, but found options$/],
  ];
  for (const [yaml, ...expected] of steps)
    it(`tell of ${yaml.replaceAll('\n', ' ')}`, () => {
      const found = inRoute(yaml);
      assert.equal(found.length, expected.length, found.join('\n'));
      for (const [at, wanted] of expected.entries())
        if (wanted instanceof RegExp) assert.match(found[at] ?? '', wanted);
        else assert.equal(found[at], wanted);
    });

  const files: [yaml: string, problem: RegExp][] = [
    [
      '- onException: {exception: [a.B], handled: true}',
      /^1:44 onException: expected an expression for handled of onException, such as .*, but found 'true'$/,
    ],
    ['- rout: {}', /^1:3 rout: expected route, .*, but found rout: is route meant\?$/],
    ['- sslContextParameters: {}', /sslContextParameters comes with a later version/],
    ['- route: {durable: true, from: {uri: direct:a, steps: []}}', /durable comes with a later version/],
    ['- route: {inputType: {urn: a}, from: {uri: direct:a, steps: []}}', /inputType comes with a later version/],
    ['- route: {id: a}', /expected from for route, but found none/],
    [
      '- route: {from: {uri: direct:a, steps: []}, steps: []}',
      /1:45 from: expected steps once for from, but found it twice/,
    ],
    ['- from: {steps: []}', /expected uri for from/],
    [
      '- errorHandler: {deadLeterChannel: {}}',
      /expected an error handler, but found deadLeterChannel: is deadLetterChannel meant\?/,
    ],
    [
      '- errorHandler: {jtaTransactionErrorHandler: {}}',
      /jtaTransactionErrorHandler is not run: there is no transaction manager/,
    ],
    [
      '- beans: [{name: a, type: org.apache.camel.processor.aggregate.jdbc.JdbcAggregationRepository}]',
      /comes with a later version/,
    ],
    ['- dataFormats: [{xmlSecurity: {}}]', /xmlSecurity is not run here/],
    ['a: b', /expected a list for the file, but found options/],
    [
      'kind: Pipe\nspec: {}',
      /^1:1 null: expected routes, a Kamelet or an Integration with flows, but found Pipe, which is not run here$/,
    ],
    ['- from: {uri: [', /^1:\d+ null: expected YAML: /],
    ['- from: *nowhere', /expected YAML|an anchor/],
    ['- from: {uri: a, uri: b}', /expected YAML: Map keys must be unique/],
    [`${'['.repeat(20_000)}`, /levels within each other|expected YAML/],
    [`${'- '.repeat(300)}a`, /at most 100 levels within each other/],
    ['- &a [*a]', /levels within each other|an anchor/],
  ];
  for (const [yaml, problem] of files)
    it(`tell of ${yaml.slice(0, 60).replaceAll('\n', ' ')}`, () =>
      assert.match(problemsOf(yaml)[0] ?? 'nothing', problem));

  it('tell everything that is wrong, up to a hundred', () => {
    assert.deepEqual(inRoute('- setBdy: {}\n- to: {}\n- filter: {simple: a, steps: [{lg: a}]}').length, 3);
    const many = problemsOf(Array.from({ length: 200 }, () => '- x: {}').join('\n'));
    assert.equal(many.length, 101);
    assert.match(many.at(-1) ?? '', /and more$/);
  });

  it('are refused when they are too large', () => {
    const limits = { bytes: 1000, elements: 1000, depth: 100 };
    assert.match(readYaml('a'.repeat(1001), { limits }).errors[0]?.message ?? '', /at most 1000 bytes/);
    const bomb = [
      '- &a0 [x, x, x, x, x, x, x, x, x, x]',
      ...[1, 2, 3, 4, 5, 6].map(
        (n) =>
          `- &a${n} [${Array(10)
            .fill(`*a${n - 1}`)
            .join(', ')}]`,
      ),
    ];
    assert.match(
      readYaml(bomb.join('\n'), { limits }).errors[0]?.message ?? '',
      /at most 1000 names, values and lists/,
    );
  });
});
