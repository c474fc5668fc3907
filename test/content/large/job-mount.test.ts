import assert from 'node:assert/strict';
import { jobMount } from '../../../src/content/large/job-mount.js';
import { JOBS_ID } from '../../../src/content/tree/node.js';
import { valuesOf } from '../../../src/content/value/property.js';
import { type LongJob, type LongJobFile, longJobMachine, longJobs, start } from '../../../src/store/index.js';
import { MemoryDocuments, MemoryState } from '../../support/memory-state.js';
import { nodeOf } from '../support/tree.js';

const file = (kind: LongJobFile['kind'], name: string): LongJobFile => ({
  kind,
  name,
  mimeType: 'application/zip',
  data: { inline: 'AAAA', size: 3 },
});

const job = (at: number, suffix: string, more: Partial<LongJob> = {}): LongJob => ({
  id: `${at}-${suffix}`,
  type: 'delete',
  priority: 0,
  userId: 'ann',
  items: 1,
  pieces: 1,
  parameters: null,
  figures: { itemsTotal: 7, currentPath: '/a', errorSamples: ['x\ty'], dryRunHasErrors: true, phase: null } as never,
  version: 3,
  checkpoint: null,
  result: null,
  created: at,
  updated: at,
  queued: null,
  started: at + 1,
  ended: null,
  ticket: null,
  cause: {},
  deaths: 0,
  actor: start(longJobMachine, { attempt: 0 }),
  ...more,
});

describe('long jobs as nodes', () => {
  const documents = new MemoryDocuments();
  const [newYear, lastOfJanuary, february] = [Date.UTC(2024, 0), Date.UTC(2024, 1) - 1, Date.UTC(2024, 1)];
  const december = Date.UTC(2026, 11, 31);
  const files = [file('source', 'mine.zip'), file('archive', 'theirs.zip'), file('report', 'told.csv')];
  const full = job(february, '0001', { files, ended: february + 5 });
  for (const one of [
    job(newYear, '0001'),
    ...['0001', '0002', '0003', '0004'].map((suffix) => job(lastOfJanuary, suffix)),
    full,
    job(december, '0001'),
    job(Date.UTC(2027, 0), '0001'),
  ])
    documents.put(longJobs, one);

  const reading = new MemoryState(documents, 'look', 0, 1, 1_000_000);
  const root = nodeOf('var', 'jobs', { id: JOBS_ID });
  const find = (id: string) => jobMount.get(reading, id);
  const get = (id: string) => find(id) ?? assert.fail(`expected ${id}`);
  const names = (id: string, after: string | null = null, limit = 100) =>
    jobMount.children(reading, id === '' ? root : get(id), after, limit).map(({ name }) => name);
  const child = (id: string, name: string) => jobMount.child(reading, id === '' ? root : get(id), name)?.id;

  it('are below the years that have any, page by page', () => {
    const all = ['2024', '2026', '2027'];
    assert.deepEqual(names(''), all);
    for (const [at, year] of all.entries()) assert.deepEqual(names('', year, 1), all.slice(at + 1, at + 2));
    assert.deepEqual(names('', null, 1), ['2024']);
    assert.deepEqual([child('', '2024'), child('', '2026')], ['job:2024', 'job:2026']);
    for (const name of ['2025', '2028', '24', 'x2024']) assert.equal(child('', name), undefined, name);
    assert.deepEqual([get('job:2024').parent, find('job:2025')], [JOBS_ID, undefined]);
  });

  it('are below the months that have any', () => {
    assert.deepEqual([names('job:2024'), names('job:2026')], [['01', '02'], ['12']]);
    assert.deepEqual(
      [names('job:2024', null, 1), names('job:2024', '01'), names('job:2024', '02')],
      [['01'], ['02'], []],
    );
    assert.deepEqual([child('job:2024', '01'), child('job:2026', '12')], ['job:2024-01', 'job:2026-12']);
    for (const name of ['03', '1', '00', '13', 'x1']) assert.equal(child('job:2024', name), undefined, name);
    for (const id of ['job:2027-00', 'job:2026-13', 'job:2023-12']) assert.equal(find(id), undefined, id);
    assert.equal(get('job:2024-02').parent, 'job:2024');
  });

  it('are in the order of their ids, also those of one millisecond', () => {
    const january = [`job-${newYear}-0001`, ...[1, 2, 3, 4].map((n) => `job-${lastOfJanuary}-000${n}`)];
    assert.deepEqual(names('job:2024-01'), january);
    for (const limit of [1, 2, 4])
      for (const [at, name] of january.entries())
        assert.deepEqual(names('job:2024-01', name, limit), january.slice(at + 1, at + 1 + limit), `${name} ${limit}`);
    assert.deepEqual(names('job:2024-01', null, 1), january.slice(0, 1));
    assert.deepEqual(names('job:2024-02'), [`job-${full.id}`]);
    assert.deepEqual(names('job:2026-12', null, 1), [`job-${december}-0001`]);
    assert.deepEqual(names('job:2026-12'), [`job-${december}-0001`]);
  });

  it('are found in their month alone', () => {
    assert.equal(child('job:2024-02', `job-${full.id}`), `job:${full.id}`);
    assert.equal(get(`job:${full.id}`).parent, 'job:2024-02');
    assert.equal(child('job:2024-01', `job-${full.id}`), undefined);
    assert.equal(child('job:2024-02', `xob-${full.id}`), undefined);
    assert.equal(child('job:2024-02', 'job-none'), undefined);
  });

  it('tell what there is to be told, to their owner', () => {
    const { properties, acl, version } = get(`job:${full.id}`);
    const told = Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [name, [one.type, ...valuesOf(one)]]),
    );
    assert.deepEqual(told, {
      itemsTotal: ['Long', 7],
      currentPath: ['String', '/a'],
      errorSamples: ['String', 'x\ty'],
      dryRunHasErrors: ['Boolean', true],
      type: ['String', 'delete'],
      status: ['String', 'init'],
      owner: ['String', 'ann'],
      priority: ['Long', 0],
      created: ['Date', '2024-02-01T00:00:00.000Z'],
      modified: ['Date', '2024-02-01T00:00:00.000Z'],
      started: ['Date', '2024-02-01T00:00:00.001Z'],
      ended: ['Date', '2024-02-01T00:00:00.005Z'],
    });
    assert.deepEqual([acl, version], [[{ principal: 'ann', privileges: ['jcr:read'], allow: true }], 3]);
  });

  it('have their files below them, by names of their own', () => {
    const id = `job:${full.id}`;
    const all = ['archive.zip', 'report.csv', 'source.zip'];
    assert.deepEqual(names(id), all);
    for (const [at, name] of all.entries()) {
      assert.deepEqual(names(id, name, 1), all.slice(at + 1, at + 2));
      assert.equal(child(id, name), `${id}/${name.split('.')[0]}`);
    }
    assert.deepEqual([names(id, null, 2), child(id, 'mine.zip')], [all.slice(0, 2), undefined]);
    assert.deepEqual(names(`job:${newYear}-0001`), []);
    assert.deepEqual(get(`${id}/report`).properties.title, { type: 'String', value: 'told.csv' });
    assert.deepEqual(names(`${id}/report`), ['jcr:content']);
    assert.equal(child(`${id}/report`, 'jcr:content'), `${id}/report/content`);
    const content = get(`${id}/source/content`);
    assert.deepEqual([content.parent, content.type], [`${id}/source`, 'nt:resource']);
    assert.deepEqual(content.properties['jcr:data'], { type: 'Binary', value: { inline: 'AAAA', size: 3 } });
    assert.deepEqual(names(`${id}/source/content`), []);
  });

  it('are nothing else', () => {
    const id = `job:${full.id}`;
    const none = [
      'other',
      'job:none',
      `${id}/none`,
      `${id}/report/other`,
      `${id}/report/content/more`,
      `job:${newYear}-0001/report`,
    ];
    for (const one of none) assert.equal(find(one), undefined, one);
    const elsewhere = nodeOf('var', 'other');
    assert.deepEqual(jobMount.children(reading, elsewhere, null, 9), []);
    assert.equal(jobMount.child(reading, elsewhere, '2024'), undefined);
  });
});
