import assert from 'node:assert/strict';
import { readDescriptor } from '../../../src/content/app/read-descriptor.js';

const NONE = {
  ...{ identifier: null, title: null, icon: null, category: null, editor: false, contentTypes: [] },
  ...{ enableStartMenu: null, isAdminOnly: false, singleton: false, customWindowControls: false },
  ...{ minimumWidth: null, minimumHeight: null, actions: [], problem: null },
};

describe('the descriptor of a web application', () => {
  it('says what it is', () => {
    const text = `# a comment
identifier: 29a261c2-abb3-4214-ab1f-d1796524d391
title: "Tables \\u2211"
category: office
icon: assets/icon.svg
editor: true
isAdminOnly: 'TRUE'
singleton: yes
customWindowControls: false
enableStartMenu: false
contentTypes: [text/*, application/json]
minimumWidth: 960
minimumHeight: ' 540 '
actions:
  open: { label: Open, icon: open }
  print:
    title: Print it
    handler: ./print.js
`;
    assert.deepEqual(readDescriptor(text), {
      ...NONE,
      ...{ identifier: '29a261c2-abb3-4214-ab1f-d1796524d391', title: 'Tables ∑', category: 'office' },
      ...{ icon: 'assets/icon.svg', editor: true, isAdminOnly: true, enableStartMenu: false },
      ...{ contentTypes: ['text/*', 'application/json'], minimumWidth: 960, minimumHeight: 540 },
      actions: [
        { identifier: 'open', label: 'Open', title: null, icon: 'open', handler: null },
        { identifier: 'print', label: null, title: 'Print it', icon: null, handler: './print.js' },
      ],
    });
  });

  it('need say nothing, and what it says in another form is as if it did not', () => {
    for (const text of ['', '# nothing', '---', '{}', 'unknown: { a: [1, 2] }'])
      assert.deepEqual(readDescriptor(text), NONE, text);
    const odd =
      'title: [a]\nicon: ""\ncategory: {}\neditor: 1\ncontentTypes: text/*\nminimumWidth: 1.5\nminimumHeight: 99999999999\nactions: [open]';
    assert.deepEqual(readDescriptor(odd), NONE);
    const actions = 'actions: { open: , close: 3, save: [x] }';
    const empty = { label: null, title: null, icon: null, handler: null };
    assert.deepEqual(
      readDescriptor(actions).actions,
      ['open', 'close', 'save'].map((identifier) => ({ identifier, ...empty })),
    );
    assert.equal(readDescriptor('title: 42').title, '42');
    assert.deepEqual(readDescriptor('__proto__: { editor: true }\nconstructor: x'), NONE);
  });

  it('tells what is wrong with it, and where', () => {
    assert.match(readDescriptor('title: Tables\nicon: [a').problem ?? '', /^line 2, column \d+: /);
    assert.match(readDescriptor('title: a\ntitle: b').problem ?? '', /^line 2, column 1: .*unique/);
    for (const text of ['just words', '- a\n- b', '42'])
      assert.match(readDescriptor(text).problem ?? '', /^expected fields/, text);
    assert.equal(readDescriptor('title: a\n  b: c').title, null);
  });

  it('is bounded in depth and in what it repeats', () => {
    const bombs = {
      depth: '['.repeat(2_000),
      braces: '{a: '.repeat(1_000),
      aliases:
        'a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\ntitle: *c',
      itself: 'a: &a { b: *a }',
    };
    for (const [name, text] of Object.entries(bombs)) {
      const { problem, ...rest } = readDescriptor(text);
      if (name === 'itself') assert.equal(rest.title, null);
      else assert.ok(problem, name);
    }
  });
});
