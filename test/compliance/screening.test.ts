import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wordScore } from '../../src/banks/index.ts';
import { confirmCompliance, proposeRelease } from '../../src/compliance/index.ts';
import type { Container } from '../../src/container.ts';
import { leasePayouts } from '../../src/payout-delivery/lease-payouts.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createNameIndex, createScreening, importList } from '../../src/screening/index.ts';
import { createSuspenseFixture, type SuspenseFixture } from '../collections/suspense-fixture.ts';
import { createPayoutFixture, executed, type PayoutFixture, payment, untilQuiet } from '../payouts/payout-fixture.ts';
import { addPerson } from '../support/people.ts';
import { brokenChecks } from '../support/proof.ts';

let money: SuspenseFixture;
let payouts: PayoutFixture;
let deps: Container;
beforeAll(async () => {
  money = await createSuspenseFixture();
  payouts = await createPayoutFixture();
  deps = payouts.deps as Container;
});
afterAll(async () => {
  for (const { database } of [money, payouts]) {
    expect((await brokenChecks(database)).map(({ name, examples }) => ({ name, examples }))).toEqual([]);
  }
  await Promise.all([money.close(), payouts.close()]);
});

const LIST = { name: 'UN', source: 'main.un.org', listedOn: '2026-11-20', by: 'ada@manilla.example' } as const;
const csv =
  (...lines: string[]) =>
  () =>
    Readable.from([Buffer.from(['name,aliases,account_number,bank_code', ...lines, ''].join('\n'))]);

describe('a name', () => {
  const entry = (name: string, aliases: string[] = []) => ({
    list_id: 'l',
    entry_number: 1,
    name,
    aliases: JSON.stringify(aliases),
    account_number: '0123456785',
    bank_code: '058',
  });
  const index = createNameIndex([
    { list: { name: 'UN' }, entries: [entry('Alhaji Musa Ibrahim Danjuma', ['Emeka Obi'])] },
  ]);
  const scoreOf = (name: string) => index.find({ name, accountNumber: null, bankCode: null })[0]?.score ?? 0;

  it.each([
    ['MUSA IBRAHIM DANJUMA', true],
    ['Danjuma, Musa', true],
    ['Músa Danjuna', true],
    ['EMEKA OBI', true],
    ['Musa Ibrahim', true],
    ['Musa Okafor', false],
    ['Danjuma', false],
    ['Ibrahim Bello', false],
  ])('%s is a hit: %s', (name, isHit) => {
    expect(scoreOf(name) >= 90).toBe(isHit);
  });

  it('is compared once while a version of the lists counts, and anew with the next one', () => {
    let compared = 0;
    const indexed = (name: string) =>
      createNameIndex([{ list: { name: 'UN' }, entries: [entry(name)] }], (one, other) => {
        compared += 1;
        return wordScore(one, other);
      });
    const find = (of: typeof index, name: string) => of.find({ name, accountNumber: null, bankCode: null }).length;
    const first = indexed('Musa Ibrahim Danjuma');
    const once = ['Musa Danjuma', 'Musa Ibrahim Bello'].map((name) => find(first, name));
    expect(once).toEqual([1, 0]);
    const before = compared;
    expect(before).toBeGreaterThan(0);
    const names = Array.from({ length: 500 }, () => ['Musa Danjuma', 'MUSA  DANJUMA', 'Musa Ibrahim Bello']).flat();
    expect(new Set(names.map((name) => `${name.toLowerCase().replaceAll('  ', ' ')} ${find(first, name)}`)).size).toBe(
      2,
    );
    expect(compared).toBe(before);
    expect(find(indexed('Musa Ibrahim Bello'), 'Musa Danjuma')).toBe(0);
    expect(find(first, 'Musa Danjuma')).toBe(1);
  });

  it('is compared beside the account, which is a hit by itself at the same bank', () => {
    const find = (bankCode: string | null) => index.find({ name: null, accountNumber: '0123456785', bankCode });
    expect(find('058')).toMatchObject([{ by: 'ACCOUNT', score: 100 }]);
    expect(find(null)).toHaveLength(1);
    expect(find('044')).toEqual([]);
  });

  it('is compared once with each word of 10,000 names that could be alike, and with no other', () => {
    const words = [
      'Musa',
      'Ade',
      'Chidi',
      'Ngozi',
      'Ibrahim',
      'Bello',
      'Okafor',
      'Obi',
      'Danjuma',
      'Eze',
      'Sani',
      'Uche',
    ];
    const entries = Array.from({ length: 10_000 }, (_, at) => ({
      ...entry(`${words[at % 12]}${at % 977} ${words[(at * 7) % 12]}${at % 1013} ${words[(at * 5) % 12]}`),
      entry_number: at + 1,
      account_number: null,
      bank_code: null,
    }));
    let compared = 0;
    const large = createNameIndex([{ list: { name: 'large' }, entries }], (one, other) => {
      compared += 1;
      return wordScore(one, other);
    });
    const names = Array.from({ length: 10 }, (_, at) => `Chidi${at} Sani`);
    for (const name of names) large.find({ name, accountNumber: null, bankCode: null });
    const beginAlike = new Set(
      entries.flatMap(({ name }) => name.split(' ')).filter((word) => /^(?:Chi|San)/.test(word)),
    );
    expect(compared).toBeGreaterThan(0);
    expect(compared).toBeLessThanOrEqual(2 * beginAlike.size * names.length);
  });
});

describe('a payer on a list', () => {
  it('has its payment held with the case, and one that is not has it credited; a new version counts from then on', async () => {
    await importList(money.deps, { ...LIST, mode: 'LIVE', open: csv('Chidi Okafor,,,') });
    const payee = await money.payee();
    const pay = async (payerName: string) =>
      (
        await money.takeWebhook(
          money.script.receive({ accountNumber: payee.accountNumber, amountMinor: 50_00n, payerName }),
        )
      )[0];
    expect(await pay('OKAFOR CHIDI E.')).toBe('HELD');
    expect(await pay('NGOZI BELLO')).toBe('CREDITED');
    const { rows } = await money.database.pool.query(
      `select reason, facts::json -> 'hits' -> 0 ->> 'name' as name from compliance_cases where merchant_id = $1`,
      [payee.merchantId],
    );
    expect(rows).toEqual([{ reason: 'SCREENING_HIT', name: 'Chidi Okafor' }]);
    await importList(money.deps, { ...LIST, mode: 'LIVE', open: csv('Ngozi Bello,,,') });
    expect(await pay('OKAFOR CHIDI')).toBe('CREDITED');
    expect(await pay('NGOZI BELLO')).toBe('HELD');
    await importList(money.deps, { ...LIST, mode: 'LIVE', open: csv('Nobody At All,,,') });
  });

  it('of the other mode alone has its payment credited', async () => {
    await importList(money.deps, { ...LIST, mode: 'SANDBOX', open: csv('Sadiq Umar,,,') });
    const payee = await money.payee();
    const { accountNumber } = payee;
    const hint = money.script.receive({ accountNumber, amountMinor: 50_00n, payerName: 'SADIQ UMAR' });
    expect(await money.takeWebhook(hint)).toEqual(['CREDITED']);
  });

  it('is asked about again where the lists cannot be read, and nothing of the money is lost', async () => {
    const payee = await money.payee();
    const hint = money.script.receive({ accountNumber: payee.accountNumber, amountMinor: 50_00n });
    await money.database.pool.query('alter table screening_lists rename to screening_lists_away');
    money.clock.advance(10_000);
    await expect(money.takeWebhook(hint)).rejects.toMatchObject({ kind: 'unavailable' });
    await money.database.pool.query('alter table screening_lists_away rename to screening_lists');
    expect(await money.paymentsOf(payee)).toEqual([]);
    expect(await payee.balance()).toBe(0n);
    money.clock.advance(10_000);
    expect((await money.takeWebhook(hint))[0]).toBe('CREDITED');
    expect(await payee.balance()).toBe(50_00n);
  });
});

describe('a payee on a list', () => {
  it('waits for two people, and goes once when they release it', async () => {
    const ada = await addPerson(payouts, { kind: 'OPERATOR', email: 'ada@manilla.example' });
    const bola = await addPerson(payouts, { kind: 'OPERATOR', email: 'bola@manilla.example' });
    await importList(deps, { ...LIST, mode: 'SANDBOX', open: csv('Somebody Listed,,2700000001,058') });
    const merchant = await payouts.addMerchant();
    const other = await payouts.addMerchant();
    const pay = (on: typeof merchant, accountNumber: string) =>
      on.call('POST', '/payout/single', payment({ accountNumber }));
    await Promise.all([pay(merchant, '2700000001'), pay(merchant, '2700000002'), pay(other, '2700000003')]);
    await untilQuiet(payouts);
    expect(await executed(payouts, merchant.tenant)).toHaveLength(1);
    expect(await executed(payouts, other.tenant)).toHaveLength(1);
    const { rows } = await payouts.database.pool.query(
      `select id, reason, status from compliance_cases where merchant_id = $1`,
      [merchant.merchantId],
    );
    expect(rows).toMatchObject([{ reason: 'SCREENING_HIT', status: 'OPEN' }]);
    const about = { tenant: merchant.tenant, caseId: rows[0].id, note: 'Another person of that name, by its BVN' };
    const proposed = await proposeRelease(deps, { ...about, personId: ada });
    await expect(confirmCompliance(deps, { ...proposed, personId: ada })).rejects.toMatchObject({
      code: 'SECOND_PERSON_NEEDED',
    });
    await confirmCompliance(deps, { ...proposed, personId: bola });
    await untilQuiet(payouts);
    expect(await executed(payouts, merchant.tenant)).toHaveLength(2);
  });

  it('whose case has ended meanwhile is not released, and what was proposed stays to be decided', async () => {
    const ada = await addPerson(payouts, { kind: 'OPERATOR', email: 'ada.o@manilla.example' });
    const bola = await addPerson(payouts, { kind: 'OPERATOR', email: 'bola.o@manilla.example' });
    await importList(deps, { ...LIST, mode: 'SANDBOX', open: csv('Somebody Else,,2700000021,058') });
    const merchant = await payouts.addMerchant();
    await merchant.call('POST', '/payout/single', payment({ accountNumber: '2700000021' }));
    await untilQuiet(payouts);
    const cases = 'from compliance_cases where merchant_id = $1';
    const { rows } = await payouts.database.pool.query(`select id ${cases}`, [merchant.merchantId]);
    const about = { tenant: merchant.tenant, caseId: rows[0].id, note: 'Another person of that name' };
    const proposed = await proposeRelease(deps, { ...about, personId: ada });
    // As where its payout came to an end in another way.
    const end = `update compliance_cases set status = 'REFUSED', decided_at = updated_at where merchant_id = $1`;
    await payouts.database.pool.query(end, [merchant.merchantId]);
    const confirmed = confirmCompliance(deps, { ...proposed, personId: bola });
    await expect(confirmed).rejects.toMatchObject({ code: 'COMPLIANCE_CASE_NOT_RELEASABLE' });
    const after = await payouts.database.pool.query(
      `select status, (select status from compliance_proposals where id = $2) as proposal ${cases}`,
      [merchant.merchantId, proposed.proposalId],
    );
    expect(after.rows).toEqual([{ status: 'REFUSED', proposal: 'PENDING' }]);
    await untilQuiet(payouts);
    expect(await executed(payouts, merchant.tenant)).toHaveLength(0);
    await payouts.database.pool.query(end.replace('REFUSED', 'OPEN').replace('updated_at', 'null'), [
      merchant.merchantId,
    ]);
  });

  it('has its name compared before its row is locked', async () => {
    const merchant = await payouts.addMerchant();
    await merchant.call('POST', '/payout/single', payment({ accountNumber: '2700000005' }));
    const seen: string[] = [];
    const guard: typeof deps.payoutGuard = {
      ...deps.payoutGuard,
      async lookAhead(mode, listNames) {
        seen.push(...(await listNames()));
        await deps.payoutGuard.lookAhead(mode, listNames);
      },
      async prepare() {
        const hold = await deps.payoutGuard.prepare();
        return (tx, found, at) => {
          seen.push('locked', ...found.map((payout) => payout.beneficiary_account_name));
          return hold(tx, found, at);
        };
      },
    };
    const leased = await leasePayouts({ ...deps, payoutGuard: guard }, merchant.tenant, 10);
    const names = leased.map((one) => one.payout.beneficiary_account_name);
    expect(names).toHaveLength(1);
    expect(seen).toEqual([...names, 'locked', ...names]);
  });

  it('is not sent while the lists cannot be read, and goes by itself once they can', async () => {
    const merchant = await payouts.addMerchant();
    await merchant.call('POST', '/payout/single', payment({ accountNumber: '2700000009' }));
    const silent = { ...deps, logger: createLogger('silent') };
    await payouts.database.pool.query('alter table screening_lists rename to screening_lists_away');
    payouts.clock.advance(10_000);
    expect(
      (await createScreening(silent).screen('LIVE', { name: 'A B', accountNumber: null, bankCode: null })).outcome,
    ).toBe('UNKNOWN');
    await payouts.worker.runOnce();
    await payouts.database.pool.query('alter table screening_lists_away rename to screening_lists');
    expect(await executed(payouts, merchant.tenant)).toEqual([]);
    await untilQuiet(payouts);
    expect(await executed(payouts, merchant.tenant)).toHaveLength(1);
  });
});
