import { limitExceeded, ServiceError } from '../../shared/errors.js';
import type { LongJobChanges, LongJobContext, LongJobFile, LongJobOutcome, LongJobType } from '../../store/index.js';
import { typeStamps, typesOf } from '../tree/stored-types.js';
import type { ArchiveServices } from './archive-job.js';
import { type ImportParameters, prepareImport } from './import-parameters.js';
import { ImportPlan } from './import-plan.js';
import { reportFile, reportText, rowsOf } from './import-report.js';
import { ImportStager } from './import-stager.js';
import { Pace } from './pace.js';
import { PUBLISHED_MAX, type PublishImport, publishImport } from './publish-import.js';
import { type ImportRecords, recordsOf } from './records.js';
import { type ImportLimits, ZipSource } from './zip/zip-source.js';

/** How many failed files are told of while they can be told of, the rest being in the report. */
const SAMPLES_MAX = 20;
/** What one publishing may be given, as text. In characters. */
const PUBLISHED_LENGTH_MAX = 16_000_000;
/** How often an import begins anew because what it had written was swept at the server's start. */
const LOST_MAX = 3;

/** Services of jobs that import archives. */
export interface ImportServices extends ArchiveServices {
  readonly imports: ImportLimits;
  /** Whether there is a user or group of the name. */
  readonly hasPrincipal: (name: string) => boolean;
}

/**
 * Imports a ZIP: looks at all of it, writes it out of the tree, and makes it visible by one commit, with which the job is completed. Whatever
 * happens before that commit, nothing is imported.
 */
export const importJobType = (services: ImportServices): LongJobType => ({
  type: 'import-archive',
  needsItems: false,
  resume: 'restart',
  throttle: { items: 25, ms: 300 },
  prepare: prepareImport,
  run: (context) => new ImportRun(services, context).run(),
});

class ImportRun {
  readonly #services: ImportServices;
  readonly #context: LongJobContext;
  readonly #parameters: ImportParameters;

  constructor(services: ImportServices, context: LongJobContext) {
    this.#services = services;
    this.#context = context;
    this.#parameters = context.parameters as ImportParameters;
  }

  async run(): Promise<LongJobOutcome> {
    const { job, signal } = this.#context;
    const source = job.files?.find(({ kind }) => kind === 'source');
    if (source === undefined) throw new Error(`job '${job.id}' has lost what it is to import`);
    const zip = await ZipSource.open(source.data, this.#services.blobs, this.#services.imports);
    signal.throwIfAborted();
    const archive = await recordsOf(zip);
    for (let lost = 0; ; lost++) {
      try {
        return await this.#import(zip, archive);
      } catch (thrown) {
        const isLost = thrown instanceof ServiceError && thrown.info.reason === 'import_lost';
        if (!isLost || lost >= LOST_MAX) throw thrown;
      }
    }
  }

  async #import(zip: ZipSource, archive: ImportRecords): Promise<LongJobOutcome> {
    const { progress, partition } = this.#context;
    const state = partition.replica.read();
    const types = typesOf(state);
    const typeStamp = state.get(typeStamps, 'types')?.stamp ?? null;
    const plan = await this.#plan(archive);
    const counts = plan.tally.countsWith(archive.strays.length);
    const itemsTotal = counts.itemsNew + counts.itemsOverwritten + counts.itemsSkipped + counts.itemsError;
    progress({ itemsTotal, itemsImported: 0 });
    const hasFailed = plan.tally.errors.length > 0;
    if (this.#parameters.dryRun) return { changes: await this.#toldOf(plan, archive, { itemsTotal, isDry: true }) };
    if (hasFailed) {
      progress(await this.#toldOf(plan, archive, { itemsTotal, isDry: false }));
      throw failed(plan);
    }
    const stager = new ImportStager({
      partition,
      blobs: this.#services.blobs,
      largeWork: this.#services.largeWork,
      zip,
      plan,
      types,
      parameters: this.#parameters,
      caller: this.#context.caller,
    });
    try {
      await this.#stage(archive, plan, stager);
      const changes = await this.#toldOf(plan, archive, { itemsTotal, isDry: false });
      await this.#publish(stager, { typeStamp, changes });
      return { changes };
    } catch (thrown) {
      await stager.abandon().catch(() => {}); // what cannot be told now is swept later
      throw thrown;
    }
  }

  async #plan(archive: ImportRecords): Promise<ImportPlan> {
    const { partition, caller, signal } = this.#context;
    const { imports, hasPrincipal } = this.#services;
    const plan = new ImportPlan({
      replica: partition.replica,
      caller,
      parameters: this.#parameters,
      types: typesOf(partition.replica.read()),
      nodesMax: imports.entriesMax,
      hasPrincipal,
      signal,
    });
    await plan.make(archive);
    const { published } = plan.tally;
    if (published <= PUBLISHED_MAX) return plan;
    throw limitExceeded(
      `expected an import that changes at most ${PUBLISHED_MAX} nodes of the tree, not counting what lies below new ones, but it would change ${published}; import into a new folder`,
      { reason: 'import_too_large' },
    );
  }

  async #stage(archive: ImportRecords, plan: ImportPlan, stager: ImportStager): Promise<void> {
    const { signal, progress } = this.#context;
    let itemsProcessed = 0;
    let itemsImported = 0;
    const pace = new Pace();
    for await (const record of archive.records()) {
      if (pace.isDue) await pace.pause();
      signal.throwIfAborted();
      const planned = plan.planned.get(record.path);
      if (planned === undefined) continue;
      await stager.add(record, planned);
      if (stager.overwrittenLength > PUBLISHED_LENGTH_MAX)
        throw limitExceeded('expected an import to overwrite at most 16 MB of nodes, but it would overwrite more', {
          reason: 'import_too_large',
        });
      if (!planned.isFile) continue;
      itemsProcessed++;
      if (planned.fate !== 'skip') itemsImported++;
      progress({ itemsProcessed, itemsImported, currentPath: this.#pathOf(record.path) });
    }
    await stager.flush();
    signal.throwIfAborted();
  }

  async #publish(
    stager: ImportStager,
    { typeStamp, changes }: { readonly typeStamp: string | null; readonly changes: LongJobChanges },
  ): Promise<void> {
    const { job, partition, caller } = this.#context;
    const input: PublishImport = {
      jobId: job.id,
      attempt: job.actor.context.attempt,
      holderId: stager.holderId,
      destinationPath: this.#parameters.destinationPath,
      typeStamp,
      attached: stager.attached,
      overwritten: stager.overwritten,
      setsAccess: this.#parameters.importAcl,
      outcome: { changes },
    };
    await partition.send(publishImport, input, { caller });
  }

  /** What is told of an import at its end: of files, whatever came of them, there is a report. */
  async #toldOf(
    plan: ImportPlan,
    archive: ImportRecords,
    { itemsTotal, isDry }: { readonly itemsTotal: number; readonly isDry: boolean },
  ): Promise<LongJobChanges> {
    const { strays } = archive;
    const counts = plan.tally.countsWith(strays.length);
    const { errors } = plan.tally;
    const hasFailed = errors.length > 0;
    const samples = errors.slice(0, SAMPLES_MAX).map(([path, message]) => `${this.#pathOf(path)}\t${message}`);
    const isDone = !hasFailed && !isDry;
    const dry = {
      dryRunHasErrors: hasFailed,
      dryRunNodeCount: plan.planned.size,
      dryRunBinaryCount: plan.binaries,
      dryRunDetail: `${counts.itemsNew} new, ${counts.itemsOverwritten} overwritten, ${counts.itemsSkipped} skipped, ${errors.length} problems`,
    };
    return {
      ...counts,
      itemsTotal,
      ...(!hasFailed && { itemsProcessed: itemsTotal }),
      ...(isDone && { itemsImported: counts.itemsNew + counts.itemsOverwritten }),
      errorSamples: samples,
      currentPath: null,
      ...(isDry && dry),
      ...(itemsTotal > 0 && (await this.#report(plan, strays, hasFailed || isDry))),
    };
  }

  async #report(
    plan: ImportPlan,
    strays: readonly string[],
    isVain: boolean,
  ): Promise<{ files: LongJobFile[]; downloadUrl: string }> {
    const { job, partition } = this.#context;
    const { locale, filename, dryRun } = this.#parameters;
    const rows = rowsOf(plan.planned, strays, (path) => this.#pathOf(path));
    const text = reportText(rows, { locale, hasFailed: isVain && !dryRun });
    const blob = await this.#services.blobs.write(text);
    const downloadUrl = `/bin/download-archive.cgi/${encodeURIComponent(partition.workspace)}/${job.id}/report`;
    return { files: [reportFile(filename, blob)], downloadUrl };
  }

  #pathOf(path: string): string {
    const { destinationPath } = this.#parameters;
    return `${destinationPath === '/' ? '' : destinationPath}/${path}`;
  }
}

function failed({ tally: { errors } }: ImportPlan): ServiceError {
  const [[path, message] = ['', '']] = errors;
  return new ServiceError(
    'CONFLICT',
    `expected all of the archive to be importable, but ${errors.length} of its nodes are not, so that nothing was imported; the first is '${path}': ${message}`,
    { reason: 'import_refused' },
  );
}
