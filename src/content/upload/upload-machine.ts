import { setup } from 'xstate';

export type UploadEvent =
  | { type: 'append' }
  /** Its bytes have become somebody's: it is spent. */
  | { type: 'complete' }
  /** It is not wanted any more, or its time is over. */
  | { type: 'abort' };

/** An upload, from its first byte to where it is spent, or given up. */
export const uploadMachine = setup({
  types: { context: {} as Record<string, never>, events: {} as UploadEvent },
}).createMachine({
  id: 'upload',
  initial: 'open',
  context: {},
  states: {
    open: { on: { append: { target: 'open', reenter: true }, complete: 'completed', abort: 'aborted' } },
    completed: { type: 'final' },
    aborted: { type: 'final' },
  },
});
