import assert from 'node:assert/strict';
import fc from 'fast-check';
import { contentDisposition, contentType, isActive } from '../../../src/server/download/file-headers.js';
import { placeOf } from '../../../src/server/download/request-path.js';
import { precondition, rangeCounts, wantedRange } from '../../../src/server/download/serve-file.js';

const tag = '"tag"';
const file = { etag: tag, lastModified: Date.UTC(2026, 0, 2, 3, 4, 5, 678) };
const date = 'Fri, 02 Jan 2026 03:04:05 GMT';
const before = 'Fri, 02 Jan 2026 03:04:04 GMT';
const later = 'Fri, 02 Jan 2026 03:04:06 GMT';

describe('preconditions of a request for a file', () => {
  const cases: [string, Record<string, string>, ReturnType<typeof precondition>][] = [
    ['none', {}, 'proceed'],
    ['If-None-Match with the tag', { 'if-none-match': tag }, 'not modified'],
    ['If-None-Match with the tag as a weak one', { 'if-none-match': `"x", W/${tag}` }, 'not modified'],
    ['If-None-Match *', { 'if-none-match': '*' }, 'not modified'],
    ['If-None-Match with others', { 'if-none-match': '"x", "y"' }, 'proceed'],
    ['If-None-Match before If-Modified-Since', { 'if-none-match': '"x"', 'if-modified-since': later }, 'proceed'],
    ['If-Modified-Since with the date', { 'if-modified-since': date }, 'not modified'],
    ['If-Modified-Since later', { 'if-modified-since': later }, 'not modified'],
    ['If-Modified-Since before', { 'if-modified-since': before }, 'proceed'],
    ['If-Modified-Since without a date', { 'if-modified-since': '1' }, 'proceed'],
    ['If-Match with the tag', { 'if-match': `"x", ${tag}` }, 'proceed'],
    ['If-Match with the tag as a weak one', { 'if-match': `W/${tag}` }, 'failed'],
    ['If-Match with others', { 'if-match': '"x"' }, 'failed'],
    ['If-Match *', { 'if-match': '*' }, 'proceed'],
    ['If-Unmodified-Since before', { 'if-unmodified-since': before }, 'failed'],
    ['If-Unmodified-Since with the date', { 'if-unmodified-since': date }, 'proceed'],
    ['If-Match before If-Unmodified-Since', { 'if-match': tag, 'if-unmodified-since': before }, 'proceed'],
    ['If-Match and If-None-Match', { 'if-match': tag, 'if-none-match': tag }, 'not modified'],
  ];
  for (const [name, headers, expected] of cases) {
    it(`${name}: ${expected}`, () => assert.equal(precondition(headers, file), expected));
  }

  it('take a range only of the file that If-Range names', () => {
    assert.equal(rangeCounts({}, file), true);
    assert.equal(rangeCounts({ 'if-range': tag }, file), true);
    assert.equal(rangeCounts({ 'if-range': `W/${tag}` }, file), false);
    assert.equal(rangeCounts({ 'if-range': '"x"' }, file), false);
    assert.equal(rangeCounts({ 'if-range': date }, file), true);
    assert.equal(rangeCounts({ 'if-range': later }, file), false);
    assert.equal(rangeCounts({ 'if-range': 'nonsense' }, file), false);
  });
});

describe('the range of bytes that is wanted', () => {
  const cases: [string | undefined, number, ReturnType<typeof wantedRange>][] = [
    [undefined, 10, 'whole'],
    ['bytes=0-', 10, { start: 0, end: 9 }],
    ['bytes=2-4', 10, { start: 2, end: 4 }],
    ['Bytes=2-99', 10, { start: 2, end: 9 }],
    ['bytes=-3', 10, { start: 7, end: 9 }],
    ['bytes=-99', 10, { start: 0, end: 9 }],
    ['bytes=9-9', 10, { start: 9, end: 9 }],
    ['bytes=10-', 10, 'unsatisfiable'],
    ['bytes=-0', 10, 'unsatisfiable'],
    ['bytes=5-2', 10, 'unsatisfiable'],
    ['bytes=x', 10, 'unsatisfiable'],
    ['bytes=-', 10, 'unsatisfiable'],
    ['bytes=0-', 0, 'unsatisfiable'],
    ['bytes=-1', 0, 'unsatisfiable'],
    ['bytes=0-1,3-4', 10, 'whole'],
    ['pages=1-2', 10, 'whole'],
    ['bytes=99999999999999999-', 10, 'unsatisfiable'],
  ];
  for (const [header, size, expected] of cases) {
    it(`of ${size} bytes by '${header}'`, () => assert.deepEqual(wantedRange(header, size), expected));
  }

  it('lies within the file, whatever is asked', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.option(fc.nat(25)), fc.option(fc.nat(25)), (size, first, last) => {
        const range = wantedRange(`bytes=${first ?? ''}-${last ?? ''}`, size);
        if (typeof range === 'string') return;
        assert.ok(range.start >= 0 && range.start <= range.end && range.end < size);
      }),
    );
  });
});

describe('the name that a file is saved under', () => {
  it('is told in UTF-8, and in ASCII for those who do not know that', () => {
    assert.equal(
      contentDisposition('attachment', 'Übersicht "1".pdf'),
      `attachment; filename="_bersicht _1_.pdf"; filename*=UTF-8''%C3%9Cbersicht%20%221%22.pdf`,
    );
    assert.equal(
      contentDisposition('inline', "a'(b)*.txt"),
      `inline; filename="a'(b)*.txt"; filename*=UTF-8''a%27%28b%29%2A.txt`,
    );
  });

  it('adds nothing to the header but itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const header = contentDisposition('attachment', name);
        assert.match(header, /^attachment; filename="[^"\\\r\n\0%]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]*$/);
        const encoded = header.slice(header.indexOf("''") + 2);
        assert.equal(decodeURIComponent(encoded), Buffer.from(name).toString());
      }),
    );
  });

  it('is a name also where it is no text', () => {
    assert.match(contentDisposition('inline', 'half \ud800'), /%EF%BF%BD$/);
  });
});

describe('the type that a file is sent as', () => {
  for (const [mimeType, encoding, expected] of [
    ['text/plain', null, 'text/plain; charset=UTF-8'],
    ['text/plain', 'ISO-8859-1', 'text/plain; charset=ISO-8859-1'],
    ['text/plain', 'x\r\nSet-Cookie: a=b', 'text/plain; charset=UTF-8'],
    ['text/html; charset=utf-16', 'UTF-8', 'text/html; charset=utf-16'],
    ['image/png', 'UTF-8', 'image/png'],
    ['application/json', null, 'application/json'],
    ['application/vnd.webtop.desktop-session+json', null, 'application/vnd.webtop.desktop-session+json'],
    ['', null, 'application/octet-stream'],
    ['nonsense', null, 'application/octet-stream'],
    ['text/html\r\nX: y', null, 'application/octet-stream'],
  ] as const) {
    it(`is ${expected} for ${JSON.stringify(mimeType)} in ${JSON.stringify(encoding)}`, () => {
      assert.equal(contentType(mimeType, encoding), expected);
    });
  }

  it('is active unless browsers are known not to run it', () => {
    for (const type of [
      'text/html',
      'TEXT/HTML; charset=x',
      'image/svg+xml',
      'application/xhtml+xml',
      'text/xml',
      'application/xml',
      'application/rss+xml',
      'text/xsl',
      'image/svg',
      'multipart/x-mixed-replace; boundary=b',
      'multipart/related; boundary=b; type="text/html"',
      'message/rfc822',
      'application/octet-stream',
      'application/x-shockwave-flash',
      'text/unknown',
      'unknown/unknown',
      'text/plain; a="b, text/html"',
      'text/plain,text/html',
    ]) {
      assert.equal(isActive(type), true, type);
    }
    for (const type of [
      'text/plain',
      'text/plain; charset=UTF-8',
      'TEXT/CSS',
      'text/javascript',
      'image/png',
      'application/pdf',
      'application/json',
      'application/vnd.webtop.desktop-session+json',
      'video/mp4; codecs=avc1.4D401E',
      'audio/mpeg',
      'font/woff2',
      'application/wasm',
    ]) {
      assert.equal(isActive(type), false, type);
    }
  });
});

describe('the place that a path names', () => {
  it('is decoded segment by segment', () => {
    assert.deepEqual(placeOf('/web/content/%C3%BCber%20uns/a%2Bb'), {
      workspace: 'web',
      segments: ['content', 'über uns', 'a+b'],
      isFolder: false,
    });
    assert.deepEqual(placeOf('/web'), { workspace: 'web', segments: [], isFolder: false });
    assert.deepEqual(placeOf('/web/content/'), { workspace: 'web', segments: ['content'], isFolder: true });
  });

  for (const path of [
    '',
    '/',
    '//content',
    '/web//content',
    '/web/a%2Fb',
    '/web/%',
    '/web/%ff',
    '/web/%C3',
    '/web/a%00b',
    '/web/%0A',
    '/web/.',
    `/web/${'x'.repeat(5_000)}`,
  ]) {
    it(`is none by ${JSON.stringify(path.slice(0, 20))}`, () =>
      assert.throws(() => placeOf(path), { code: 'BAD_REQUEST' }));
  }

  for (const path of ['/web/..', '/web/content/../secret', '/web/%2e%2E/x', '/..']) {
    it(`is forbidden by ${path}`, () => assert.throws(() => placeOf(path), { code: 'FORBIDDEN' }));
  }

  it('is read or refused, whatever comes', () => {
    fc.assert(
      fc.property(fc.string(), (path) => {
        try {
          for (const segment of placeOf(`/${path}`).segments) assert.ok(segment !== '' && segment !== '..');
        } catch (thrown) {
          assert.match(String((thrown as { code?: unknown }).code), /BAD_REQUEST|FORBIDDEN/);
        }
      }),
    );
  });
});
