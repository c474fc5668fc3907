import assert from 'node:assert/strict';
import { causesOf, isCaught } from '../../../src/eip/error/failures.js';
import { distanceTo, isKindOf, isKnownException, similarExceptions } from '../../../src/eip/error/java-exceptions.js';
import { ExchangeFailure } from '../../../src/expression/routes.js';

describe('Java exceptions', () => {
  it('are of the kind of each class above them', () => {
    const above = [
      'java.io.FileNotFoundException',
      'java.io.IOException',
      'java.lang.Exception',
      'java.lang.Throwable',
    ];
    assert.deepEqual(
      above.map((name) => distanceTo('java.io.FileNotFoundException', name)),
      [0, 1, 2, 3],
    );
    assert.ok(!isKindOf('java.io.FileNotFoundException', 'java.lang.RuntimeException'));
    assert.ok(!isKindOf('java.io.IOException', 'java.io.FileNotFoundException'));
  });

  it('of Camel stand where Camel has them', () => {
    const kinds = [
      [
        'org.apache.camel.component.direct.DirectConsumerNotAvailableException',
        'org.apache.camel.CamelExchangeException',
      ],
      ['org.apache.camel.support.processor.PredicateValidationException', 'org.apache.camel.ValidationException'],
      ['org.apache.camel.RollbackExchangeException', 'org.apache.camel.CamelExchangeException'],
      ['org.apache.camel.http.base.HttpOperationFailedException', 'org.apache.camel.CamelException'],
      ['org.apache.camel.CamelExecutionException', 'java.lang.RuntimeException'],
    ] as const;
    for (const [type, above] of kinds) assert.ok(isKindOf(type, above), `${type} is a ${above}`);
  });

  it('that are not known count as runtime exceptions', () => {
    assert.equal(distanceTo('com.acme.Odd', 'java.lang.RuntimeException'), 1);
    assert.ok(!isKnownException('com.acme.Odd'));
    assert.deepEqual(similarExceptions('java.lang.IOException'), ['java.io.IOException']);
  });

  it('are looked for from the deepest cause on', () => {
    const deepest = new ExchangeFailure('java.net.ConnectException', 'refused');
    const outer = new ExchangeFailure('java.lang.RuntimeException', 'outer', { cause: deepest });
    assert.deepEqual(causesOf(outer), [deepest, outer]);
    assert.ok(isCaught(outer, ['java.io.IOException']));
    assert.ok(isCaught(new TypeError('of a script'), ['java.lang.RuntimeException']));
    assert.ok(!isCaught(outer, ['java.lang.IllegalArgumentException']));
  });

  it('whose causes lead back to themselves are looked through once', () => {
    const failure = new Error('loop');
    failure.cause = failure;
    assert.ok(!isCaught(failure, ['java.io.IOException']));
  });
});
