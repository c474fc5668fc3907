import assert from 'node:assert/strict';
import { resolveOption, resolvePlaceholders, resolveUri } from '../../../src/eip/model/placeholder.js';

const PROPERTIES: Record<string, string> = {
  name: 'World',
  yes: 'true',
  no: 'FALSE',
  nested: 'Hello {{name}}',
  which: 'name',
  loop: 'a{{back}}',
  back: '{{loop}}',
  empty: '',
  'env:HOME': '/home/me',
  long: 'x'.repeat(600_000),
};
const lookup = (key: string) => (Object.hasOwn(PROPERTIES, key) ? PROPERTIES[key] : undefined);

describe('placeholders', () => {
  const resolved: [text: string, value: string][] = [
    ['no placeholder }} here', 'no placeholder }} here'],
    ['Hello {{name}}!', 'Hello World!'],
    ['{{name}}{{name}}', 'WorldWorld'],
    ['{{nope:default}}', 'default'],
    ['{{nope:a:b}}', 'a:b'],
    ['{{nope:}}', ''],
    ['{{nope: x }}', ' x '],
    ['{{name:default}}', 'World'],
    ['{{empty:default}}', ''],
    ['{{nope:{{name}}}}', 'World'],
    ['{{{{which}}}}', 'World'],
    ['{{nested}}', 'Hello World'],
    ['a{{?nope}}b', 'ab'],
    ['{{?name}}', 'World'],
    ['{{?nope:x}}', 'x'],
    ['{{!yes}} {{!no}}', 'false true'],
    ['{{!nope:true}}', 'false'],
    ['{{?!nope}}', ''],
    ['{{?!yes}}', 'false'],
    ['{{env:HOME}}', '/home/me'],
    ['{{env:NOPE:none}}', 'none'],
    ['\\{{name\\}} {{name}}', '{{name}} World'],
    ['{{{name}}}', '{World}'],
    ['{"a":{"b":{{name}}}}', '{"a":{"b":World}}'],
    ['{"a":{"b":1}} {{name}}', '{"a":{"b":1}} World'],
  ];
  for (const [text, value] of resolved)
    it(`make '${value}' of ${text}`, () => assert.equal(resolvePlaceholders(text, lookup), value));

  const refused: [text: string, why: RegExp][] = [
    ['{{nope}}', /^Property with key \[nope\] not found$/],
    ['{{ name }}', /key \[ name \] not found/],
    ['{{env:NOPE}}', /key \[env:NOPE\] not found/],
    ['{{}}', /the key of a property in \{\{\}\}/],
    ['a {{name', /Missing }} from the text: a \{\{name/],
    ['{{loop}}', /Circular reference detected with key \[loop\]/],
    ['{{!name}}', /Expected true or false of the property with key \[name\]/],
    ['{{!nope}}', /key \[nope\] not found/],
    ['{{sys:user.name}}', /found the function sys, which is not there/],
    ['{{bean:a.b}}', /the function bean/],
    ['{{long}}{{long}}', /at most 1048576 characters/],
    ['{{'.repeat(30), /at most 20 placeholders within each other/],
  ];
  for (const [text, why] of refused)
    it(`refuse ${text}`, () =>
      assert.throws(() => resolvePlaceholders(text, lookup), {
        name: 'java.lang.IllegalArgumentException',
        message: why,
      }));

  it('leave out an option that has nothing else than what is not there', () => {
    assert.equal(resolveOption('{{?nope}}', lookup), undefined);
    assert.equal(resolveOption('{{?empty}}', lookup), '');
    assert.equal(resolveOption('a{{?nope}}', lookup), 'a');
    assert.equal(resolveOption('', lookup), '');
  });

  const uris: [text: string, uri: string][] = [
    ['x:{{name}}?a={{?nope}}&b=1', 'x:World?b=1'],
    ['x:a?b=1&a={{?nope}}', 'x:a?b=1'],
    ['x:a?a={{?nope}}', 'x:a'],
    ['x:a?a={{?nope}}&b={{?nope}}&c={{?nope}}', 'x:a'],
    ['x:a?b=1&a={{?nope}}&c=RAW({{?nope}})&d=2', 'x:a?b=1&d=2'],
    ['x:a?{{?nope}}', 'x:a'],
    ['x:a?a={{?name}}&b={{nope:1}}', 'x:a?a=World&b=1'],
  ];
  for (const [text, uri] of uris)
    it(`make ${uri} of ${text}`, () =>
      assert.equal(
        resolveUri(text, (it) => resolvePlaceholders(it, lookup)),
        uri,
      ));
});
