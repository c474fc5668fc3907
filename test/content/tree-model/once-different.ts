import type { Step } from './step.js';

const LAB = '/content/lab';
const MADE: Step = {
  kind: 'createNode',
  actor: 0,
  input: { path: '/content', name: 'lab', nodeType: 'nt:unstructured' },
};
const step = (kind: string, input: object): Step => ({ kind, actor: 0, input });

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
};
