import assert from 'node:assert/strict';
import { Routes } from '../support/routes.js';

const evaluated = async (uri: string, body: unknown, headers = {}) =>
  (await new Routes().send(uri, body, headers)).body;

describe('language', () => {
  it('makes the body of an expression: of its URI, an option, the body itself', async () => {
    assert.equal(await evaluated('language:simple:Hello ${body}', 'you'), 'Hello you');
    assert.equal(await evaluated('language:simple?script=RAW(Hi ${body})', 'you'), 'Hi you');
    assert.equal(await evaluated('language:simple', '${header.a}', { a: 1 }), 1);
  });

  it('leaves the body where it does not transform', async () => {
    assert.equal(await evaluated('language:constant:x?transform=false', 'kept'), 'kept');
  });

  it('takes an expression from a header alone where that is allowed', async () => {
    const headers = { CamelLanguageScript: 'Bye ${body}' };
    assert.equal(await evaluated('language:simple:Hi ${body}', 'you', headers), 'Hi you');
    assert.equal(await evaluated('language:simple:Hi ${body}?allowTemplateFromHeader=true', 'you', headers), 'Bye you');
  });

  it('takes no address of a file', async () => {
    await assert.rejects(evaluated('language:simple:classpath:x.txt', ''), /expected the text of a script/);
  });
});

describe('ref', () => {
  it('is the endpoint whose URI a bean is', async () => {
    const tested = new Routes();
    tested.context.bind('there', 'mock:out');
    await tested.send('ref:there', 'x');
    assert.deepEqual(tested.bodies('out'), ['x']);
    await assert.rejects(tested.send('ref:nowhere'), /No bean could be found in the registry for: nowhere/);
  });
});
