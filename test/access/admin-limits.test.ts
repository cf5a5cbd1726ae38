import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPinGuard } from '../../src/access/index.ts';
import { type AdminDeps, runAdmin } from '../../src/admin/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { type AccessDatabase, createAccessDatabase, testSecrets } from './access-database.ts';

const secrets = testSecrets();
let store: AccessDatabase;
let printed: string[];
let warned: string[];
beforeAll(async () => {
  store = await createAccessDatabase();
});
afterAll(() => store.drop());

async function admin(...argv: string[]): Promise<number> {
  printed = [];
  warned = [];
  const { database } = store;
  // As much as these commands need.
  const deps: Partial<AdminDeps> = {
    database,
    secrets,
    clock: systemClock,
    pinGuard: createPinGuard({ database, secrets, clock: systemClock }),
    actor: 'ada',
    print: (line) => printed.push(line),
    warn: (line) => warned.push(line),
    readInput: () => Promise.resolve(''),
    openWallets: () => Promise.resolve(),
  };
  return runAdmin(argv, deps as AdminDeps);
}

describe('an operator', () => {
  it('sees the limits that a new installation starts with, and where they come from', async () => {
    expect(await admin('list-limits')).toBe(0);
    expect(printed).toHaveLength(2);
    expect(printed[0]).toMatch(/^LIVE\tall merchants\tper payout ₦10,000,000\.00\tper day ₦250,000,000\.00\t.*120 s/);
    expect(printed[1]).toMatch(/^SANDBOX\tall merchants\t/);
  });

  it('sets those of one merchant, with a reason and a name, and ends them', async () => {
    const profile = ['--name', 'Ada Foods', '--email', 'ada@b.example', '--phone', '2348012345678'];
    expect(await admin('create-merchant', ...profile)).toBe(0);
    const [merchant = ''] = printed;
    const own = ['--merchant', merchant, '--mode', 'live'];
    const terms = [
      '--per-payout',
      '25,000,000',
      '--per-day',
      'none',
      '--duplicate-window',
      '0',
      '--reason',
      'indemnity',
    ];
    expect(await admin('set-limits', ...own, ...terms)).toBe(0);
    expect(await admin('list-limits', '--merchant', merchant)).toBe(0);
    const line = printed.find((text) => text.includes(merchant));
    expect(line).toContain('per payout ₦25,000,000.00\tper day none\tduplicate window 0 s');
    expect(line).toContain('until further notice\tindemnity, ada');
    expect(await admin('set-limits', ...own, '--as-all')).toBe(0);
    expect(printed).toEqual(['the limits for all merchants apply again']);
    expect(await admin('set-limits', ...own, '--as-all')).toBe(0);
    expect(printed).toEqual(['the merchant had no limits of its own']);
  });

  it.each([
    [['--mode', 'test'], '--mode must be'],
    [['--mode', 'LIVE', '--per-day', 'lots'], 'per-day'],
    [['--mode', 'LIVE', '--per-day', '0'], 'per-day'],
    [['--mode', 'LIVE', '--per-day', '1000000', '--from', '2020-01-01T00:00:00Z'], 'must not be in the past'],
    [['--mode', 'LIVE', '--per-day', '1000000', '--from', '2030-01-01'], 'with its offset'],
    [['--mode', 'LIVE', '--per-day', '1000000', '--from', '+275760-09-13T00:00:00Z'], 'with its offset'],
    [['--mode', 'LIVE', '--duplicate-window', '9999999'], 'must be at most 2592000 seconds'],
    [['--mode', 'LIVE', '--as-all'], '--as-all needs --merchant'],
  ])('gets in words what is wrong with %j, and nothing is set', async (argv, words) => {
    await admin('list-limits');
    const before = printed;
    expect(await admin('set-limits', ...argv)).toBe(1);
    expect(warned.join()).toContain(words);
    await admin('list-limits');
    expect(printed).toEqual(before);
  });
});
