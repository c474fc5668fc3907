import { Random } from '../../support/random.js';
import { RightsLockstep } from './lockstep.js';

/** Other histories than the usual, and as many steps as are wanted: `MILLRACE_FUZZ_SEED=4711 MILLRACE_FUZZ_STEPS=100000 npm test -- test/identity/rights-model`. */
const SEED = Number(process.env.MILLRACE_FUZZ_SEED ?? 1);
const STEPS = Number(process.env.MILLRACE_FUZZ_STEPS ?? 20_000);
const STEPS_OF_ONE = 1_000;

describe('who may do and see what, step by step beside a plain model of it', function () {
  this.timeout(600_000);

  it(`is the same in ${STEPS} random steps of users, groups, roles, lists and moves, on open streams, too`, () => {
    for (let history = 0; history < STEPS / STEPS_OF_ONE; history++) {
      const lockstep = new RightsLockstep(new Random(SEED * 1_000 + history));
      for (let n = 1; n <= STEPS_OF_ONE; n++) {
        try {
          lockstep.step();
        } catch (thrown) {
          throw new Error(`history ${SEED * 1_000 + history}, step ${n}`, { cause: thrown });
        }
      }
    }
  });
});
