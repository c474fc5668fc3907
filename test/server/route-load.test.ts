import assert from 'node:assert/strict';
import { RouteLoads } from '../../src/server/http/route-load.js';

describe('the load of routes', () => {
  it('is no more than fits, in each workspace by itself', () => {
    const loads = new RouteLoads({ requestsMax: 2, bytesMax: 100 });
    const [one, two] = [loads.begin('a'), loads.begin('a')];
    assert.equal(loads.begin('a'), undefined);
    assert.ok(loads.begin('b'));
    assert.deepEqual([one?.hasRoomFor(60), two?.hasRoomFor(60), two?.hasRoomFor(40)], [true, false, true]);
    one?.end();
    assert.ok(loads.begin('a'));
    assert.equal(two?.hasRoomFor(60), true);
    two?.end();
    assert.equal(loads.begin('a')?.hasRoomFor(500), true);
  });
});
