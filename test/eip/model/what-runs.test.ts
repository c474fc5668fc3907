import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { componentPath, elementNames, elementType, LANGUAGES, STEPS } from '../../../src/eip/model/dsl.js';
import { readYaml } from '../../../src/eip/model/read-routes.js';
import { refusalOf } from '../../../src/eip/model/refusal.js';
import { RUN_DATA_FORMATS, RUN_ERROR_HANDLERS, RUN_LANGUAGES, RUN_STEPS } from '../../../src/eip/model/what-runs.js';
import { PATTERNS } from '../../../src/eip/pattern/patterns.js';

const oneOf = (element: string) =>
  [...elementType(element).options].filter(([, { isOneOf }]) => isOneOf).map(([name]) => name);

describe('the language of routes', () => {
  it('has whatever is run', () => {
    assert.deepEqual(
      RUN_STEPS.filter((step) => !STEPS.has(step)),
      [],
    );
    assert.deepEqual(
      RUN_LANGUAGES.filter((language) => !LANGUAGES.has(language)),
      [],
    );
    assert.deepEqual(
      RUN_DATA_FORMATS.filter((format) => !oneOf('Marshal').includes(format)),
      [],
    );
    assert.deepEqual(
      RUN_ERROR_HANDLERS.filter((handler) => !oneOf('ErrorHandler').includes(handler)),
      [],
    );
  });

  it('has the steps that are run, and no others', () =>
    assert.deepEqual(Object.keys(PATTERNS).sort(), [...RUN_STEPS].sort()));

  for (const step of STEPS.keys())
    it(`runs ${step}, or says why not`, () =>
      assert.equal(refusalOf('step', step) === undefined, RUN_STEPS.includes(step)));

  it('runs a language or data format, or says so', () => {
    for (const language of LANGUAGES.keys())
      assert.equal(refusalOf('language', language) === undefined, RUN_LANGUAGES.includes(language), language);
    for (const format of oneOf('Marshal'))
      assert.equal(refusalOf('dataFormat', format) === undefined, RUN_DATA_FORMATS.includes(format), format);
    for (const handler of oneOf('ErrorHandler'))
      assert.equal(refusalOf('errorHandler', handler) === undefined, RUN_ERROR_HANDLERS.includes(handler), handler);
  });

  it('knows each element that another one has', () => {
    const names = elementNames();
    assert.ok(names.length > 150);
    for (const name of names)
      for (const { kind, element } of elementType(name).options.values())
        if (kind === 'element' && element !== 'Processor')
          assert.doesNotThrow(() => elementType(element), `${name} has ${element}`);
  });

  it('knows options with their types and defaults', () => {
    const { options, hasExpression, text } = elementType('Split');
    assert.deepEqual([hasExpression, text], [true, undefined]);
    assert.deepEqual([options.get('parallelProcessing')?.kind, options.get('delimiter')?.fallback], ['boolean', ',']);
    assert.deepEqual(elementType('Log').text, 'message');
    assert.equal(componentPath('timer'), 'timerName');
    assert.equal(componentPath('nope'), undefined);
  });

  it('is as its page shows it', () => {
    const [, example = ''] = /```yaml\n(.*?)```/s.exec(readFileSync('docs/routes.md', 'utf8')) ?? [];
    const { file, errors } = readYaml(example);
    assert.deepEqual(errors, []);
    assert.equal(file?.routes[0]?.id, 'orders');
  });
});
