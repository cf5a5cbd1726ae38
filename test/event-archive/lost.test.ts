import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventArchiveRow } from '../../src/ledger/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { formatReport, verifyAll } from '../../src/verify/index.ts';
import { bearerOf, type TestMerchant } from '../support/app.ts';
import { atTerminal, terminalEntries } from '../support/terminal.ts';
import { type Archivist, createArchivist } from './fixture.ts';

let a: Archivist;
let other: TestMerchant;
beforeAll(async () => {
  a = await createArchivist();
  other = await a.t.addMerchant();
});
afterAll(() => a.close());

const REASON = 'the disk failed before its first backup';

const abandon = (file: string, directory = a.directory) =>
  atTerminal(
    { ...a.t, archive: { directory, afterMonths: 13 } } as typeof a.t,
    'abandon-archive',
    '--lost',
    file,
    '--reason',
    REASON,
  );

const debit = async (of: TestMerchant) => {
  const order = { storeId: of.storeIds[0], amount: 10, pin: of.pin, narration: 'day’s takings' };
  const headers = { ...bearerOf(of), 'idempotency-key': newId() };
  expect((await a.t.call('POST', '/branch/store/debit', order, headers)).status).toBe(200);
};

/** Files of the merchant, each of some events. */
async function archived(of: TestMerchant): Promise<EventArchiveRow[]> {
  for (let at = 0; at < 3; at += 1) await debit(of);
  return (await a.archive(undefined, 2)).filter(({ merchant_id }) => merchant_id === of.merchantId);
}

const pathOf = ({ file_name }: EventArchiveRow) => join(a.directory, file_name);

/** As a disk loses it. @returns what brings it back */
function lose(archive: EventArchiveRow): () => void {
  const kept = `${pathOf(archive)}.kept`;
  renameSync(pathOf(archive), kept);
  return () => renameSync(kept, pathOf(archive));
}

async function proof() {
  const report = await verifyAll({ ...a.t, archiveDir: a.directory });
  const named = (which: (check: (typeof report.checks)[number]) => boolean) =>
    report.checks.filter(which).map(({ name }) => name);
  return {
    ok: report.ok,
    text: formatReport(report),
    broken: named(({ ok, isUnproven }) => !ok && !isUnproven),
    unproven: named(({ isUnproven }) => isUnproven),
  };
}

describe('a file of archived events of which no copy exists', () => {
  it('is abandoned by name, for a reason that is kept, and only where it is not there as it was written', async () => {
    const [file] = (await archived(a.t.merchant)) as [EventArchiveRow];
    const there = await abandon(file.file_name);
    expect([there.exit, there.warned.join('\n')]).toEqual([1, expect.stringContaining('is there, byte for byte')]);
    const unknown = await abandon('none.jsonl.zst');
    expect([unknown.exit, unknown.warned.join('\n')]).toEqual([
      1,
      expect.stringContaining('No file of archived events'),
    ]);
    expect(await a.count('lost_archives')).toBe(0);
    const back = lose(file);
    expect((await proof()).broken).toEqual(['archive-files-are-there']);
    expect((await abandon(file.file_name)).exit).toBe(0);
    expect((await a.t.database.pool.query('select * from lost_archives')).rows).toEqual([
      expect.objectContaining({
        merchant_id: a.t.merchant.merchantId,
        number: file.number,
        reason: REASON,
        found_at: null,
      }),
    ]);
    const entries = (await terminalEntries(a.t, a.t.merchant.merchantId)).slice(-2);
    expect(entries.map(({ action, outcome }) => [action, outcome])).toEqual([
      ['admin abandon-archive', 'ASKED'],
      ['admin abandon-archive', 'DONE'],
    ]);
    back();
    await a.archive();
  });

  it('no longer stops the archiving of its merchant, and every proof names it and never says that the books are right', async () => {
    const files = await archived(a.t.merchant);
    const last = files.at(-1) as EventArchiveRow;
    const back = lose(last);
    await debit(a.t.merchant);
    await expect(a.archive()).rejects.toMatchObject({ code: 'ARCHIVE_FILE_WRONG' });
    await abandon(last.file_name);
    const later = await a.archive();
    expect(later.map(({ number }) => number)).toEqual([last.number + 1]);
    const { ok, text, broken, unproven } = await proof();
    expect([ok, broken]).toEqual([false, []]);
    expect(unproven).toEqual(expect.arrayContaining(['archive-files-are-there', 'events-without-gaps']));
    expect(text).toContain(
      `${last.file_name} is missing; ${last.events} events and ${last.keys} keys of it are not read.`,
    );
    expect(text).toContain(REASON);
    expect(text).toMatch(
      /Not all is proven, and nothing was found wrong: .* archive-files-are-there names: 1 file of theirs is abandoned\./,
    );
    back();
    expect((await proof()).ok).toBe(true);
    expect(await a.archive()).toEqual([]);
    expect(await a.count('lost_archives', 'found_at is null')).toBe(0);
    lose(last)();
    expect((await proof()).ok).toBe(true);
  });

  it('of one merchant costs no other one its proof, and hides nothing that is wrong elsewhere', async () => {
    const [file] = (await archived(a.t.merchant)) as [EventArchiveRow];
    await debit(other);
    const back = lose(file);
    await abandon(file.file_name);
    expect((await proof()).broken).toEqual([]);
    const taken = await a.t.database.pool.query(
      `delete from event_rows where (merchant_id, mode, sequence) in (select merchant_id, mode, max(sequence) from events
        where merchant_id = $1 and type = 'transaction.succeeded' group by 1, 2) returning *`,
      [other.merchantId],
    );
    expect(taken.rowCount).toBe(1);
    const { broken, text } = await proof();
    expect(broken).toContain('events-without-gaps');
    expect(text).toContain('The books are wrong');
    expect(text).toContain(`merchant ${other.merchantId} SANDBOX: `);
    await a.t.database.pool.query('insert into event_rows select * from json_populate_record(null::event_rows, $1)', [
      JSON.stringify(taken.rows[0], (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
    ]);
    back();
    await a.archive();
    expect((await proof()).ok).toBe(true);
  });

  it('of which some rows have not left keeps those, and they leave once it is there again', async () => {
    await debit(a.t.merchant);
    await debit(a.t.merchant);
    const cut = a.archive(({ what }) => {
      if (what === 'recorded') throw new Error('killed');
    });
    await expect(cut).rejects.toThrow('killed');
    const { rows } = await a.t.database.pool.query<EventArchiveRow>(
      'select * from event_archives where removed_to < last_sequence',
    );
    const [file] = rows as [EventArchiveRow];
    const back = lose(file);
    await abandon(file.file_name);
    await debit(a.t.merchant);
    expect((await a.archive()).map(({ number }) => number)).toEqual([file.number + 1]);
    expect((await proof()).broken).toEqual([]);
    back();
    expect([(await proof()).ok, (await a.archive()).map(({ number }) => number)]).toEqual([true, [file.number]]);
    expect((await proof()).ok).toBe(true);
  });

  it('that is missing once more after it was there again is a loss like any other, until it is abandoned again', async () => {
    const { rows } = await a.t.database.pool.query<EventArchiveRow>(
      'select e.* from event_archives e join lost_archives l using (merchant_id, mode, number) order by number limit 1',
    );
    const [file] = rows as [EventArchiveRow];
    const back = lose(file);
    expect((await proof()).broken).toEqual(['archive-files-are-there']);
    await abandon(file.file_name);
    expect((await proof()).broken).toEqual([]);
    back();
    await a.archive();
  });

  it('is abandoned with a word about the folder where no other file is in it', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'manilla-archive-'));
    const { rows } = await a.t.database.pool.query<EventArchiveRow>('select * from event_archives limit 1');
    const { exit, warned } = await abandon(rows[0]?.file_name ?? '', empty);
    rmSync(empty, { recursive: true });
    expect([exit, warned.join('\n')]).toEqual([0, expect.stringContaining('see that ARCHIVE_DIR is the folder')]);
    await a.archive();
    expect((await proof()).ok).toBe(true);
  });
});
