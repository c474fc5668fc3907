import type { CommandContext, Decision, Operation } from '../decision.js';
import { put } from '../decision.js';
import type { AnyCollection } from '../log/schema.js';
import type { State } from '../state.js';
import { type NameChange, namesOf, withNameChanged } from './names-at.js';

/** How documents of a collection are changed that name a principal. Default: by {@link withNameChanged}. */
export interface NameChanger {
  readonly collection: AnyCollection;
  /** None of the documents that it writes has the former name. */
  change(
    state: State,
    // biome-ignore lint/suspicious/noExplicitAny: the documents are those of its collection
    found: readonly any[],
    change: NameChange,
    context: CommandContext,
  ): Omit<Decision<null>, 'answer'>;
}

/** How many documents one commit changes: a node takes some 60 µs. */
const CHANGED_MAX = 40;

/**
 * Changes a principal's name where documents of the collections have it: as many as one commit takes; answers how many. 0: none is left.
 */
export function nameChange(
  collections: readonly AnyCollection[],
  changers: readonly NameChanger[],
): Operation<NameChange, number> {
  const declared = collections.filter(({ principals }) => Object.keys(principals).length > 0);
  const changerOf = new Map(changers.map((changer) => [changer.collection.name, changer]));
  return {
    name: 'changeName',
    decide: (state, change, context) => {
      for (const collection of declared) {
        const found = naming(state, collection, change.from);
        if (found.length === 0) continue;
        const changer = changerOf.get(collection.name) ?? byDeclaration(collection);
        const decision = changer.change(state, found, change, context);
        requireChanged(decision, change);
        return { ...decision, answer: found.length };
      }
      return { answer: 0 };
    },
  };
}

/** Documents of the collection that name the principal, each once, at most so many as one commit changes. */
function naming(state: State, collection: AnyCollection, name: string): { readonly id: string }[] {
  const found = new Map<string, { readonly id: string }>();
  for (const by of new Set(Object.values(collection.principals))) {
    const limit = CHANGED_MAX - found.size;
    if (limit <= 0) break;
    const some =
      by in collection.indexes
        ? state.find(collection, by, [name], { limit })
        : state.findMulti(collection, by, name, limit);
    for (const document of some) found.set(document.id, document);
  }
  return [...found.values()];
}

const byDeclaration = (collection: AnyCollection): NameChanger => ({
  collection,
  change: (_state, found, change) => ({
    write: found.map((document) => put(collection, withNameChanged(collection, document, change))),
  }),
});

/** What is found again and again would never come to an end. */
function requireChanged({ write = [] }: Pick<Decision<null>, 'write'>, { from }: NameChange): void {
  for (const { collection, id, document } of write)
    if (document !== null && namesOf(collection, document).includes(from))
      throw new Error(`expected ${collection.name} '${id}' not to name '${from}' any more`);
}
