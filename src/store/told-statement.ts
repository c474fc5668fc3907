import type { ServiceError } from '../shared/errors.js';
import { isDamaged, readFault } from './damage.js';
import type { Prepared, Statements } from './statements.js';

/** A statement that reads. */
export type Reading = Pick<Prepared, 'get' | 'all'>;

/** A statement that says in our words where the file is found unsound, and tells of it. @throws DATA_DAMAGED, as each of its calls does */
export function toldStatement(database: Statements, sql: string, onDamage: (damage: ServiceError) => void): Reading {
  const fault = (thrown: unknown) => {
    const told = readFault(thrown);
    if (isDamaged(told)) onDamage(told);
    return told;
  };
  try {
    const statement = database.prepare(sql);
    return {
      get: (...values) => {
        try {
          return statement.get(...values);
        } catch (thrown) {
          throw fault(thrown);
        }
      },
      all: (...values) => {
        try {
          return statement.all(...values);
        } catch (thrown) {
          throw fault(thrown);
        }
      },
    };
  } catch (thrown) {
    throw fault(thrown);
  }
}
