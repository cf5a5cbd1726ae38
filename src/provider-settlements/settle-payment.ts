import {
  commitForPayment,
  type InboundPaymentRow,
  inboundPaymentView,
  inboundStates,
  paymentChanged,
  paymentToWallet,
  readCreditTerms,
  releaseParts,
  storedPayment,
  termsColumns,
  unchangedPayment,
  updatePaymentsAttributed,
} from '../collections/index.ts';
import { joinParts, type Movement, type MovementParts, type TransferDraft } from '../ledger/index.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import { tenantOf } from '../platform/tenant.ts';
import { isPosted } from './classify-line.ts';
import { comparedOf } from './compare-lines.ts';
import type { ProviderSettlementDeps } from './deps.ts';
import {
  insertCollectionSettlements,
  listPaymentsToSettle,
  type ProviderLineRow,
  type ProviderSettlementRow,
  type SettledPayment,
  updateLinesCompared,
} from './queries.ts';
import { collectionSettlementView } from './views.ts';

/** A payment is taken once under this key, however often its line is applied. */
const SETTLED = 'COLLECTION_SETTLEMENT';

/**
 * Posts one line that agrees: one movement of the merchant's books. What the provider owed is in the float, less its fee,
 * which is cost; and a payment that waited for it is released to its wallet, from which the operator's fee is taken by the
 * rule in force now. Where the payment is something else than it was, the line says so and nothing moves.
 * @param known the payment as it was read for this attempt
 * @returns whether this call posted it.
 */
export function settlePayment(
  deps: ProviderSettlementDeps,
  settlement: ProviderSettlementRow,
  line: ProviderLineRow,
  known: SettledPayment | undefined,
): Promise<boolean> {
  let next: SettledPayment | undefined = known;
  const decide = async (isLast: boolean) => {
    const payment = next ?? (await readPayment(deps, settlement, line));
    next = undefined;
    if (payment?.settled_line_id === line.id || (await differs(deps, settlement, line, payment))) return undefined;
    if (payment === undefined) throw new Error(`the payment of line ${line.id} is gone`);
    return movementOf(deps, { settlement, line, payment, isLast });
  };
  return commitForPayment(deps.ledger.commit, decide);
}

async function readPayment(
  { database }: ProviderSettlementDeps,
  { mode }: ProviderSettlementRow,
  line: ProviderLineRow,
): Promise<SettledPayment | undefined> {
  const [payment] = await database.query(listPaymentsToSettle, [[line.merchant_id], mode, [line.payment_id]]);
  return payment;
}

const FROZEN =
  'a freeze holds our payment, which waits for its settlement: apply the settlement again once it is lifted';

/** Whether the payment is no longer what the line says, or may not reach its wallet; then the line says that. */
async function differs(
  { database, compliance }: ProviderSettlementDeps,
  settlement: ProviderSettlementRow,
  line: ProviderLineRow,
  payment: SettledPayment | undefined,
): Promise<boolean> {
  const compared = comparedOf(settlement, line, payment);
  const waits = payment?.status === 'PENDING_SETTLEMENT';
  const isFrozen = isPosted(compared.result) && waits && (await compliance.isPaymentFrozen(payment));
  if (isPosted(compared.result) && !isFrozen) return false;
  const held = isFrozen ? ({ result: 'STATUS_DIFFERS', detail: FROZEN } as const) : {};
  await database.run(updateLinesCompared, [write(updateLinesCompared, { ...compared, ...held }).row]);
  return true;
}

interface Settling {
  settlement: ProviderSettlementRow;
  line: ProviderLineRow;
  payment: SettledPayment;
  isLast: boolean;
}

async function movementOf(
  deps: ProviderSettlementDeps,
  { settlement, line, payment, isLast }: Settling,
): Promise<Movement> {
  const id = newId();
  const at = deps.clock.now();
  const feeMinor = line.fee_minor ?? 0n;
  const settled = {
    merchant_id: payment.merchant_id,
    mode: payment.mode,
    payment_id: payment.id,
    id,
    settlement_id: settlement.id,
    line_id: line.id,
    gross_minor: payment.amount_minor,
    fee_minor: feeMinor,
    settled_at: at,
  };
  const released = payment.status === 'PENDING_SETTLEMENT' ? await releaseOf(deps, payment, { isLast, at }) : {};
  const event = {
    id: newId(),
    type: 'collection.settled',
    subjectId: id,
    data: jsonOf(collectionSettlementView(settled)),
  };
  return {
    tenant: tenantOf(payment),
    id,
    occurredAt: at.toISOString(),
    ...joinParts(
      unchangedPayment(payment, { isSettled: false }),
      {
        uniqueKeys: [{ scope: SETTLED, value: payment.id, refusal: paymentChanged }],
        transfers: await settlingTransfers(deps, payment, feeMinor),
        writes: [write(insertCollectionSettlements, settled)],
        events: [event],
      },
      released,
    ),
    answer: { message: 'The payment is settled' },
  };
}

/** What the provider owed, to the float; what it kept, to its cost. */
async function settlingTransfers(
  deps: ProviderSettlementDeps,
  payment: InboundPaymentRow,
  feeMinor: bigint,
): Promise<TransferDraft[]> {
  const tenant = tenantOf(payment);
  const { providerFloat } = await deps.wallets.requireTenantAccounts(tenant);
  const parts = [
    { amountMinor: payment.amount_minor - feeMinor, debitAccountId: providerFloat, code: 'COLLECTION_SETTLEMENT' },
    ...(feeMinor === 0n
      ? []
      : [
          {
            amountMinor: feeMinor,
            debitAccountId: await deps.collectionAccounts.providerCost(tenant),
            code: 'PROVIDER_FEE' as const,
          },
        ]),
  ] as const;
  return parts
    .filter(({ amountMinor }) => amountMinor > 0n)
    .map((part) => ({ kind: 'POSTED', id: newId(), creditAccountId: payment.receivable_id, ...part }));
}

/** The way of a payment that waited for its settlement to its wallet, as the transaction that it is from now on. */
async function releaseOf(
  deps: ProviderSettlementDeps,
  payment: InboundPaymentRow,
  { isLast, at }: { isLast: boolean; at: Date },
): Promise<MovementParts> {
  const tenant = tenantOf(payment);
  const walletId = payment.attributed_wallet_id ?? payment.wallet_id;
  const { amount_minor: amountMinor, channel } = payment;
  const [wallet, accounts, terms, debitAccountId] = await Promise.all([
    deps.wallets.findWallet(tenant, walletId),
    deps.wallets.requireTenantAccounts(tenant),
    readCreditTerms(deps, { tenant, amountMinor, channel, at }),
    deps.collectionAccounts.pending(tenant),
  ]);
  if (wallet === undefined) throw new Error(`${walletId} is no wallet`);
  const {
    transfers = [],
    writes,
    events,
  } = paymentToWallet({
    ...storedPayment(tenant, payment),
    wallet,
    accounts,
    ...terms,
    debitAccountId,
    at,
  });
  const taken = termsColumns(terms);
  const netMinor = amountMinor - taken.fee_minor - taken.vat_minor - taken.reserve_minor;
  const release = { paymentId: payment.id, walletId, netMinor, isLast, at };
  const atRelease = await releaseParts(deps.releaseHooks, tenant, release);
  const credited: InboundPaymentRow = { ...payment, ...taken, status: 'CREDITED', updated_at: at };
  const key = { merchant_id: payment.merchant_id, mode: payment.mode, id: payment.id };
  const transition = {
    machine: inboundStates,
    id: payment.id,
    from: ['PENDING_SETTLEMENT'],
    to: 'CREDITED',
    // What is odd about it stays said.
    reason: payment.reason,
    refusal: paymentChanged,
  };
  const data = jsonOf(inboundPaymentView(credited));
  return joinParts(
    {
      transitions: [transition],
      transfers: transfers.map((transfer) => ({ ...transfer, transactionId: payment.id })),
      writes: [
        ...(writes ?? []),
        write(updatePaymentsAttributed, { ...key, wallet_id: payment.attributed_wallet_id, ...taken }),
      ],
      events: [...(events ?? []), { id: newId(), type: 'inbound_payment.credited', subjectId: payment.id, data }],
    },
    atRelease,
  );
}
