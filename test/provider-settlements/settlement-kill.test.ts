import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitForSettlements } from '../support/availability.ts';
import { TEST_PASSWORD } from '../support/people.ts';
import { brokenChecks } from '../support/proof.ts';
import { createSettlementFixture, csvOf, PROVIDER_FEE, type SettlementFixture } from './fixture.ts';

const ROOT = join(import.meta.dirname, '../..');
const MAIN = join(ROOT, 'src/main.ts');
const PAYMENTS = 1_200;
const KILLS = 4;

let fixture: SettlementFixture;
beforeAll(async () => {
  fixture = await createSettlementFixture();
});
afterAll(() => fixture.close());

async function posted(settlementId: string): Promise<number> {
  const { rows } = await fixture.database.pool.query<{ posted: number }>(
    'select count(*)::int as posted from collection_settlements where settlement_id = $1',
    [settlementId],
  );
  return rows[0]?.posted ?? 0;
}

/** The terminal's command in a process of its own. @param settlementId what it applies */
function applyElsewhere(settlementId: string) {
  const email = fixture.emailOf('bola');
  const words = [MAIN, 'admin', 'apply-provider-settlement', '--settlement', settlementId, '--email', email];
  const inherited = Object.entries(process.env).filter(([name]) => !/DATABASE_URL$|^VITEST|^NODE_OPTIONS$/.test(name));
  const env = {
    ...Object.fromEntries(inherited),
    DATABASE_URL: fixture.connectionString,
    PIN_PEPPER: 'a pepper of thirty-two characters',
    KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    LOG_LEVEL: 'silent',
  };
  const child = spawn(process.execPath, words, { cwd: ROOT, env, stdio: ['pipe', 'ignore', 'pipe'] });
  child.stdin.end(TEST_PASSWORD);
  return child;
}

it('a process that is killed in the middle of applying leaves each payment settled once or not at all', async () => {
  const merchant = await fixture.payee();
  await waitForSettlements(fixture.database, merchant.tenant);
  const hints = [];
  for (let at = 0; at < PAYMENTS; at += 100) {
    hints.push(...(await Promise.all(Array.from({ length: 100 }, () => fixture.pay(merchant, 50_00n)))));
  }
  const lumpMinor = BigInt(PAYMENTS) * (50_00n - PROVIDER_FEE);
  const id = await fixture.record(csvOf(hints.map((hint) => fixture.lineOf(hint))), { lumpMinor });
  let before = 0;
  let inTheMiddle = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = applyElsewhere(id);
    const gone = once(child, 'exit');
    const said: string[] = [];
    child.stderr.on('data', (text: Buffer) => said.push(String(text)));
    while (child.exitCode === null && (await posted(id)) === before) await delay(1);
    child.kill('SIGKILL');
    const [code] = await gone;
    expect([null, 0], said.join('')).toContain(code);
    before = await posted(id);
    expect(before).toBeGreaterThan(0);
    if (code === null && before < PAYMENTS) inTheMiddle += 1;
    expect(await brokenChecks(fixture.database)).toEqual([]);
  }
  expect(inTheMiddle).toBeGreaterThan(0);
  await fixture.apply(id, { personId: fixture.people.chidi });
  expect(await posted(id)).toBe(PAYMENTS);
  expect((await fixture.summary(id)).status).toBe('DONE');
  expect(await fixture.booked(merchant)).toMatchObject({
    PENDING_COLLECTIONS: 0n,
    COLLECTION_RECEIVABLE: 0n,
    MERCHANT_WALLET: BigInt(PAYMENTS) * 50_00n,
    PROVIDER_COST: -BigInt(PAYMENTS) * PROVIDER_FEE,
  });
  expect(await brokenChecks(fixture.database)).toEqual([]);
});
