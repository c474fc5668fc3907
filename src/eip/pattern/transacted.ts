import { ExchangeFailure } from '../../expression/index.js';
import type { Pattern } from './pattern.js';

/** Refused: what a block does to nodes and processes is a command each, and not one commit. Nothing may look as if it were undone together. */
export const transacted: Pattern = ({ at }) => {
  throw new ExchangeFailure(
    'java.lang.UnsupportedOperationException',
    `transacted in line ${at.line}: what its steps do is not one commit; each command of cms: and bpm: is one of its own`,
    { at },
  );
};
