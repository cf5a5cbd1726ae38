import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminDeps, runAdmin } from '../../src/admin/index.ts';
import { RAIL } from '../collections/fixture.ts';
import { TEST_PASSWORD } from '../support/people.ts';
import { createSettlementFixture, csvOf, type SettlementFixture } from './fixture.ts';

let fixture: SettlementFixture;
const file = join(tmpdir(), `provider-settlement-${process.pid}.csv`);

beforeAll(async () => {
  fixture = await createSettlementFixture();
});
afterAll(async () => {
  rmSync(file, { force: true });
  await fixture.close();
});

async function admin(...argv: string[]) {
  const printed: string[] = [];
  const warned: string[] = [];
  const deps = {
    ...fixture.base,
    ledger: fixture.deps.ledger,
    collections: () => fixture.deps,
    actor: 'terminal (ada)',
    print: (line: string) => void printed.push(line),
    warn: (line: string) => void warned.push(line),
    readInput: async () => TEST_PASSWORD,
  };
  const code = await runAdmin(argv, deps as unknown as AdminDeps);
  return { code, printed, warned };
}

describe('provider settlements at the terminal', () => {
  it('are recorded, shown, applied, and their differences noted', async () => {
    const merchant = await fixture.payee();
    const hint = await fixture.pay(merchant, 100_00n);
    await writeFile(file, csvOf([fixture.lineOf(hint), { id: '=cmd()', gross: '5', fee: '1', net: '4' }]));
    const of = ['--rail', RAIL, '--mode', 'LIVE', '--reference', 'S-7', '--settled-on', '2026-11-20', '--file', file];
    const taken = await admin('import-provider-settlement', ...of, '--lump-sum', '90.00', '--cut-off', '2026-11-19');
    expect([taken.code, ...taken.warned]).toEqual([0, expect.stringContaining('1 line differs'), expect.any(String)]);
    const [id = ''] = taken.printed;
    expect(taken.printed).toContain('lines come to\t₦94.00\t= gross ₦105.00 less fees of ₦11.00');
    const shown = await admin('show-provider-settlement', '--settlement', id);
    expect(shown.printed.join('\n')).toContain(`'=cmd()`);
    const apply = ['apply-provider-settlement', '--settlement', id, '--email', fixture.emailOf('bola')];
    expect((await admin(...apply)).warned[0]).toContain('SETTLEMENT_SUM_DIFFERS');
    expect((await admin(...apply, '--note', 'Their mail says that they keep 4')).printed).toEqual(['posted\t1']);
    const [open] = (await fixture.linesOf(id)).filter(({ result }) => result === 'MISSING_HERE');
    const line = ['--settlement', id, '--line', open?.id ?? '', '--note', 'They know of no such payment'];
    const accept = await admin('accept-provider-settlement-line', ...line, '--email', fixture.emailOf('ada'));
    expect(accept.printed).toEqual(['accepted']);
    const { printed } = await admin('list-provider-settlements');
    expect(printed[0]).toContain(
      'S-7\tDONE\t2026-11-20\t₦90.00\tdifference -₦4.00\tMATCHED 1, MISSING_HERE 1\t1 posted',
    );
  });

  it('of a wrong file are discarded', async () => {
    await writeFile(file, csvOf([{ id: 'another', gross: '5', fee: '1', net: '4' }]));
    const of = ['--rail', RAIL, '--mode', 'LIVE', '--reference', 'S-8', '--settled-on', '2026-11-20', '--file', file];
    const { printed } = await admin('import-provider-settlement', ...of, '--lump-sum', '4');
    const which = ['--settlement', printed[0] ?? '', '--email', fixture.emailOf('ada')];
    expect((await admin('discard-provider-settlement', ...which, '--reason', 'wrong file')).printed).toEqual([
      'discarded',
    ]);
  });

  it('say what is wrong with what they are given', async () => {
    const of = ['--rail', RAIL, '--mode', 'LIVE', '--reference', 'S-9', '--lump-sum', '4'];
    const wrong = async (...more: string[]) => (await admin('import-provider-settlement', ...of, ...more)).warned[0];
    expect(await wrong('--settled-on', '2026-11-20', '--file', '/nowhere.csv')).toContain('there is no file');
    expect(await wrong('--settled-on', '2026-02-31', '--file', file)).toContain('--settled-on must be a day');
    const day = ['--settled-on', '2026-11-20', '--file', file];
    expect(await wrong(...day, '--cut-off', 'soon')).toContain('--cut-off must be a day');
    const elsewhere = of.with(1, 'none');
    expect((await admin('import-provider-settlement', ...elsewhere, ...day)).warned[0]).toContain('RAIL_NOT_FOUND');
  });
});

describe('availability at the terminal', () => {
  it('is set from two minutes ahead on, and listed', async () => {
    const { merchantId } = await fixture.payee();
    const set = ['set-availability', '--mode', 'LIVE', '--merchant', merchantId, '--reason', 'untried'];
    expect((await admin(...set, '--availability', 'on_settlement')).printed[0]).toContain('ON_SETTLEMENT\tfrom ');
    expect((await admin(...set, '--availability', 'LATER')).warned[0]).toContain('must be one of ON_CONFIRMATION');
    const now = fixture.clock.now().toISOString();
    const soon = await admin(...set, '--availability', 'ON_SETTLEMENT', '--from', now);
    expect(soon.warned[0]).toContain('at least 2 minutes ahead');
    expect((await admin('list-availability', '--merchant', merchantId)).printed).toHaveLength(1);
  });
});
