import { collection, type Document, operation, put, type State } from '../store/index.js';

/** A key of the system. Id: what it is for. */
interface Secret extends Document {
  readonly value: string;
}

/** For the hashes of inputs that clients' commands are compared by when they come again. */
const COMMAND_INPUT = 'commandInput';

export const secrets = collection<Secret>({ name: 'secret', visible: () => false });

/** Keeps the key, unless there is one. */
export const ensureInputKey = operation('ensureInputKey', (state, { value }: { readonly value: string }) => ({
  write: state.get(secrets, COMMAND_INPUT) === undefined ? [put(secrets, { id: COMMAND_INPUT, value })] : [],
  answer: null,
}));

/** Empty before there is one. */
export const inputKeyIn = (system: Pick<State, 'get'>): string => system.get(secrets, COMMAND_INPUT)?.value ?? '';
