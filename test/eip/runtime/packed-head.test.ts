import assert from 'node:assert/strict';
import { WaitingSlots } from '../../../src/eip/runtime/thread/http-crossing.js';
import {
  bytesAsText,
  packedReply,
  packedRequest,
  textAsBytes,
  unpackedReply,
  unpackedRequest,
} from '../../../src/eip/runtime/thread/packed-head.js';

describe('heads of requests and answers', () => {
  it('are the same behind the crossing', () => {
    const head = { method: 'GET', path: '/a', query: null, url: 'http://x/a', remoteAddress: '::1', userId: null };
    for (const request of [
      { ...head, parameters: {}, headers: [] },
      { ...head, query: '', userId: 'ann', parameters: { id: '', name: 'a b/c' }, headers: [['X-A', '']] as const },
      {
        ...{ ...head, query: 'a=1', parameters: {} },
        headers: [
          ['X-A', '1'],
          ['x-a', 'é=2'],
          ['Cookie', 'a=b; c=d'],
        ] as const,
      },
    ])
      assert.deepEqual(unpackedRequest(packedRequest(request)), request);
    for (const reply of [
      { status: 204, headers: [] },
      {
        status: 200,
        headers: [
          ['Set-Cookie', 'a'],
          ['Set-Cookie', ''],
        ] as const,
      },
    ])
      assert.deepEqual(unpackedReply(packedReply(reply)), reply);
    const bytes = Uint8Array.from({ length: 256 }, (_, n) => n);
    assert.deepEqual(new Uint8Array(textAsBytes(bytesAsText(bytes.subarray(3)))), bytes.slice(3));
  });
});

describe('those who wait', () => {
  it('are each answered once, though their numbers are given again', () => {
    const waiting = new WaitingSlots<string>();
    const [a, b] = [waiting.add('a'), waiting.add('b')];
    assert.deepEqual([waiting.take(a), waiting.take(a)], ['a', undefined]);
    const c = waiting.add('c');
    assert.equal(c, a);
    assert.deepEqual(waiting.takeAll().sort(), ['b', 'c']);
    assert.deepEqual([waiting.take(b), waiting.take(c), waiting.takeAll()], [undefined, undefined, []]);
  });
});
