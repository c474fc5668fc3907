import type { Database } from '../../src/store/sqlite.js';
import type { Faults } from './faults.js';
import { ThreadDeath } from './sim-thread.js';

/** A connection whose statements may fail, or take their thread with them. */
export function faultyDatabase(real: Database, faults: Faults, die: () => void): Database {
  const through = <T>(sql: string, run: () => T): T => {
    if (faults.isFull && /^(INSERT|UPDATE|COMMIT|DELETE)/.test(sql)) throw new Error('database or disk is full');
    const fault = faults.statement(sql);
    if (fault === 'fails') throw new Error('disk I/O error');
    if (fault === 'dies') return death(die);
    const result = run();
    if (fault === 'fails behind') throw new Error('disk I/O error');
    if (fault === 'dies behind') return death(die);
    return result;
  };
  const database = {
    exec: (sql: string) => through(sql, () => real.exec(sql)),
    prepare: (sql: string) => {
      // What is copied aside before a replica is made anew is looked at by people alone.
      if (sql.startsWith('VACUUM INTO')) return { run: () => ({ changes: 0 }) };
      const statement = real.prepare(sql);
      return {
        run: (...values: never[]) => through(sql, () => statement.run(...values)),
        get: (...values: never[]) => through(sql, () => statement.get(...values)),
        all: (...values: never[]) => through(sql, () => statement.all(...values)),
      };
    },
    get isTransaction() {
      return real.isTransaction;
    },
    close: () => real.close(),
  };
  return database as unknown as Database;
}

function death(die: () => void): never {
  die();
  throw new ThreadDeath();
}
