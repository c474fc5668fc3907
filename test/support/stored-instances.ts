import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  advance,
  completedBundles,
  instanceParts,
  type ProcessInstance,
  ProgramStore,
  processInstances,
  type Run,
  runId,
  runs,
} from '../../src/engine/index.js';
import { type Collection, type Document, documentOf } from '../../src/store/index.js';
import { tableOf } from '../../src/store/log/schema.js';
import { type Database, openDatabase } from '../../src/store/sqlite.js';
import { comparable, replay, wholeState } from './replay.js';

/** An instance of a data folder: its tokens and variables as they are stored, and as its kept commands give them when they are run again. */
export interface Replayed {
  readonly id: string;
  readonly definitionKey: string;
  readonly runs: number;
  readonly stored: unknown;
  readonly again: unknown;
}

/** Runs the kept commands of every instance in the data folder again, through the pure interpreter alone. The server may be running. */
export function replayAll(dataFolder: string): Replayed[] {
  return partitionsOf(dataFolder).flatMap((file) => {
    const database = openDatabase(file, { readOnly: true });
    try {
      return all(database, processInstances).map((instance) => replayOne(database, instance));
    } finally {
      database.close();
    }
  });
}

function replayOne(database: Database, instance: ProcessInstance): Replayed {
  const state = { get: <T extends Document>(from: Collection<T>, id: string) => one(database, from, id) };
  const kept = runsOf(database, instance);
  const programs = new ProgramStore();
  const again = replay({ advance, program: (id) => programs.of(state, id), state }, instance, kept);
  const { id, definitionKey } = instance;
  const parts = all(database, instanceParts).filter((part) => part.instanceId === id);
  const bundles = all(database, completedBundles).filter((bundle) => bundle.instanceId === id);
  const stored = comparable(wholeState(state, instance, parts, bundles));
  return { id, definitionKey, runs: kept.length, stored, again: comparable(again) };
}

const partitionsOf = (dataFolder: string): string[] =>
  readdirSync(dataFolder)
    .map((partition) => join(dataFolder, partition, 'log.db'))
    .filter((file) => existsSync(file));

function one<T extends Document>(database: Database, from: Collection<T>, id: string): T | undefined {
  const row = database.prepare(`SELECT id, body FROM ${tableOf(from)} WHERE id = ?`).get(id);
  return row === undefined ? undefined : documentOf(from, { id: String(row.id), body: String(row.body) });
}

function all<T extends Document>(database: Database, from: Collection<T>): T[] {
  const rows = database.prepare(`SELECT id, body FROM ${tableOf(from)}`).all();
  return rows.map((row) => documentOf(from, { id: String(row.id), body: String(row.body) }));
}

function runsOf(database: Database, instance: ProcessInstance): Run[] {
  const numbers = Array.from({ length: instance.runs }, (_, i) => i + 1);
  return numbers.flatMap((n) => one<Run>(database, runs, runId(instance.id, n)) ?? []);
}
