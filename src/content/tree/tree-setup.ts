import { collection, type Document } from '../../store/index.js';

/** What a new tree begins with is being put in; gone when all of it is there. Id: {@link TEMPLATE}. */
export interface TreeSetup extends Document {
  /** ms, domain clock */
  readonly since: number;
}

export const treeSetups = collection<TreeSetup>({ name: 'treeSetup' });

export const TEMPLATE = 'template';
