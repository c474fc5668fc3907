import type { ReaderQuery } from '../../store/index.js';
import { tableOf } from '../../store/index.js';
import { nodes } from '../tree/node.js';
import { BELOW } from '../tree/subtree.js';

export interface CountBelow {
  readonly nodeId: string;
}

/** How many nodes there are from this one down, without the contents of files; whoever may read them. */
export const countBelow: ReaderQuery<CountBelow, number> = {
  name: 'countBelow',
  run: ({ log }, { nodeId }) => {
    const sql = `${BELOW} SELECT count(*) AS total FROM below b JOIN ${tableOf(nodes)} d ON d.id = b.id WHERE d.c_name <> 'jcr:content'`;
    return Number(log.prepare(sql).get(nodeId)?.total ?? 0);
  },
};
