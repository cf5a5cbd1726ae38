import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { takeCreditWebhook } from '../../src/collections/index.ts';
import type { Container } from '../../src/container.ts';
import { confirmDisputeProposal, proposeDisputeEnd } from '../../src/dispute-proposals/index.ts';
import { findDisputeRail, takeFreed } from '../../src/disputes/index.ts';
import { takeDispute } from '../../src/disputes/take-dispute.ts';
import { newId } from '../../src/platform/ids.ts';
import {
  acceptProviderLine,
  applyProviderSettlement,
  importProviderSettlement,
  resumeSettlements,
} from '../../src/provider-settlements/index.ts';
import { sendDueRefunds } from '../../src/refunds/index.ts';
import { requestRefund } from '../../src/refunds/request-refund.ts';
import { webhookOf } from '../collections/fixture.ts';
import { openText } from '../reconciliation/files.ts';
import { mortal, seeded } from '../simulation/mortal.ts';
import type { RefundFate } from '../simulation/scripted-refunds.ts';
import { createThirtyWorld, DAY_MS, HOUR_MS, MINUTE_MS, MODE, type ThirtyWorld } from '../simulation/thirty-world.ts';
import { brokenChecks } from '../support/proof.ts';
import { csvOf, PROVIDER_FEE } from './fixture.ts';

type Merchant = ThirtyWorld['merchants'][number];
const PAID = 400_00n;
const NOTE = 'Their mail of 20 November says why';

let world: ThirtyWorld;
beforeAll(async () => {
  world = await createThirtyWorld(seeded(7), { merchantsEach: 1 });
});
afterEach(async () => {
  expect(await brokenChecks(world.database)).toEqual([]);
});
afterAll(() => world?.close());

/** Somebody pays, and the provider says so. @returns its number of the payment */
async function pay({ provider, accountNumber }: Merchant): Promise<string> {
  const hint = provider.script.receive({ accountNumber, amountMinor: PAID, channel: 'BANK_TRANSFER' });
  await takeCreditWebhook(world.deps, await world.creditRailOf(provider), webhookOf(hint));
  return hint.providerTransactionId ?? '';
}

/** Of the payment `id`, whose line it has too; what the provider took for it. */
async function settled({ provider }: Merchant, id: string, taken: { id: string; type: string }): Promise<string> {
  const gross = `-${PAID / 100n}`;
  const lines = [
    { id, gross: `${PAID / 100n}`, fee: `${Number(PROVIDER_FEE) / 100}` },
    { ...taken, gross, fee: '0' },
  ];
  const settlementId = await importProviderSettlement(world.deps, {
    rail: provider.name,
    mode: MODE,
    reference: `S-${newId()}`,
    lumpMinor: 0n,
    settledOn: '2026-11-20',
    cutOff: null,
    fileName: 'settlement.csv',
    open: openText(csvOf(lines)),
    importedBy: 'ada@manilla.example',
  });
  await apply(settlementId);
  return settlementId;
}

const apply = (settlementId: string, by: Container = world.deps) =>
  applyProviderSettlement(by, { settlementId, personId: world.people.bola, note: NOTE, limit: 1_000 });
const resume = (by: Container = world.deps) => resumeSettlements(by, MODE);

/** What came of the deduction, and what the provider owes by the books of the merchant. */
async function standing({ tenant }: Merchant, settlementId: string) {
  const [row] = await world.rows<{
    result: string;
    detail: string | null;
    owed: string;
    posted: number;
    status: string;
  }>(
    `select l.result, l.detail, f.status,
            (select count(*)::int from deduction_settlements where settlement_id = $2) as posted,
            (select sum(debits_posted_minor - credits_posted_minor)::text from accounts
              where merchant_id = $1 and kind = 'COLLECTION_RECEIVABLE') as owed
       from provider_settlement_lines l join provider_settlements f on f.id = l.settlement_id
      where l.settlement_id = $2 and l.deduction is not null`,
    [tenant.merchantId, settlementId],
  );
  if (row === undefined) throw new Error('the settlement takes nothing');
  return { ...row, owed: BigInt(row.owed) };
}

const hear = async ({ provider }: Merchant, providerDisputeId: string) => {
  const rail = await findDisputeRail(world.deps.rails, MODE, provider.name);
  if (rail === undefined) throw new Error('the provider has no disputes');
  await takeDispute(world.deps, rail, { providerDisputeId }, { source: 'WEBHOOK' });
};
const end = async (merchant: Merchant, providerDisputeId: string, state: 'won' | 'lost') => {
  merchant.provider.script.disputes.end(providerDisputeId, state);
  await hear(merchant, providerDisputeId);
};

/** Asked for, and sent to the provider. */
async function refund({ tenant, provider }: Merchant, id: string, fate: RefundFate): Promise<void> {
  const [payment] = await world.rows<{ id: string }>(
    'select id from inbound_payments where provider_transaction_id = $1',
    [id],
  );
  provider.refunds.nextFates.push(fate);
  await requestRefund(world.deps, {
    tenant,
    paymentId: payment?.id ?? '',
    amountMinor: undefined,
    note: null,
    way: 'PROVIDER',
    reference: null,
    account: undefined,
    cause: 'MERCHANT',
    scenario: null,
    maker: { merchantId: tenant.merchantId, personId: null, name: null, via: 'API', keyId: null, ip: '127.0.0.1' },
    allowDuplicate: true,
    idempotency: undefined,
  });
  await sendDueRefunds(world.deps, MODE);
}

/** Whatever the provider says of refunds later is heard. */
async function workOnRefunds(): Promise<void> {
  for (let hour = 0; hour < 5; hour += 1) {
    world.clock.advance(HOUR_MS);
    await sendDueRefunds(world.deps, MODE);
  }
}

/** Its payer disputes it, and that is heard. @returns the provider's number of the dispute */
async function dispute(merchant: Merchant, id: string): Promise<string> {
  const { providerDisputeId } = merchant.provider.script.disputes.open({
    providerTransactionId: id,
    amountMinor: PAID,
    openedAt: world.clock.now(),
  });
  await hear(merchant, providerDisputeId);
  return providerDisputeId;
}

/** A payment whose dispute the provider took from a settlement while it ran here. */
async function takenEarly(merchant: Merchant) {
  const id = await pay(merchant);
  const providerDisputeId = await dispute(merchant, id);
  const settlementId = await settled(merchant, id, { id: providerDisputeId, type: 'chargeback' });
  expect(await standing(merchant, settlementId)).toMatchObject({ result: 'STATUS_DIFFERS', posted: 0, status: 'DONE' });
  return { providerDisputeId, settlementId };
}

const merchantAt = (at: number): Merchant => {
  const merchant = world.merchants[at];
  if (merchant === undefined) throw new Error(`no merchant ${at}`);
  return merchant;
};

/** As it has to be in the end. */
const POSTED = { result: 'DEDUCTION_MATCHED', posted: 1, status: 'DONE', owed: 0n };

describe('what a provider took before its end was heard', () => {
  it('is posted once the dispute is lost, by a job that nobody has to remember, and the provider owes nothing', async () => {
    const merchant = merchantAt(0);
    const { providerDisputeId, settlementId } = await takenEarly(merchant);
    expect(await resume()).toBe(0);
    expect(await standing(merchant, settlementId)).toMatchObject({ result: 'STATUS_DIFFERS', owed: 0n });
    await end(merchant, providerDisputeId, 'lost');
    expect(await standing(merchant, settlementId)).toMatchObject({ posted: 0, owed: -PAID });
    expect(await resume()).toBe(1);
    expect(await standing(merchant, settlementId)).toMatchObject(POSTED);
    expect(await resume()).toBe(0);
    expect(await apply(settlementId)).toEqual({ posted: 0, isDone: true });
    expect(await standing(merchant, settlementId)).toMatchObject(POSTED);
  });

  it('is posted once, even when the settlement is applied again, by the job and by others at once', async () => {
    const merchant = merchantAt(0);
    const { providerDisputeId, settlementId } = await takenEarly(merchant);
    await end(merchant, providerDisputeId, 'lost');
    const done = await Promise.all([
      resume(),
      apply(settlementId).then(({ posted }) => posted),
      resume(),
      apply(settlementId).then(({ posted }) => posted),
    ]);
    expect(done.reduce((sum, posted) => sum + posted, 0)).toBe(1);
    expect(await standing(merchant, settlementId)).toMatchObject(POSTED);
  });

  it('is posted once the refund was made', async () => {
    const merchant = merchantAt(1);
    const { provider } = merchant;
    const id = await pay(merchant);
    await refund(merchant, id, 'later');
    const [made] = [...provider.refunds.made.values()].slice(-1);
    const settlementId = await settled(merchant, id, { id: `r${made?.order.reference}`, type: 'refund' });
    expect(await standing(merchant, settlementId)).toMatchObject({
      result: 'STATUS_DIFFERS',
      detail: 'The provider has not said yet that the refund was made.',
      posted: 0,
    });
    expect(await resume()).toBe(0);
    await workOnRefunds();
    expect(await standing(merchant, settlementId)).toMatchObject({ owed: -PAID });
    expect(await resume()).toBe(1);
    expect(await standing(merchant, settlementId)).toMatchObject(POSTED);
  });

  it('is posted once a lost dispute took all of it, where a refund that came to nothing had left it less before', async () => {
    const merchant = merchantAt(1);
    const id = await pay(merchant);
    await refund(merchant, id, 'fails later');
    const providerDisputeId = await dispute(merchant, id);
    await end(merchant, providerDisputeId, 'lost');
    const settlementId = await settled(merchant, id, { id: providerDisputeId, type: 'chargeback' });
    expect(await resume()).toBe(0);
    expect(await standing(merchant, settlementId)).toMatchObject({ result: 'AMOUNT_DIFFERS', posted: 0, owed: 0n });
    await workOnRefunds();
    expect(await takeFreed(world.deps, MODE)).toBe(1);
    expect(await standing(merchant, settlementId)).toMatchObject({ posted: 0, owed: -PAID });
    expect(await resume()).toBe(1);
    expect(await standing(merchant, settlementId)).toMatchObject(POSTED);
    expect(await resume()).toBe(0);
  });

  it('of a dispute that was won stays named, says that it was won, and is looked at no more', async () => {
    const merchant = merchantAt(2);
    const { providerDisputeId, settlementId } = await takenEarly(merchant);
    await end(merchant, providerDisputeId, 'won');
    expect(await resume()).toBe(0);
    const named = { result: 'STATUS_DIFFERS', detail: 'The dispute was won.', posted: 0, status: 'DONE', owed: 0n };
    expect(await standing(merchant, settlementId)).toMatchObject(named);
    const before = await world.rows('select updated_at from provider_settlements where id = $1', [settlementId]);
    world.clock.advance(MINUTE_MS);
    expect(await resume()).toBe(0);
    expect(await world.rows('select updated_at from provider_settlements where id = $1', [settlementId])).toEqual(
      before,
    );
    expect(await apply(settlementId)).toEqual({ posted: 0, isDone: true });
    expect(await standing(merchant, settlementId)).toMatchObject(named);
  });

  it('of a dispute that was won is posted where two people say that it was lost after all', async () => {
    const merchant = merchantAt(2);
    const { tenant } = merchant;
    const { providerDisputeId, settlementId } = await takenEarly(merchant);
    await end(merchant, providerDisputeId, 'won');
    expect(await resume()).toBe(0);
    await end(merchant, providerDisputeId, 'lost');
    const find = 'select id from disputes where merchant_id = $1 and provider_dispute_id = $2';
    const [dispute] = await world.rows<{ id: string }>(find, [tenant.merchantId, providerDisputeId]);
    const said = { outcome: 'LOST', source: 'SETTLEMENT_FILE', note: NOTE, personId: world.people.ada } as const;
    const proposed = await proposeDisputeEnd(world.deps, { tenant, disputeId: dispute?.id ?? '', ...said });
    expect(await resume()).toBe(0);
    await confirmDisputeProposal(world.deps, { tenant, ...proposed, personId: world.people.bola });
    expect(await resume()).toBe(1);
    expect(await standing(merchant, settlementId)).toMatchObject(POSTED);
  });

  it('stays as somebody noted it, whatever end is heard later', async () => {
    const merchant = merchantAt(2);
    const { providerDisputeId, settlementId } = await takenEarly(merchant);
    const [line] = await world.rows<{ id: string }>(
      'select id from provider_settlement_lines where settlement_id = $1 and deduction is not null',
      [settlementId],
    );
    await acceptProviderLine(world.deps, {
      settlementId,
      lineId: line?.id ?? '',
      note: NOTE,
      personId: world.people.ada,
    });
    await end(merchant, providerDisputeId, 'lost');
    expect(await resume()).toBe(0);
    expect(await standing(merchant, settlementId)).toMatchObject({ result: 'STATUS_DIFFERS', posted: 0, owed: -PAID });
  });

  it('is posted once by the process that goes on after others died at each of its steps', async () => {
    const merchant = merchantAt(0);
    for (const when of ['BEFORE', 'AFTER'] as const) {
      const { providerDisputeId, settlementId } = await takenEarly(merchant);
      await end(merchant, providerDisputeId, 'lost');
      for (let nth = 1; nth <= 16; nth += 1) {
        const { dying } = mortal(world.deps, nth, when);
        await resume(dying).catch(() => 0);
        world.clock.advance(11 * MINUTE_MS);
      }
      world.clock.advance(DAY_MS);
      await resume();
      expect(await standing(merchant, settlementId), when).toMatchObject(POSTED);
    }
  });
});
