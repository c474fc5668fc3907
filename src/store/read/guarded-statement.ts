import type { Statement } from '../sqlite.js';
import type { Prepared } from '../statements.js';
import type { NativeGuard } from './native-guard.js';

/** A statement whose every call into SQLite is known to the guard; a walk over rows is in SQLite only from row to row. */
export function guardedStatement(statement: Statement, guard: Pick<NativeGuard, 'run'>): Prepared {
  return {
    all: (...values) => guard.run(() => statement.all(...values)),
    get: (...values) => guard.run(() => statement.get(...values)),
    run: (...values) => guard.run(() => statement.run(...values)),
    *iterate(...values) {
      const rows = guard.run(() => statement.iterate(...values));
      const next = () => rows.next();
      try {
        for (let row = guard.run(next); row.done !== true; row = guard.run(next)) yield row.value;
      } finally {
        // Also when the thread unwinds: a statement that is reset lets its database close.
        rows.return?.();
      }
    },
  };
}
