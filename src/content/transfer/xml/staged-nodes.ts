import { limitExceeded } from '../../../shared/errors.js';
import { type Operation, steppedOperation } from '../../../store/index.js';
import { nodes } from '../../tree/node.js';
import { fillNode, type Made, requireSound } from './import-fill.js';
import { ImportPlaces, type Placing, REPLACING_MAX } from './import-place.js';
import { stagedChange, type XmlStage } from './staged-xml.js';
import type { XmlDocument } from './xml-document.js';
import { stepsAtLine } from './xml-line.js';

/** A node of the XML that is to be put in its place. */
export interface StagedPlacing extends Placing {
  /** Its parent: the identifier of one that has its place; the number of one before it in the same list; null: the import's target. */
  readonly parent: string | number | null;
  readonly line: number;
}

/** Input of `placeXmlNodes`: what one decision places. */
export interface PlaceXmlNodes {
  readonly stage: XmlStage;
  readonly places: readonly StagedPlacing[];
}

/**
 * Puts nodes of a staged import in their places, as far as names, types and identifiers go; answers with their identifiers.
 * @throws as `importXml`, with the line; UNAVAILABLE (given up, or what it rests on has changed)
 */
export const placeXmlNodes = steppedOperation('placeXmlNodes', function* (state, { stage, places }: PlaceXmlNodes) {
  const { change, target, isStaged, writes } = stagedChange(state, stage);
  const placing = new ImportPlaces(change, { target, behavior: stage.behavior }, isStaged);
  const ids: string[] = [];
  for (const one of places) {
    const parentId = typeof one.parent === 'number' ? ids[one.parent] : one.parent;
    const parent = parentId == null ? target : change.draft.get(nodes, parentId);
    const node = yield* stepsAtLine(one.line, placing.place(parent ?? target, one));
    ids.push(node.id);
    yield;
  }
  return { write: writes(), answer: ids };
});

/** Input of `fillXmlNodes`: what one decision fills. */
export interface FillXmlNodes {
  readonly stage: XmlStage;
  readonly document: Pick<XmlDocument, 'view' | 'renamed'>;
  readonly made: readonly Made[];
  /** Identifiers that these refer to by those of the XML, as [XML's, got]. */
  readonly idOf: readonly (readonly [string, string])[];
}

/**
 * Gives nodes of a staged import, all of which are in their places, what they hold, and asks the types whether they are sound.
 * @throws as {@link placeXmlNodes}
 */
export const fillXmlNodes = steppedOperation('fillXmlNodes', function* (state, input: FillXmlNodes) {
  const { stage, document, made, idOf } = input;
  const { change, writes } = stagedChange(state, stage);
  const filling = { document, idOf: new Map(idOf) };
  for (const one of made) {
    fillNode(change, filling, one);
    yield;
  }
  const own = new Set(made.map(({ id }) => id));
  for (const one of made) {
    requireSound(change, one);
    yield;
  }
  // What the types have created by themselves.
  for (const id of change.draft.changed(nodes)) {
    const node = own.has(id) ? undefined : change.draft.get(nodes, id);
    if (node !== undefined) change.types.check(change, node);
    yield;
  }
  return { write: writes(), answer: null };
});

/** Whether there is a node with one of the identifiers, be it in the tree or not. */
export const hasNodes: Operation<{ readonly ids: readonly string[] }, boolean> = {
  ...steppedOperation('hasNodes', function* (state, { ids }: { readonly ids: readonly string[] }) {
    for (const id of ids) {
      if (state.get(nodes, id) !== undefined) return { answer: true };
      yield;
    }
    return { answer: false };
  }),
  limits: { reads: REPLACING_MAX, writes: 0 },
};

/** How many topmost nodes an import may have: one decision puts them in their place. */
export const IMPORT_TOP_MAX = 400;

export const tooManyOnTop = () =>
  limitExceeded(
    `expected an import of at most ${IMPORT_TOP_MAX} topmost nodes, but found more: put them below one node, or import them in parts`,
    { reason: 'import_too_wide' },
  );
