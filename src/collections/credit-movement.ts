import { type CollectionCharges, type Fees, NO_CHARGES } from '../fees/index.ts';
import { joinParts, type Movement, type MovementParts, type TransferDraft } from '../ledger/index.ts';
import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import { cleanedText, firstCharacters } from '../platform/text.ts';
import type { ConfirmedCredit, CreditAnswer, PaymentChannel } from '../rails/index.ts';
import { type FindReserve, keeping, type ReserveToKeep } from '../reserves/index.ts';
import { walletTransfer } from '../transactions/index.ts';
import type { TenantAccounts, Wallet } from '../wallets/index.ts';
import type { CreditEffect, CreditVerdict, FirstStatus } from './deps.ts';
import { creditTaken, sessionIdTaken } from './errors.ts';
import {
  type CreditSource,
  type InboundPaymentRow,
  insertInboundEvidence,
  insertInboundPayments,
  sealEvidence,
} from './queries.ts';
import { inboundPaymentView } from './views.ts';

/** Scope of unique keys: a transfer at a provider account, by the provider's id and by the network's. */
const BY_TRANSACTION = 'COLLECTION_CREDIT';
const BY_SESSION = 'COLLECTION_SESSION';
const MAX_NARRATION = 100;

export interface CreditToBook {
  tenant: Tenant;
  paymentId: string;
  /** The wallet that it was paid to. */
  wallet: Wallet;
  virtualAccountId: string | null;
  customerId: string | null;
  accounts: TenantAccounts;
  receivableId: string;
  rail: string;
  credit: ConfirmedCredit & { accountNumber: string };
  answer: CreditAnswer;
  source: CreditSource;
  /** Why it goes to suspense; null: the merchant may have it. */
  heldBy: string | null;
  /** The guard's verdict: what is written about a held credit, and what the movement of another one has to respect. */
  verdict: CreditVerdict | undefined;
  /** The account in which it waits for its settlement; null: it is available at once. */
  pendingId: string | null;
  /**
   * What the operator takes of it where it goes to the wallet at once; otherwise this is decided when it gets there.
   */
  charges: CollectionCharges;
  /** What is kept in reserve, in the same way; null: nothing. */
  reserve: ReserveToKeep | null;
  /** What else the payment does. */
  effect: CreditEffect | undefined;
  at: Date;
}

/**
 * The movement of one confirmed credit. The gross amount goes from the provider's receivable to one of three accounts:
 * to the wallet, which the operator's fee then leaves; to the account of payments that wait for their settlement; or to
 * suspense, where the merchant may not have it now. One transfer is one payment: its unique keys are taken with it, for
 * ever.
 */
export function creditMovement(booked: CreditToBook): Movement {
  const row = paymentRow(booked);
  const { tenant, rail, credit, at, effect } = booked;
  const uniqueKeys = [
    { scope: BY_TRANSACTION, value: `${rail}/${credit.providerTransactionId}`, refusal: creditTaken },
    ...(credit.sessionId === null
      ? []
      : [{ scope: BY_SESSION, value: `${rail}/${credit.sessionId}`, refusal: sessionIdTaken }]),
  ];
  const writes = [
    write(insertInboundPayments, row),
    write(
      insertInboundEvidence,
      sealEvidence({
        merchant_id: tenant.merchantId,
        mode: tenant.mode,
        payment_id: row.id,
        id: newId(),
        source: booked.source,
        outcome: booked.answer.outcome,
        code: booked.answer.code,
        reported: reportedText(credit),
        received_at: booked.answer.at,
      }),
    ),
  ];
  const event = {
    id: newId(),
    type: EVENTS[statusOf(booked)],
    subjectId: row.id,
    data: jsonOf(inboundPaymentView(row)),
  };
  const { verdict } = booked;
  const payment = POSTINGS[statusOf(booked)](booked);
  const allowed = (booked.heldBy === null && verdict?.parts) || {};
  return {
    ...payment,
    ...joinParts(
      payment,
      { uniqueKeys, writes, events: [event] },
      allowed,
      { writes: verdict?.writes ?? [] },
      effect?.parts ?? {},
    ),
    occurredAt: at.toISOString(),
  };
}

/** The state of a credit when it is booked. */
export function statusOf({ heldBy, pendingId }: Pick<CreditToBook, 'heldBy' | 'pendingId'>): FirstStatus {
  if (heldBy !== null) return 'SUSPENSE';
  return pendingId === null ? 'CREDITED' : 'PENDING_SETTLEMENT';
}

const EVENTS: Record<FirstStatus, string> = {
  CREDITED: 'inbound_payment.credited',
  PENDING_SETTLEMENT: 'inbound_payment.pending',
  SUSPENSE: 'inbound_payment.held',
};

/** The transfers of a credit, by its first state. */
const POSTINGS: Record<FirstStatus, (booked: CreditToBook) => Movement> = {
  CREDITED: toWallet,
  PENDING_SETTLEMENT: ({ pendingId, ...booked }) =>
    toAccount(booked, pendingId ?? '', 'COLLECTION_PENDING', 'Payment pending'),
  SUSPENSE: (booked) => toAccount(booked, booked.accounts.suspense, 'COLLECTION_SUSPENSE', 'Payment held'),
};

function paymentRow(booked: CreditToBook): InboundPaymentRow {
  const { tenant, credit, at } = booked;
  const status = statusOf(booked);
  const isCredited = status === 'CREDITED';
  const { feeMinor, vatMinor } = isCredited ? booked.charges : NO_CHARGES;
  return {
    merchant_id: tenant.merchantId,
    mode: tenant.mode,
    id: booked.paymentId,
    wallet_id: booked.wallet.id,
    virtual_account_id: booked.virtualAccountId,
    rail: booked.rail,
    provider_transaction_id: credit.providerTransactionId,
    provider_reference: credit.providerReference,
    session_id: credit.sessionId,
    account_number: credit.accountNumber,
    amount_minor: credit.amountMinor,
    provider_fee_minor: credit.providerFeeMinor,
    fee_minor: feeMinor,
    vat_minor: vatMinor,
    currency: DEFAULT_CURRENCY,
    status,
    reason: booked.heldBy ?? booked.effect?.note ?? null,
    receivable_id: booked.receivableId,
    attributed_wallet_id: null,
    payer_name: cleaned(credit.payerName),
    payer_account_number: cleaned(credit.payerAccountNumber),
    payer_bank_name: cleaned(credit.payerBankName),
    narration: cleaned(credit.narration),
    paid_at: credit.paidAt,
    confirmed_at: at,
    updated_at: at,
    customer_id: booked.customerId,
    channel: credit.channel ?? null,
    reserve_minor: isCredited ? reserveMinorOf(booked.reserve) : 0n,
  };
}

/**
 * A text that a payer or a provider wrote, as people may be shown it: without characters that make it read as something
 * else.
 */
function cleaned(text: string | null): string | null {
  const clean = text === null ? '' : cleanedText(text).trim();
  return clean === '' ? null : clean;
}

function toWallet(booked: CreditToBook): Movement {
  const { tenant, paymentId, wallet, accounts, receivableId, credit, charges, reserve, at } = booked;
  return paymentToWallet({
    tenant,
    paymentId,
    amountMinor: credit.amountMinor,
    payerName: cleaned(credit.payerName),
    payerAccountNumber: cleaned(credit.payerAccountNumber),
    payerBankName: cleaned(credit.payerBankName),
    narration: cleaned(credit.narration),
    wallet,
    accounts,
    charges,
    reserve,
    debitAccountId: receivableId,
    at,
  });
}

/**
 * A payment in on its way to a wallet: from the provider's receivable, from suspense, or from the account of payments
 * that wait for their settlement.
 */
export interface PaymentToWallet {
  tenant: Tenant;
  paymentId: string;
  /** Kobo. */
  amountMinor: bigint;
  payerName: string | null;
  payerAccountNumber: string | null;
  payerBankName: string | null;
  narration: string | null;
  wallet: Wallet;
  accounts: TenantAccounts;
  /** What the operator takes of it. */
  charges: CollectionCharges;
  /** What is kept in reserve; null: nothing. */
  reserve: ReserveToKeep | null;
  /** The account that it comes from. */
  debitAccountId: string;
  at: Date;
}

/** The facts of a payment in the books that its way to a wallet needs. */
export const storedPayment = (tenant: Tenant, row: InboundPaymentRow) => ({
  tenant,
  paymentId: row.id,
  amountMinor: row.amount_minor,
  payerName: row.payer_name,
  payerAccountNumber: row.payer_account_number,
  payerBankName: row.payer_bank_name,
  narration: row.narration,
});

/** A payment whose charges and reserve follow from the rules in force at a given time. */
interface PricedPayment {
  tenant: Tenant;
  /** Kobo. */
  amountMinor: bigint;
  channel: PaymentChannel | null;
  at: Date;
}

/** The parts of a payment that leave its wallet at once: what the operator takes, and what is kept in reserve. */
export async function readCreditTerms(
  deps: { fees: Pick<Fees, 'quoteCollection'>; findReserve: FindReserve },
  payment: PricedPayment,
): Promise<Pick<PaymentToWallet, 'charges' | 'reserve'>> {
  const charges = await deps.fees.quoteCollection({ ...payment, currency: DEFAULT_CURRENCY });
  const netMinor = payment.amountMinor - charges.feeMinor - charges.vatMinor;
  return { charges, reserve: await deps.findReserve({ ...payment, netMinor }) };
}

/** The columns of a payment's row for these parts. */
export const termsColumns = ({ charges, reserve }: Pick<PaymentToWallet, 'charges' | 'reserve'>) => ({
  fee_minor: charges.feeMinor,
  vat_minor: charges.vatMinor,
  reserve_minor: reserveMinorOf(reserve),
});

const reserveMinorOf = (reserve: ReserveToKeep | null): bigint => reserve?.terms.amount_minor ?? 0n;

/** The transaction of a payment in, which has the payment's id, with its transfers and its event. */
export function paymentToWallet(payment: PaymentToWallet): Movement {
  const { tenant, amountMinor, wallet, accounts, charges, debitAccountId, at } = payment;
  const payer = payment.payerName ?? 'Unknown payer';
  const from = {
    id: debitAccountId,
    bankCode: '',
    bankName: payment.payerBankName ?? '',
    accountName: payer,
    accountNumber: payment.payerAccountNumber ?? '',
  };
  const said = payment.narration ?? `Payment from ${payer}`;
  const credited = walletTransfer(
    {
      tenant,
      transactionId: payment.paymentId,
      category: 'COLLECTION',
      code: 'COLLECTION',
      amountMinor,
      currency: DEFAULT_CURRENCY,
      narration: firstCharacters(said, MAX_NARRATION),
      description: `${formatMoney(amountMinor, DEFAULT_CURRENCY)} was received from ${payer} for ${wallet.accountName}`,
      from,
      to: wallet,
      providerWalletId: accounts.providerFloat,
      walletId: wallet.id,
      at,
    },
    'Payment received',
  );
  const kept = keeping({ tenant, paymentId: payment.paymentId, walletId: wallet.id, at }, payment.reserve);
  return { ...credited, ...joinParts(credited, chargesOf(charges, wallet.id, accounts), kept) };
}

/** Moves all of it to an account that is no wallet. */
function toAccount(
  { tenant, paymentId, receivableId, credit, at }: Omit<CreditToBook, 'pendingId'>,
  creditAccountId: string,
  code: 'COLLECTION_PENDING' | 'COLLECTION_SUSPENSE',
  message: string,
): Movement {
  const transfer: TransferDraft = {
    kind: 'POSTED',
    id: newId(),
    debitAccountId: receivableId,
    creditAccountId,
    amountMinor: credit.amountMinor,
    code,
  };
  return { tenant, id: paymentId, occurredAt: at.toISOString(), transfers: [transfer], answer: { message } };
}

/**
 * The provider's answer as it is stored: every text as it came, without characters that JSON in a database cannot have.
 * Payers write some of them, and the proof has to be able to read each.
 */
export function reportedText(credit: ConfirmedCredit): string {
  const { amountMinor, providerFeeMinor, paidAt, ...facts } = credit;
  const reported = {
    ...facts,
    amountMinor: String(amountMinor),
    providerFeeMinor: providerFeeMinor === null ? null : String(providerFeeMinor),
    paidAt: paidAt?.toISOString() ?? null,
  };
  return JSON.stringify(reported, (_key, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value,
  );
}

/** Whether a credit belongs to this mode: sandbox money never becomes live money, nor the other way round. */
export function isOfMode(credit: ConfirmedCredit, mode: Mode): boolean {
  return credit.mode === null || credit.mode === mode;
}

/**
 * What the operator takes of a payment that comes into a wallet: the gross amount comes in first, then fee and VAT
 * leave. The charges never exceed the payment, so the wallet never has less than before.
 */
function chargesOf(
  { feeMinor, vatMinor }: CollectionCharges,
  walletId: string,
  accounts: TenantAccounts,
): MovementParts {
  const taken = [
    { amountMinor: feeMinor, creditAccountId: accounts.feeIncome, code: 'COLLECTION_FEE' },
    { amountMinor: vatMinor, creditAccountId: accounts.taxPayable, code: 'COLLECTION_VAT' },
  ] as const;
  const transfers = taken
    .filter(({ amountMinor }) => amountMinor > 0n)
    .map((charge): TransferDraft => ({ kind: 'POSTED', id: newId(), debitAccountId: walletId, ...charge }));
  return { transfers };
}
