import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Container, createContainer } from '../../src/container.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { signedInOperator, type TestPerson } from '../support/people.ts';
import { terminalOf } from '../support/terminal.ts';
import { bearer, rowsOf } from '../support/world.ts';
import { CREDIT_NOTE, creditFields, sendCredit } from './credit-forms.ts';

let t: TestApp;
let container: Container;
let ada: TestPerson;
let bola: TestPerson;
let printed: string[];
let warned: string[];

beforeAll(async () => {
  t = await createTestApp();
  const { config, database, secrets, clock } = t;
  container = createContainer({ config, database, secrets, clock, logger: createLogger('silent') });
  ada = await signedInOperator(t);
  bola = await signedInOperator(t);
});
afterAll(async () => {
  await container.ledger.drain();
  await t.close();
});

async function admin(...argv: string[]): Promise<number> {
  const answer = await terminalOf(t, container)(...argv);
  ({ printed, warned } = answer);
  return answer.exit;
}

async function propose(): Promise<{ credit: string[]; digest: string }> {
  const { merchantId, walletId } = t.merchant;
  const { body } = await sendCredit(t, ada, { merchantId, fields: creditFields(t, walletId) });
  const credit = ['--merchant', merchantId, '--mode', 'sandbox', '--credit', body.data.manualCreditId];
  return { credit, digest: body.data.digest };
}

const bookedOf = async () => {
  const { body } = await t.call('GET', '/wallet/merchant', undefined, bearer(t.merchant.secretKey));
  return body.data.wallet.bookedBalance;
};

describe('the commands for manual credits', () => {
  it('take a credit through the second person, by the digest that was shown, and not by the first', async () => {
    expect(await admin('list-manual-credits')).toBe(0);
    expect([printed, warned]).toEqual([[], ['Nothing waits for a decision.']]);
    const before = await bookedOf();
    const { credit, digest } = await propose();
    await admin('list-manual-credits');
    expect(printed).toHaveLength(1);
    expect(printed[0]).toContain(`\t${CREDIT_NOTE}`);
    expect(warned).toEqual([]);
    expect(await admin('show-manual-credit', ...credit)).toBe(0);
    expect(printed).toEqual([expect.stringContaining(`\t${CREDIT_NOTE}\tPENDING\tdigest ${digest}`)]);
    const shown = [...credit, '--digest', digest];
    expect(await admin('approve-manual-credit', ...shown, '--email', ada.email)).toBe(1);
    expect(warned[0]).toContain('SECOND_PERSON_NEEDED');
    const other = [...credit, '--digest', 'a'.repeat(64), '--email', bola.email];
    expect(await admin('approve-manual-credit', ...other)).toBe(1);
    expect(warned[0]).toContain('MANUAL_CREDIT_ALTERED');
    expect(await bookedOf()).toBe(before);
    expect(await admin('approve-manual-credit', ...shown, '--email', bola.email)).toBe(0);
    expect(await bookedOf()).toBe(before + 1_500.5);
    expect(await admin('approve-manual-credit', ...shown, '--email', bola.email)).toBe(1);
    expect(warned[0]).toContain('MANUAL_CREDIT_DECIDED');
  });

  it('list page by page what waits, each once, and say while there is more', async () => {
    const made = [await propose(), await propose(), await propose()];
    const seen: string[] = [];
    let after: string[] = [];
    for (let page = 0; page < 3; page += 1) {
      expect(await admin('list-manual-credits', '--limit', '1', ...after)).toBe(0);
      expect(printed).toHaveLength(1);
      seen.push(...printed);
      if (page < 2) after = ['--after', /--after (\S+)/.exec(warned[0] ?? '')?.[1] ?? ''];
    }
    expect(warned).toEqual([]);
    for (const [at, { credit }] of made.entries()) expect(seen[at]).toContain(credit[5]);
    expect(await admin('list-manual-credits', '--after', 'nonsense')).toBe(1);
    expect(warned[0]).toContain('CURSOR_INVALID');
    for (const { credit } of made) {
      await admin('withdraw-manual-credit', ...credit, '--reason', 'Not our account', '--email', ada.email);
    }
  });

  it('show of a credit what may be the same money, and that it was altered', async () => {
    const { credit } = await propose();
    const alike = await propose();
    await admin('show-manual-credit', ...alike.credit);
    expect(printed[0]).toContain('Another credit of this amount to this wallet on this day');
    const alter = (change: string) =>
      rowsOf(t.connectionString, `update manual_credits set amount_minor = amount_minor ${change} where id = $1`, [
        alike.credit[5],
      ]);
    await alter('+ 1');
    await admin('show-manual-credit', ...alike.credit);
    expect(printed[0]).toMatch(/ALTERED: it cannot be approved$/);
    await alter('- 1');
    for (const one of [credit, alike.credit]) {
      await admin('withdraw-manual-credit', ...one, '--reason', 'Not our account', '--email', ada.email);
    }
  });

  it('turn one down or take one back, and nothing moves', async () => {
    const before = await bookedOf();
    const why = ['--reason', 'Not our account'];
    const rejected = await propose();
    expect(await admin('reject-manual-credit', ...rejected.credit, ...why, '--email', bola.email)).toBe(0);
    const withdrawn = await propose();
    expect(await admin('withdraw-manual-credit', ...withdrawn.credit, ...why, '--email', bola.email)).toBe(1);
    expect(await admin('withdraw-manual-credit', ...withdrawn.credit, ...why, '--email', ada.email)).toBe(0);
    expect(await bookedOf()).toBe(before);
  });
});
