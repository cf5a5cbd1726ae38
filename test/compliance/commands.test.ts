import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContainer } from '../../src/container.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { terminalOf } from '../support/terminal.ts';

let t: TestApp;
let run: ReturnType<typeof terminalOf>;
beforeAll(async () => {
  t = await createTestApp();
  run = terminalOf(t, createContainer({ ...t, logger: createLogger('silent') }));
});
const folder = mkdtempSync(join(tmpdir(), 'manilla-screening-'));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await t.close();
});

const fileOf = (csv: string) => {
  const path = join(mkdtempSync(join(folder, 'list-')), 'list.csv');
  writeFileSync(path, csv);
  return path;
};
const listed = ['--mode', 'LIVE', '--source', 'main.un.org', '--listed-on', '2026-11-20'];

describe('screening at the terminal', () => {
  it('imports a list, says what a name is like by it, and ends it', async () => {
    const file = fileOf('name,aliases\nMusa Ibrahim Danjuma,Emeka Obi\n');
    const imported = await run('import-screening-list', '--name', 'UN', ...listed, '--file', file);
    expect(imported).toMatchObject({ exit: 0, printed: [expect.stringMatching(/\t1$/)] });
    const tried = await run('try-screening', '--mode', 'LIVE', '--name', 'DANJUMA MUSA');
    expect(tried.printed).toEqual(['HIT', expect.stringMatching(/^\d+\tNAME\tUN\t1\tMusa Ibrahim Danjuma$/)]);
    expect((await run('list-screening-lists')).printed).toEqual([expect.stringMatching(/^UN\tLIVE\tIN_FORCE\t/)]);
    expect((await run('end-screening-list', '--name', 'UN', '--mode', 'LIVE')).exit).toBe(0);
    expect((await run('try-screening', '--mode', 'LIVE', '--name', 'Musa Danjuma')).printed).toEqual(['CLEAR']);
  });

  it('says what is missing, and imports nothing of a file that cannot be read', async () => {
    expect((await run('import-screening-list', '--name', 'EU', ...listed, '--file', '/nowhere.csv')).exit).not.toBe(0);
    const file = fileOf('aliases\nNobody\n');
    const refused = await run('import-screening-list', '--name', 'EU', ...listed, '--file', file);
    expect(refused).toMatchObject({ exit: expect.any(Number), printed: [] });
    expect(refused.exit).not.toBe(0);
    expect((await run('end-screening-list', '--name', 'EU', '--mode', 'LIVE')).exit).not.toBe(0);
    expect((await run('try-screening', '--mode', 'LIVE')).exit).not.toBe(0);
  });
});

describe('tiers at the terminal', () => {
  it('are dated rows with who set them, and a merchant is put into one and out of it', async () => {
    const limits = ['--single-in', '50,000', '--balance', '300000', '--reason', 'The circular of 2023'];
    const set = await run('set-tier-limit', '--tier', 'TIER_1', '--mode', 'LIVE', ...limits);
    expect(set.exit, set.warned.join()).toBe(0);
    const [line] = (await run('list-tier-limits')).printed;
    expect(line).toMatch(/^TIER_1\tLIVE\tsingle-in ₦50,000\.00\tdaily-in none\tbalance ₦300,000\.00\t/);
    expect(line).toContain('The circular of 2023, ');
    const { merchantId } = t.merchant;
    const put = (tier: string) =>
      run('set-merchant-tier', '--merchant', merchantId, '--mode', 'LIVE', '--tier', tier, '--reason', 'BVN alone');
    expect((await put('TIER_1')).printed).toEqual([`${merchantId}\tLIVE\tTIER_1`]);
    expect((await put('NONE')).exit).toBe(0);
    expect((await put('TIER_9')).exit).not.toBe(0);
    const { rows } = await t.database.pool.query('select tier from merchant_tiers where merchant_id = $1 order by id', [
      merchantId,
    ]);
    expect(rows).toEqual([{ tier: 'TIER_1' }, { tier: null }]);
  });
});
