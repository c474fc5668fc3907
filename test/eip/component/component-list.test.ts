import assert from 'node:assert/strict';
import { COMPONENT_LIST } from '../../../src/eip/component/component-list.js';
import { COMPONENTS } from '../../../src/eip/component/components.js';

describe('component list', () => {
  it('names the components that are there, with their schemes', () =>
    assert.deepEqual(
      COMPONENT_LIST.map(({ name, schemes }) => ({ name, schemes })).sort(byName),
      COMPONENTS.map(({ schemes }) => ({ name: schemes[0] ?? '', schemes })).sort(byName),
    ));
});

const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1);
