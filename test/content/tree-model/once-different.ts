import type { Step } from './step.js';

const LAB = '/content/lab';
const MADE: Step = {
  kind: 'createNode',
  actor: 0,
  input: { path: '/content', name: 'lab', nodeType: 'nt:unstructured' },
};
const VERSIONABLE: Step = {
  kind: 'createNode',
  actor: 0,
  input: { path: '/content', name: 'lab', nodeType: 'nt:unstructured', mixins: ['mix:versionable'] },
};
const step = (kind: string, input: object): Step => ({ kind, actor: 0, input });
const restored = (path: string, number: number): Step =>
  step('restoreVersion', { path, versionName: { $version: number, of: path } });
const given = (path: string, value: string, name = 'p1') => ({
  path,
  properties: [{ name, value: { type: 'String', multiple: false, values: [value] } }],
});

/** Steps in which repository and model once differed. */
export const ONCE_DIFFERENT: Readonly<Record<string, readonly Step[]>> = {
  'a folder on the way that is named as the second of its name': [
    MADE,
    step('createFolder', { path: `${LAB}/a[2]`, name: 'b' }),
  ],
  'a node put before its parent, or before what is no sibling': [
    MADE,
    step('createFolder', { path: `${LAB}/a/b`, name: 'c' }),
    step('orderNode', { path: `${LAB}/a`, before: '.' }),
    step('orderNode', { path: `${LAB}/a`, before: 'a/b' }),
  ],
  'a jcr:uuid that was set before the node became referenceable': [
    MADE,
    step('setProperties', {
      path: LAB,
      properties: [{ name: 'jcr:uuid', value: { type: 'String', multiple: false, values: ['x'] } }],
    }),
    step('addMixin', { path: LAB, mixinType: 'mix:referenceable' }),
  ],
  'a mixin taken away that alone allows a child': [
    MADE,
    step('createFolder', { path: LAB, name: 'a' }),
    step('addMixin', { path: `${LAB}/a`, mixinType: 'mi:anyChildren' }),
    step('createNode', { path: `${LAB}/a`, name: 'b', nodeType: 'nt:unstructured' }),
    step('deleteMixin', { path: `${LAB}/a`, mixinType: 'mi:anyChildren' }),
    step('deleteNode', { path: `${LAB}/a/b` }),
    step('deleteMixin', { path: `${LAB}/a`, mixinType: 'mi:anyChildren' }),
  ],
  'names that two nodes take from each other in one commit': [
    MADE,
    step('createFolder', { path: `${LAB}/f`, name: 'a' }),
    step('createFolder', { path: `${LAB}/f`, name: 'b' }),
    step('contentTransaction', [
      { field: 'renameNode', input: { path: `${LAB}/f/a`, name: 'c' } },
      { field: 'renameNode', input: { path: `${LAB}/f/b`, name: 'a' } },
      { field: 'renameNode', input: { path: `${LAB}/f/c`, name: 'b' } },
    ]),
  ],
  'a restored node whose name another one has by now': [
    MADE,
    step('createFolder', { path: `${LAB}/f`, name: 'a' }),
    step('addVersionControl', { path: `${LAB}/f` }),
    step('checkout', { path: `${LAB}/f` }),
    step('deleteNode', { path: `${LAB}/f/a` }),
    step('createFolder', { path: `${LAB}/f`, name: 'a' }),
    restored(`${LAB}/f`, 1),
  ],
  'versions of one commit that changes the node between and behind them': [
    VERSIONABLE,
    step('createFolder', { path: LAB, name: 'a' }),
    step('contentTransaction', [
      { field: 'setProperties', input: given(`${LAB}/a`, 'one') },
      { field: 'checkpoint', input: { path: LAB } },
      { field: 'setProperties', input: given(`${LAB}/a`, 'two') },
      { field: 'checkpoint', input: { path: LAB } },
      { field: 'setProperties', input: given(`${LAB}/a`, 'three') },
    ]),
    step('checkpoint', { path: LAB }),
    ...[1, 2, 3].map((number) => restored(LAB, number)),
  ],
  'a child that was not versionable in the version': [
    VERSIONABLE,
    step('createFolder', { path: LAB, name: 'a' }),
    step('checkpoint', { path: LAB }),
    step('addVersionControl', { path: `${LAB}/a` }),
    restored(LAB, 1),
    step('checkout', { path: LAB }),
    step('addVersionControl', { path: `${LAB}/a` }),
  ],
  'a child that was not referenceable in the version': [
    VERSIONABLE,
    step('createFile', { path: LAB, name: 'f', content: { inline: 'dGV4dA==', size: 4 } }),
    step('checkpoint', { path: LAB }),
    step('addMixin', { path: `${LAB}/f`, mixinType: 'mix:referenceable' }),
    restored(LAB, 1),
  ],
  'a frozen content of a file whose own versions are gone': [
    VERSIONABLE,
    step('createFile', { path: LAB, name: 'f', content: { inline: 'dGV4dA==', size: 4 } }),
    step('addMixin', { path: `${LAB}/f/jcr:content`, mixinType: 'mix:versionable' }),
    step('checkpoint', { path: LAB }),
    step('deleteNode', { path: `${LAB}/f` }),
    restored(LAB, 1),
  ],
  'a jcr:uuid of a child that is not referenceable': [
    VERSIONABLE,
    step('createNode', { name: 'a', nodeType: 'nt:unstructured', ...given(LAB, 'x', 'jcr:uuid') }),
    step('checkpoint', { path: LAB }),
    step('deleteNode', { path: `${LAB}/a` }),
    restored(LAB, 1),
  ],
  'a child that comes back with its version, which has what by now is around it': [
    VERSIONABLE,
    step('createFolder', { path: `${LAB}/c`, name: 'x' }),
    step('addVersionControl', { path: `${LAB}/c` }),
    step('checkout', { path: `${LAB}/c` }),
    step('moveNode', { sourcePath: `${LAB}/c/x`, destPath: LAB }),
    step('moveNode', { sourcePath: `${LAB}/c`, destPath: `${LAB}/x` }),
    step('checkpoint', { path: LAB }),
    step('createNode', { path: '/content', name: 'm', nodeType: 'nt:unstructured', mixins: ['mix:versionable'] }),
    step('checkpoint', { path: '/content/m' }),
    step('moveNode', { sourcePath: `${LAB}/x/c`, destPath: '/content/m' }),
    restored('/content/m', 1),
    restored(LAB, 1),
  ],
};
