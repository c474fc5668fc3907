import { type Operation, operation } from '../../store/index.js';
import { Change } from '../tree/change.js';
import { requireTypeManagement } from './change-node-types.js';
import { registerNamespaces } from './register-namespaces.js';

export interface RegisterNamespaceInput {
  readonly prefix: string;
  readonly uri: string;
}

/**
 * Registers a namespace alone; one that is there already stays as it is. The answer: its prefix.
 * @throws FORBIDDEN; BAD_REQUEST prefix or URI are none; ALREADY_EXISTS either is taken; LIMIT_EXCEEDED
 */
export const registerNamespace: Operation<RegisterNamespaceInput, string> = operation(
  'registerNamespace',
  (state, { prefix, uri }: RegisterNamespaceInput, { caller, answers }) => {
    const change = new Change(state, caller, answers);
    requireTypeManagement(change);
    if (change.types.namespaces.uriOf(prefix) !== uri) registerNamespaces(change, { [prefix]: uri });
    return change.decision(prefix);
  },
);
