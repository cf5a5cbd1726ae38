import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ArchiveStep, archiveEvents } from '../../src/event-archive/index.ts';
import type { EventArchiveRow } from '../../src/ledger/index.ts';
import { type CheckResult, verifyAll } from '../../src/verify/index.ts';
import { createTestApp, type TestApp } from '../support/app.ts';

export interface Archivist {
  t: TestApp;
  directory: string;
  /** A debit of the store with this key; what it was answered. */
  debit(key: string | undefined, amount?: number): ReturnType<TestApp['call']>;
  /** Everything that is there now is old. */
  archive(onStep?: (step: ArchiveStep) => void, eventsAFile?: number, into?: string): Promise<EventArchiveRow[]>;
  count(table: string, where?: string): Promise<number>;
  /** What the proof does not find right, with the files or without. */
  wrong(directory?: string): Promise<CheckResult[]>;
  close(): Promise<void>;
}

/** A shop whose events may be archived, and a folder for them. */
export async function createArchivist(env: Record<string, string> = {}): Promise<Archivist> {
  const directory = mkdtempSync(join(tmpdir(), 'manilla-archive-'));
  const t = await createTestApp({ ARCHIVE_DIR: directory, ...env });
  return {
    t,
    directory,
    debit: (key, amount = 10) =>
      t.call(
        'POST',
        '/branch/store/debit',
        { storeId: t.merchant.storeIds[0], amount, pin: t.merchant.pin, narration: 'day’s takings' },
        key === undefined ? {} : { 'idempotency-key': key },
      ),
    archive: (onStep, eventsAFile, into = directory) =>
      archiveEvents(
        { database: t.database, clock: t.clock, directory: into, ...(onStep && { onStep }) },
        { before: new Date(t.clock.now().getTime() + 1), ...(eventsAFile !== undefined && { eventsAFile }) },
      ),
    count: async (table, where = 'true') =>
      Number((await t.database.pool.query(`select count(*) as n from ${table} where ${where}`)).rows[0].n),
    wrong: async (archiveDir) => (await verifyAll({ ...t, archiveDir })).checks.filter(({ ok }) => !ok),
    async close() {
      await t.close();
      rmSync(directory, { recursive: true });
    },
  };
}
