// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test are written so
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  compileExpression,
  parseCycle,
  parseDateTime,
  parseDuration,
  parseRetryCycle,
} from '../../src/expression/routes.js';
import { ServiceError } from '../../src/shared/errors.js';
import { contextOf, NOW } from './context.js';

/** Runs it; anything thrown but a refusal with one of the codes fails the test. */
function refusesAtMost(codes: readonly string[], run: () => unknown): void {
  try {
    run();
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    assert.ok(codes.includes(thrown.code), `${thrown.code}: ${thrown.message}`);
  }
}

const fragment = fc.constantFrom(
  ...['${', '#{', '}', '\\', '(', ')', '[', ']', '.', ',', '?', ':', '+', '-', '*', '/', '%', '==', '!=', '<', '>='],
  ...['&&', '||', '!', ' and ', ' or ', ' not ', ' empty ', ' div ', ' mod ', ' eq ', "'", '"', '1', '2.5', '1e9', ' '],
  ...['a', 'list', 'map', 'text', 'null', 'true', '__proto__', 'constructor', 'length()', 'size()', 'get(', 'now()'],
  ...['.plusDays(', '9223372036854775807', '.concat(', '.replace(', '.substring(', 'x', '\u0000', '😀'],
);
const soup = fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join(''));
const wrapped = soup.map((text) => `\${${text.replaceAll('}', '')}}`);

const json = fc.jsonValue({ maxDepth: 3 });
const context = fc.record({ a: json, list: fc.array(json), map: fc.dictionary(fc.string(), json), text: fc.string() });

describe('whatever the text', () => {
  it('an expression gives a value or a refusal', () => {
    fc.assert(
      fc.property(fc.oneof(soup, wrapped, fc.string({ unit: 'binary' })), context, (text, variables) => {
        refusesAtMost(['BAD_REQUEST', 'EXECUTION_FAILED'], () => {
          const expression = compileExpression(text);
          expression.evaluate(contextOf(variables));
          expression.evaluateTyped(contextOf(variables));
        });
      }),
      { numRuns: 5000 },
    );
  });

  it('every part of the language works on every pair of values', () => {
    const operators = ['+', '-', '*', '/', '%', '==', '!=', '<', '>', '<=', '>=', '&&', '||'];
    const value = fc.oneof(json, fc.bigInt(-(2n ** 70n), 2n ** 70n), fc.date(), fc.double());
    fc.assert(
      fc.property(fc.constantFrom(...operators), value, value, (operator, a, b) => {
        refusesAtMost(['EXECUTION_FAILED'], () => {
          compileExpression(`\${a ${operator} b}`).evaluate(contextOf({ a, b }));
        });
      }),
      { numRuns: 3000 },
    );
  });

  it('literal text comes back as it was written', () => {
    const plain = fc.string().filter((text) => !/[\\$#]/.test(text));
    fc.assert(fc.property(plain, (text) => compileExpression(text).evaluate(contextOf()) === text));
  });

  it('whole numbers are calculated exactly, or refused beyond 64 bits', () => {
    const whole = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
    const plain = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : value);
    fc.assert(
      fc.property(whole, whole, (a, b) => {
        const expected = a + b;
        const sum = () => compileExpression('${a + b}').evaluate(contextOf({ a: plain(a), b: plain(b) }));
        if (expected >= -(2n ** 63n) && expected < 2n ** 63n) assert.equal(BigInt(sum() as bigint), expected);
        else assert.throws(sum, { code: 'EXECUTION_FAILED' });
      }),
    );
  });

  it('a time text is read or refused, and gives instants that go forward', () => {
    const piece = fc.constantFrom(
      ...['R', 'R3', '/', 'P', 'PT', '1', '10', '99999999999', 'Y', 'M', 'D', 'H', 'S', 'W', 'T', '.', '-', '+', ':'],
      ...[
        '2026-01-31',
        '2026-02-30',
        'T08:00:00',
        'Z',
        '+02:00',
        '0',
        '*',
        '?',
        '5',
        '*/5',
        ' ',
        '0 0 ',
        'L',
        'W',
        '#3',
      ],
      ...['MON-FRI', 'JAN', ',', '2026', '31', '6L', '0/7'],
    );
    const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), fc.integer({ min: 0, max: 4e12 }), (written, ms) => {
        for (const parse of [parseDuration, parseDateTime, parseRetryCycle]) {
          refusesAtMost(['BAD_REQUEST'], () => parse(written));
        }
        refusesAtMost(['BAD_REQUEST'], () => {
          const next = parseCycle(written).nextAfter(ms);
          assert.ok(next === null || next > ms, `${next} after ${ms}`);
        });
      }),
      { numRuns: 5000 },
    );
  });

  it('a cron expression of random fields is as a walk through the seconds finds it', () => {
    /** A field's text, and the values that it allows. */
    const field = (max: number) =>
      fc.oneof(
        fc.constant({ text: '*', allows: (_value: number) => true }),
        fc.nat(max).map((only) => ({ text: `${only}`, allows: (value: number) => value === only })),
        fc.tuple(fc.nat(max), fc.integer({ min: 1, max })).map(([from, step]) => ({
          text: `${from}/${step}`,
          allows: (value: number) => value >= from && (value - from) % step === 0,
        })),
        fc.tuple(fc.nat(max), fc.nat(max)).map(([a, b]) => ({
          text: `${Math.min(a, b)}-${Math.max(a, b)}`,
          allows: (value: number) => value >= Math.min(a, b) && value <= Math.max(a, b),
        })),
      );
    fc.assert(
      fc.property(field(59), field(59), field(23), fc.nat(86_399), (second, minute, hour, offset) => {
        const start = NOW + offset * 1000;
        const found = parseCycle(`${second.text} ${minute.text} ${hour.text} * * ?`).nextAfter(start);
        let expected = start + 1000;
        const matches = (ms: number) => {
          const date = new Date(ms);
          return (
            hour.allows(date.getUTCHours()) &&
            minute.allows(date.getUTCMinutes()) &&
            second.allows(date.getUTCSeconds())
          );
        };
        while (!matches(expected)) expected += 1000;
        assert.equal(found, expected);
      }),
      { numRuns: 60 },
    );
  });
});
