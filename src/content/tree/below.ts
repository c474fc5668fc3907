import { tableOf } from '../../store/index.js';
import { nodes } from './node.js';

/**
 * SQL of the table `below` (id, parent, own, revision): a node, which is its one parameter, and all that lies below it, parents first. `own`:
 * not null where a node, the first left out, has an access control list.
 */
export const BELOW = `WITH RECURSIVE below (id, parent, own, revision) AS (
  SELECT id, c_parent, NULL, revision FROM ${tableOf(nodes)} WHERE id = ?
  UNION ALL
  SELECT d.id, d.c_parent, d.c_ownAcl, d.revision FROM below b JOIN ${tableOf(nodes)} d ON d.c_parent = b.id)`;
