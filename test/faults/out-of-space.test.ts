import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';
import { csvOf, formOf } from '../support/files.ts';
import { makeDataDir, readDemo, removeDataDir, type ServiceProcess, startService } from '../support/service.ts';
import { readBooks, rowsOf } from '../support/world.ts';

/** A folder of two megabytes, where this machine lets us have one: a disk that is really full. */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'manilla-small-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
}

const disk = smallDisk();
afterAll(() => {
  if (disk === undefined) return;
  execFileSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true });
});

const roomIn = (folder: string) => {
  const { bfree, bsize } = statfsSync(folder);
  return bfree * bsize;
};

describe.runIf(disk !== undefined)('a disk that an upload fills', () => {
  const folder = disk as string;
  const dataDir = makeDataDir();
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await startService({ dataDir, env: { TMPDIR: folder } });
  });
  afterAll(() => removeDataDir(dataDir, [service]));

  async function send(rows: number) {
    const { headers, payload } = formOf([{ name: 'list.csv', content: csvOf(rows) }], {});
    const authorization = `Bearer ${readDemo(dataDir).secretKey}`;
    const body = new Uint8Array(payload);
    const answer = await fetch(`${service.baseUrl}/payout/bulk`, {
      method: 'POST',
      headers: { ...headers, authorization },
      body,
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as { code?: string } };
  }

  it('is answered with 503 and a time to come again, and others go on', async () => {
    const free = roomIn(folder);
    const [large, small] = await Promise.all([send(60_000), send(10)]);
    expect([large.status, large.body.code, large.headers.get('retry-after')]).toEqual([503, 'DISK_FULL', '30']);
    // Small as it is, it may have met the moment in which there was no space at all.
    if (small.status !== 200) expect(small.body.code).toBe('DISK_FULL');
    expect([roomIn(folder), readdirSync(folder)]).toEqual([free, []]);
    expect((await send(10)).status).toBe(200);
  });
});

describe('a machine that has no more of something', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await createTestApp();
  });
  afterAll(() => t.close());
  afterEach(() => vi.restoreAllMocks());

  const systemError = (code: string, syscall: string) =>
    Object.assign(new Error(`${code}: ${syscall}`), { code, syscall });
  const upload = () => {
    const { headers, payload } = formOf([{ name: 'list.csv', content: csvOf(3) }], {});
    return t.app.server.inject({
      method: 'POST',
      url: '/payout/bulk',
      headers: { ...headers, authorization: `Bearer ${t.merchant.secretKey}` },
      payload,
    });
  };

  it.each([
    ['ENOSPC', 'DISK_FULL', '30'],
    ['EDQUOT', 'DISK_FULL', '30'],
    ['EMFILE', 'OVERLOADED', '2'],
    ['ENFILE', 'OVERLOADED', '2'],
  ])('says so in words, keeps nothing and takes the next upload: %s', async (code, told, seconds) => {
    const probe = await open('/dev/null');
    const handles = Object.getPrototypeOf(probe) as FileHandle;
    await probe.close();
    const files = readdirSync(tmpdir()).filter((name) => name.startsWith('manilla-upload-'));
    vi.spyOn(handles, 'writeFile').mockRejectedValueOnce(systemError(code, 'write'));
    const answer = await upload();
    expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([503, told, seconds]);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('manilla-upload-'))).toEqual(files);
    expect(await rowsOf(t.connectionString, 'select 1 from batch_uploads', [])).toEqual([]);
    expect((await upload()).statusCode).toBe(200);
  });

  it.each([
    ['has no space left', '53100', 'no space left'],
    ['has no memory left', '53200', 'out of memory'],
    [
      'runs on while its package is upgraded',
      '58P01',
      'could not load library "plpgsql.so": undefined symbol: heap_datum',
    ],
  ])('moves no money while the database %s, and does when that is over', async (_what, state, message) => {
    const run = (sql: string) => rowsOf(t.connectionString, sql, []);
    await run(`create or replace function no_room() returns trigger language plpgsql as
      $$ begin raise exception '${message}' using errcode = '${state}'; end $$`);
    await run('create trigger no_room before insert on transfers execute function no_room()');
    const before = await readBooks(t.connectionString);
    const debit = { pin: t.merchant.pin, amount: 1, storeId: t.merchant.storeIds[0], narration: 'Sweep' };
    const key = { 'idempotency-key': `room-${state}` };
    const answers = await Promise.all(
      [key, {}, {}].map((headers) => t.call('POST', '/branch/store/debit', debit, headers)),
    );
    for (const { status, body, headers } of answers)
      expect([status, body.code, headers['retry-after']]).toEqual([503, 'SERVICE_UNAVAILABLE', '2']);
    expect(await readBooks(t.connectionString)).toEqual(before);
    await run('drop trigger no_room on transfers');
    expect((await t.call('POST', '/branch/store/debit', debit, key)).status).toBe(200);
  });
});
