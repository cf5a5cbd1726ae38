import { takeCreditWebhook } from '../../src/collections/index.ts';
import type { Container } from '../../src/container.ts';
import { lagosDay } from '../../src/platform/clock.ts';
import { AppError } from '../../src/platform/errors.ts';
import { newId } from '../../src/platform/ids.ts';
import type { ConfirmedCredit } from '../../src/rails/index.ts';
import { requestRefund } from '../../src/refunds/request-refund.ts';
import { creditSubaccount } from '../../src/subaccounts/move-subaccount-money.ts';
import { createSubaccount } from '../../src/subaccounts/subaccount.ts';
import { webhookOf } from '../collections/fixture.ts';
import type { Dice } from './mortal.ts';
import type { ProvidersBooks } from './thirty-settlements.ts';
import type { ThirtyWorld } from './thirty-world.ts';

/** What happened, for the figures. */
export interface Tally {
  payments: number;
  refunds: number;
  refused: number;
  disputes: number;
}

export interface Playing {
  world: ThirtyWorld;
  dice: Dice;
  books: ProvidersBooks;
  tally: Tally;
  /** The part of the work that dies. */
  deaths: number;
  /** Then nothing of it goes back. */
  isLast: boolean;
  hear(provider: ThirtyWorld['providers'][number], providerDisputeId: string): Promise<void>;
}

/** Somebody pays, and of what was paid before something goes back. */
export async function playDay(playing: Playing, payments: number): Promise<void> {
  const { world, dice, books, tally, isLast } = playing;
  for (let at = 0; at < payments; at += 1) {
    await pay(playing, dice.oneOf(world.merchants));
    tally.payments += 1;
  }
  for (let at = 0; at < payments; at += 1) {
    if (isLast || books.payments.length === 0) return;
    // One of the newest or any.
    const payment = dice.chance(0.7)
      ? books.payments.at(-1 - dice.below(Math.min(8, books.payments.length)))
      : dice.oneOf(books.payments);
    if (payment === undefined || payment.fate !== null) continue;
    if (dice.chance(0.25)) await refund(playing, payment);
    else if (dice.chance(0.2)) await dispute(playing, payment);
  }
}

async function pay(
  { world, dice, books, deaths }: Playing,
  { provider, accountNumber, tenant }: ThirtyWorld['merchants'][number],
): Promise<void> {
  const isCard = dice.chance(0.4);
  const card: Partial<ConfirmedCredit> = { channel: 'CARD', payerAccountNumber: null, payerBankName: null };
  const amountMinor = BigInt(2_000_00 + dice.below(20_000_00));
  const given = isCard ? card : ({ channel: 'BANK_TRANSFER' } as const);
  const hint = provider.script.receive({ ...given, accountNumber, amountMinor });
  const id = hint.providerTransactionId ?? '';
  books.payments.push({
    provider,
    tenant,
    id,
    amountMinor,
    day: lagosDay(world.clock.now()),
    fate: null,
    isSettled: false,
  });
  // Some are never reported: the list has them.
  if (dice.chance(0.15)) return;
  const rail = await world.creditRailOf(provider);
  await world.risky(deaths, (by) => takeCreditWebhook(by, rail, webhookOf(hint)));
}

type Payment = ProvidersBooks['payments'][number];

async function refund({ world, dice, tally, deaths }: Playing, payment: Payment): Promise<void> {
  const { tenant, id, amountMinor } = payment;
  const [ours] = await world.rows<{ id: string }>(
    'select id from inbound_payments where provider_transaction_id = $1',
    [id],
  );
  if (ours === undefined) return;
  payment.fate = 'REFUND';
  const input = {
    tenant,
    paymentId: ours.id,
    amountMinor: dice.chance(0.5) ? undefined : amountMinor / BigInt(2 + dice.below(3)),
    note: null,
    way: 'PROVIDER' as const,
    reference: null,
    account: undefined,
    cause: 'MERCHANT' as const,
    scenario: null,
    maker: {
      merchantId: tenant.merchantId,
      personId: null,
      name: null,
      via: 'API' as const,
      keyId: null,
      ip: '127.0.0.1',
    },
    allowDuplicate: true,
    idempotency: { key: `refund-${id}`, inputHash: id },
  };
  const ask = (by: Container) => requestRefund(by, input);
  try {
    const done = await world.risky(deaths, ask);
    // Nobody heard: the merchant asks again with the same key.
    if (done === undefined) await ask(world.deps);
    tally.refunds += 1;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INSUFFICIENT_FUNDS') throw error;
    tally.refused += 1;
  }
}

async function dispute({ world, dice, books, tally, hear }: Playing, payment: Payment): Promise<void> {
  const { provider, tenant, id, amountMinor } = payment;
  payment.fate = 'DISPUTE';
  const part = dice.chance(0.7) ? amountMinor : amountMinor / 2n;
  const { providerDisputeId } = provider.script.disputes.open({
    providerTransactionId: id,
    amountMinor: part,
    openedAt: world.clock.now(),
  });
  books.disputes.push({
    provider,
    tenant,
    id: providerDisputeId,
    amountMinor: part,
    end: null,
    endedOn: null,
    isNetted: false,
  });
  tally.disputes += 1;
  if (dice.chance(0.4)) await spend(world, payment);
  if (dice.chance(0.6)) await hear(provider, providerDisputeId);
}

/** The merchant has nothing left when it is heard that a dispute began, or how it ended. */
export async function spend({ deps }: ThirtyWorld, { tenant }: Pick<Payment, 'tenant'>): Promise<void> {
  const { wallet } = await deps.wallets.requireTenantAccounts(tenant);
  const { availableMinor: amountMinor } = await deps.ledger.readBalance(tenant, wallet.id);
  if (amountMinor <= 0n) return;
  const at = { tenant, idempotency: undefined };
  const { answer } = await createSubaccount(deps, { ...at, name: `Spent ${newId()}`, merchantName: 'Adire' });
  const { subaccountId } = JSON.parse(answer.body).data;
  await creditSubaccount(deps, { ...at, subaccountId, amountMinor, narration: null, metadata: null });
}
