import assert from 'node:assert/strict';
import { type ModelNode, pathOf } from './model-tree.js';

/** An identifier that no node has. */
const NOBODY = '00000000-0000-7000-8000-00000000dead';

/** Which identifier the repository has given to which node of the model: one for life, and never to another. */
export class Identities {
  readonly #ids = new Map<number, string>();
  readonly #keys = new Map<string, number>();

  bind(node: ModelNode, id: string): void {
    const known = this.#keys.get(id);
    assert.ok(known === undefined, `the identifier of ${pathOf(node)} was given before`);
    this.#ids.set(node.key, id);
    this.#keys.set(id, node.key);
  }

  /** Of nothing: an identifier that is nobody's. */
  of(node: Pick<ModelNode, 'key'> | undefined): string {
    return (node && this.#ids.get(node.key)) ?? NOBODY;
  }
}
