import assert from 'node:assert/strict';
import { compileModel } from '../../../src/engine/model/compile-model.js';
import { MODEL_LIMITS } from '../../../src/engine/model/scan-xml.js';
import type { ServiceError } from '../../../src/shared/errors.js';
import { bpmn, element, extended, line } from '../../support/bpmn.js';

/** Seven elements, three levels, three declarations of namespaces. */
const good = bpmn(line(['work'], element('task', 'work', { name: 'x' })));

describe('the text of a model', () => {
  it('has no document type declaration, and no entities but those of XML', async () => {
    const refused = async (xml: string, message: RegExp) =>
      assert.rejects(compileModel(xml), { code: 'BAD_REQUEST', message });
    await refused(good.replace('?>', '?>\n<!DOCTYPE x>'), /no DOCTYPE .* line 2$/);
    await refused(good.replace('?>', '?><!ENTITY a "b">'), /no DOCTYPE/);
    await refused(good.replace('"x"', '"&xxe;"'), /only XML's own entities .* found '&xxe;/);
  });

  it('may hold in scripts, comments and texts what looks like a declaration', async () => {
    const script = '<bpmn:script><![CDATA[ page = "<!DOCTYPE html>&nbsp;" ]]></bpmn:script>';
    const body = `<!-- <!DOCTYPE x> &foo; --><bpmn:documentation>a &amp; b &#8364; &#xe9;</bpmn:documentation>`;
    const xml = bpmn(body + line(['a'], element('scriptTask', 'a', { scriptFormat: 'js' }, script)));
    assert.deepEqual((await compileModel(xml)).problems, []);
  });

  it('is refused for what is no character of XML 1.0, with line and column, wherever it is', async () => {
    const named = (name: string) =>
      bpmn(`<!-- a\n -->${line(['a'], element('task', 'a', { name: 'x' }))}`).replace('"x"', `"${name}"`);
    const refused: Readonly<Record<string, RegExp>> = {
      'a\0': /U\+0000/,
      '\u0008': /U\+0008/,
      '\ud800': /U\+D800/,
      '\udfff\ud83d': /U\+DFFF/,
      '\ufffe': /U\+FFFE/,
      '&#0;': /'&#0;'/,
      '&#xD800;': /'&#xD800;'/,
      '&#x110000;': /'&#x110000;'/,
      '&#99999999999;': /'&#99999999999;'/,
    };
    for (const [name, found] of Object.entries(refused)) {
      const xml = named(name);
      await assert.rejects(compileModel(xml), (thrown: ServiceError) => {
        assert.equal(thrown.code, 'BAD_REQUEST');
        assert.match(thrown.message, /only characters that XML 1.0 has in the model, but found .* in line \d+$/);
        assert.match(thrown.message, found);
        const [{ line: at, column }] = (thrown.info.details as { problems: [{ line: number; column: number }] })
          .problems;
        const offset =
          xml
            .split('\n')
            .slice(0, at - 1)
            .join('\n').length + column;
        assert.ok(xml.slice(offset).startsWith(name.replace('a', '')), `line ${at}, column ${column}`);
        return true;
      });
    }
    for (const inside of ['<!-- \0 -->', '<![CDATA[\0]]>', '<?a \0?>']) {
      await assert.rejects(
        compileModel(good.replace('</bpmn:definitions>', `${inside}</bpmn:definitions>`)),
        /U\+0000/,
      );
    }
    await assert.rejects(compileModel(`\0${good}`), /found U\+0000 in line 1$/);
    for (const name of ['\t', 'ü€\ud83d\ude00\ufffd', '&#9;&#x1F600;', '&#x10FFFF;', '\u0085']) {
      assert.deepEqual((await compileModel(named(name))).problems, []);
    }
  });

  it('has no reserved ids', async () => {
    for (const id of ['__proto__', 'constructor', 'prototype']) {
      const xml = bpmn(line([id], element('task', id)));
      await assert.rejects(compileModel(xml), {
        code: 'BAD_REQUEST',
        message: /an id other than a reserved name/,
      });
    }
  });

  it('has at most so many elements, levels, namespaces and bytes', async () => {
    const allowed = { elements: 7, depth: 3, namespaceDeclarations: 3, bytes: good.length };
    assert.deepEqual((await compileModel(good, {}, null, allowed)).problems, []);
    const rows: [keyof typeof allowed, string][] = [
      ['elements', '6 elements'],
      ['depth', '2 levels of elements'],
      ['namespaceDeclarations', '2 namespace declarations at a time'],
      ['bytes', `${good.length - 1} bytes`],
    ];
    for (const [limit, expected] of rows) {
      await assert.rejects(compileModel(good, {}, null, { ...allowed, [limit]: allowed[limit] - 1 }), {
        code: 'LIMIT_EXCEEDED',
        message: new RegExp(`^expected a model of at most ${expected}, but found more( in line \\d+)?$`),
      });
    }
    await assert.rejects(compileModel(good.replace('"x"', '"é"'), {}, null, allowed), { code: 'LIMIT_EXCEEDED' });
    for (const more of ['xmlns="urn:x"', 'xmlns:x="urn:x"']) {
      const declared = good.replace('<bpmn:process', `<bpmn:process ${more}`);
      await assert.rejects(compileModel(declared, {}, null, { ...allowed, bytes: 9_999 }), {
        code: 'LIMIT_EXCEEDED',
        message: /3 namespace declarations at a time/,
      });
    }
    const deep = bpmn(line(['a'], element('task', 'a', {}, extended('<a:x xmlns:a="urn:a"><a:y/></a:x>'))));
    assert.deepEqual(
      (await compileModel(deep, {}, null, { ...MODEL_LIMITS, depth: 5 })).problems,
      [],
      '<a:y/> opens no level',
    );
  });

  it('may have white space on either side of the equals sign of an attribute', async () => {
    for (const spread of ['name= "x"', 'name ="x"', 'name =\n"x"']) {
      const { programs } = await compileModel(good.replace('name="x"', spread));
      assert.equal(programs[0]?.elements.find(({ id }) => id === 'work')?.name, 'x', spread);
    }
  });

  it('may declare many namespaces, one after the other', async () => {
    const siblings = Array.from({ length: 200 }, (_, n) => `<n${n}:x xmlns:n${n}="urn:${n}"/>`).join('');
    const xml = bpmn(line(['a'], element('task', 'a', {}, extended(siblings))));
    assert.deepEqual((await compileModel(xml)).problems, []);
  });
});
