import assert from 'node:assert/strict';
import { BUILT_IN_TYPES, builtInNamespaces, readCnd, registryOf } from '../../../src/content/index.js';
import { changesOf } from '../../../src/content/type/type-changes.js';

const registry = (cnd: string) => registryOf(BUILT_IN_TYPES, readCnd(cnd, builtInNamespaces).types);

describe('what a new definition of a type does to its nodes', () => {
  const CHANGES: readonly (readonly [string, string, 'none' | 'relaxed' | 'breaking'])[] = [
    // What is demanded.
    ['- p mandatory', '- p mandatory - q', 'relaxed'],
    ['- p mandatory', '- p mandatory - q mandatory', 'breaking'],
    ['+ c = nt:folder mandatory', '+ c = nt:folder mandatory + d', 'relaxed'],
    ['+ c', '+ c mandatory', 'breaking'],
    // Constraints.
    ['- p (long)', "- p (long) < '[1,5]'", 'breaking'],
    ["- p (long) < '[1,5]', '9'", "- p (long) < '[1,5]'", 'breaking'],
    ["- p (long) < '[1,5]'", "- p (long) < '[1,5]', '9'", 'relaxed'],
    // One type beside any type takes its values first.
    ['- q (undefined)', '- q (undefined) - q (long)', 'relaxed'],
    ['- q (undefined)', "- q (undefined) - q (long) < '[1,2]'", 'breaking'],
    ['- q (undefined)', "- q (undefined) - q (string) - q (long) < '[1,2]'", 'breaking'],
    ['- q (undefined)', '- q (undefined) - q (long) protected', 'breaking'],
    ['- q (undefined) protected', '- q (undefined) protected - q (long) protected', 'relaxed'],
    ["- q (undefined) < 'a'", "- q (undefined) < 'a' - r", 'relaxed'],
    // Children.
    ['+ c (nt:folder)', '+ c (nt:hierarchyNode)', 'relaxed'],
    ['+ c (nt:folder)', '+ c (nt:hierarchyNode, mix:title)', 'breaking'],
    ['+ c (nt:folder, mix:title)', '+ c (nt:folder)', 'relaxed'],
    ['+ c (nt:folder)', '+ c (nt:folder) + c (nt:file)', 'relaxed'],
    ['+ c (nt:folder) + d (nt:folder)', '+ c (nt:file) + d (nt:folder)', 'breaking'],
    ['+ c (nt:folder)', '+ c (nt:folder) protected', 'breaking'],
    ['+ c (nt:folder) protected', '+ c (nt:folder)', 'relaxed'],
  ];
  for (const [before, after, change] of CHANGES) {
    it(`is ${change}: ${before} becomes ${after}`, () =>
      assert.equal(changesOf(registry(`[a] > nt:base ${before}`), registry(`[a] > nt:base ${after}`), 'a'), change));
  }

  it('is breaking where it is no longer of one of several types', () => {
    const types = '[m] mixin [n] mixin';
    assert.equal(changesOf(registry(`${types} [a] > m, n`), registry(`${types} [a] > m`), 'a'), 'breaking');
    assert.equal(changesOf(registry(`${types} [a] > m`), registry(`${types} [a] > m, n`), 'a'), 'relaxed');
  });
});
