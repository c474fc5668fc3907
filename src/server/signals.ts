import { log } from '../shared/log.js';

/** How to stop listening to signals. */
export type Unlisten = () => void;

/**
 * Ends the server at SIGTERM and SIGINT and leaves with 0, or with 1 when the end did not go well. A second signal leaves at once, as the
 * signal alone would have done (128 + its number).
 */
export function endOnSignals(end: () => Promise<boolean>, exit: (code: number) => void): Unlisten {
  let isEnding = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (isEnding) return exit(codeOf(signal));
    isEnding = true;
    log.info({ signal }, 'the server is stopping');
    end().then(
      (well) => exit(well ? 0 : 1),
      (error: unknown) => {
        log.error({ err: error }, 'the server could not stop in order');
        exit(1);
      },
    );
  };
  return listen(onSignal);
}

/**
 * Leaves at once at SIGTERM and SIGINT, for as long as there is nothing to end in order. Without it a start could not be broken off where this
 * is process 1, as in a container: a signal without a listener has no effect there.
 */
export const leaveOnSignals = (exit: (code: number) => void): Unlisten => listen((signal) => exit(codeOf(signal)));

function listen(onSignal: (signal: NodeJS.Signals) => void): Unlisten {
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  return () => void process.off('SIGTERM', onSignal).off('SIGINT', onSignal);
}

const codeOf = (signal: NodeJS.Signals) => (signal === 'SIGINT' ? 130 : 143);
