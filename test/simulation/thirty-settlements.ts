import { decimalText } from '../../src/money/index.ts';
import { lagosDay, startOfLagosDay } from '../../src/platform/clock.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import {
  applyProviderSettlement,
  importProviderSettlement,
  pollSettlements,
  recordFetchedSettlements,
} from '../../src/provider-settlements/index.ts';
import type { SettlementLine } from '../../src/rails/settlements.ts';
import { csvOf, PROVIDER_FEE } from '../provider-settlements/fixture.ts';
import { openText } from '../reconciliation/files.ts';
import type { Dice } from './mortal.ts';
import { isRefunded } from './scripted-refunds.ts';
import { DAY_MS, MINUTE_MS, MODE, type ThirtyWorld } from './thirty-world.ts';

type Provider = ThirtyWorld['providers'][number];

/** What providers know: payments, disputes and what they did wrong, kobo by provider account. */
export interface ProvidersBooks {
  payments: {
    provider: Provider;
    tenant: Tenant;
    id: string;
    amountMinor: bigint;
    day: string;
    fate: 'REFUND' | 'DISPUTE' | 'NEVER_SETTLED' | null;
    isSettled: boolean;
  }[];
  disputes: {
    provider: Provider;
    tenant: Tenant;
    id: string;
    amountMinor: bigint;
    end: 'won' | 'lost' | 'accepted' | null;
    endedOn: string | null;
    isNetted: boolean;
  }[];
  settlements: number;
  nettedTwice: Map<string, bigint>;
  neverSettled: Map<string, bigint>;
}

/** From this day on one payment is left out, and one chargeback is taken again. */
const BAD_DAY = 8;
const netted = new WeakSet<object>();

/** Whether providers took all that they paid back. */
export const areRefundsNetted = ({ refunds }: Pick<Provider, 'refunds'>): boolean =>
  [...refunds.made.values()].every((made) => netted.has(made) || !isRefunded(made));

/** Each provider settles what came before today, less what went back, and people apply it, some of them twice. */
export async function settleAtProviders(
  world: ThirtyWorld,
  dice: Dice,
  books: ProvidersBooks,
  { deaths, isLast }: { deaths: number; isLast: boolean },
): Promise<void> {
  const today = lagosDay(world.clock.now());
  for (const provider of world.providers) {
    const lines = linesOf(world, dice, books, { provider, today, isLast });
    const lumpMinor = lines.reduce((sum, { netMinor }) => sum + (netMinor ?? 0n), 0n);
    if (lines.length === 0) continue;
    provider.lumps += lumpMinor;
    books.settlements += 1;
    const reference = `S-${provider.name}-${today}`;
    const id = provider.isFetched
      ? await fetched(world, provider, { reference, lumpMinor, lines, deaths })
      : await imported(world, provider, { reference, lumpMinor, lines });
    const apply = { settlementId: id, personId: world.people.bola, note: null, limit: 1_000_000 };
    await world.risky(3 * deaths, (by) => applyProviderSettlement(by, apply));
    await applyProviderSettlement(world.deps, apply);
  }
}

const naira = (minor: bigint | null) => decimalText(minor ?? 0n);

async function imported(
  world: ThirtyWorld,
  { name }: Provider,
  { reference, lumpMinor, lines }: { reference: string; lumpMinor: bigint; lines: SettlementLine[] },
): Promise<string> {
  const today = lagosDay(world.clock.now());
  const text = csvOf(
    lines.map(({ kind, providerTransactionId, grossMinor, feeMinor, netMinor }) => ({
      id: providerTransactionId,
      gross: naira(grossMinor),
      fee: naira(feeMinor),
      net: naira(netMinor),
      type: { PAYMENT: '', REFUND: 'refund', DISPUTE: 'chargeback', OTHER: 'deduction' }[kind],
    })),
  );
  return importProviderSettlement(world.deps, {
    rail: name,
    mode: MODE,
    reference,
    lumpMinor,
    settledOn: today,
    cutOff: new Date(startOfLagosDay(today).getTime() - 2 * DAY_MS),
    fileName: `${reference}.csv`,
    open: openText(text),
    importedBy: 'ada@manilla.example',
  });
}

/** It is on the provider's list, and workers read it, though some of them die. */
async function fetched(
  world: ThirtyWorld,
  { name, told }: Provider,
  given: { reference: string; lumpMinor: bigint; lines: SettlementLine[]; deaths: number },
): Promise<string> {
  const { reference, lumpMinor, lines, deaths } = given;
  const settledOn = lagosDay(world.clock.now());
  const settlement = { reference, status: 'SETTLED', mode: MODE, currency: 'NGN', lumpMinor, settledOn } as const;
  told.set(reference, { settlement, lines });
  for (let tries = 0; tries < 8; tries += 1) {
    const share = tries === 0 ? 2 * deaths : 0;
    await world.risky(share, (by) => pollSettlements(by, MODE));
    await world.risky(share, (by) => recordFetchedSettlements(by, MODE));
    const [row] = await world.rows<{ id: string }>(
      `select id from provider_settlements where rail = $1 and reference = $2 and status = 'READY'`,
      [name, reference],
    );
    if (row !== undefined) return row.id;
    world.clock.advance(6 * MINUTE_MS);
  }
  throw new Error(`${reference} was not fetched`);
}

function linesOf(
  world: ThirtyWorld,
  dice: Dice,
  books: ProvidersBooks,
  { provider, today, isLast }: { provider: Provider; today: string; isLast: boolean },
): SettlementLine[] {
  const { name, refunds, isFetched } = provider;
  const lines: SettlementLine[] = [];
  const line = (kind: SettlementLine['kind'], id: string, grossMinor: bigint, feeMinor: bigint) => {
    lines.push({
      kind,
      providerTransactionId: id,
      reference: null,
      grossMinor,
      feeMinor,
      netMinor: grossMinor - feeMinor,
      currency: 'NGN',
      mode: null,
      occurredAt: null,
    });
  };
  const isBad = !isFetched && books.settlements > BAD_DAY * world.providers.length;
  for (const payment of books.payments) {
    if (payment.provider !== provider || payment.isSettled || payment.day >= today) continue;
    payment.isSettled = true;
    if (isBad && payment.fate === null && !books.neverSettled.has(name)) {
      // Nothing of it goes back later: what is left of the receivable is all of it.
      payment.fate = 'NEVER_SETTLED';
      books.neverSettled.set(name, payment.amountMinor);
      continue;
    }
    line('PAYMENT', payment.id, payment.amountMinor, PROVIDER_FEE + (dice.chance(0.04) ? 50n : 0n));
  }
  let left = lines.reduce((sum, { netMinor }) => sum + (netMinor ?? 0n), 0n);
  const take = (kind: 'REFUND' | 'DISPUTE', id: string, amountMinor: bigint): boolean => {
    // What is more than it has to pay is taken another day.
    if (amountMinor > left) return false;
    left -= amountMinor;
    line(kind, id, -amountMinor, 0n);
    return true;
  };
  for (const made of refunds.made.values()) {
    if (!isRefunded(made) || netted.has(made) || made.day >= today) continue;
    if (take('REFUND', `r${made.order.reference}`, made.order.amountMinor)) netted.add(made);
  }
  for (const dispute of books.disputes) {
    const { id, amountMinor, end, endedOn } = dispute;
    if (dispute.provider !== provider || end === null || end === 'won' || endedOn === null || endedOn >= today)
      continue;
    if (!dispute.isNetted) dispute.isNetted = take('DISPUTE', id, amountMinor);
    else if (isBad && !isLast && !books.nettedTwice.has(name) && take('DISPUTE', id, amountMinor)) {
      books.nettedTwice.set(name, amountMinor);
    }
  }
  return lines;
}
