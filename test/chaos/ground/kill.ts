import { Arena } from '../arena.js';
import type { Kind } from './ground.js';

/** The server's process is killed in the middle of its work, and started again. */
export const kill: Kind = {
  name: 'kill',
  async open() {
    const arena = new Arena();
    await arena.start();
    return {
      arena,
      async strike() {
        await arena.end('SIGKILL');
        await arena.start();
        return 'kill -9';
      },
      close: async () => arena.remove(),
    };
  },
};
