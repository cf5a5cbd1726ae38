import {
  type CreditSearch,
  type FoundCreditRow,
  findCreditTenant,
  findInboundPayment,
  inboundPaymentNotFound,
  inboundPaymentView,
  listInboundEvidence,
  searchCredits,
} from '../collections/index.ts';
import { isEnteredByHand } from '../dispute-proposals/index.ts';
import { listStateChanges, listSubjectEvents, listTransactionTransfers } from '../ledger/index.ts';
import { decimalText, parseAmountText, toNumber, toNumberOrNull } from '../money/index.ts';
import { parsePeriod } from '../platform/http/period.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { readReserveOf } from '../reserves/index.ts';
import { historyView } from '../transactions/index.ts';
import type { OperatorDeps } from './deps.ts';
import { peopleOf, readEmails, readNamesOf } from './lookups.ts';
import { redact } from './payout-views.ts';
import {
  type DecisionAboutPayment,
  findSessionOfPayment,
  findSettlementOfPayment,
  listDecisionsAboutPayment,
  listTakenBackOfPayment,
  type TakenBackRow,
} from './queries.ts';
import { readToDecideOf } from './suspense-views.ts';

export interface InboundSearchQuery
  extends Pick<
    CreditSearch,
    'merchantId' | 'mode' | 'status' | 'rail' | 'channel' | 'paymentId' | 'sessionId' | 'accountNumber'
  > {
  providerReference?: string;
  amount?: string;
  from?: string;
  to?: string;
}

function searchOf({ providerReference, amount, from, to, ...rest }: InboundSearchQuery): CreditSearch {
  const { merchantId, mode, status, rail, channel, paymentId, sessionId, accountNumber } = rest;
  return {
    ...{ merchantId, mode, status, rail, channel, paymentId, sessionId, accountNumber },
    providerTransactionId: providerReference,
    amountMinor: amount === undefined ? undefined : parseAmountText(amount),
    ...parsePeriod({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) }),
  };
}

function foundView(row: FoundCreditRow, names: ReadonlyMap<string, string>) {
  const { paymentId, mode, status, reason, amount, fee, vat, net, ...shown } = inboundPaymentView(row);
  const { reserve, channel, currency, payer } = shown;
  return {
    paymentId,
    merchantId: row.merchant_id,
    businessName: names.get(row.merchant_id) ?? null,
    ...{ mode, status, reason, amount, fee, vat, net, reserve, channel, currency },
    rail: row.rail,
    providerTransactionId: row.provider_transaction_id,
    providerReference: shown.providerReference,
    sessionId: shown.sessionId,
    accountNumber: shown.accountNumber,
    payer,
    paidAt: shown.paidAt,
    confirmedAt: shown.confirmedAt,
    updatedAt: shown.updatedAt,
  };
}

/** Payments in of all merchants, newest first. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export async function readFoundCredits({ database }: OperatorDeps, query: InboundSearchQuery, request: ListRequest) {
  const found = await searchCredits(database, searchOf(query), request);
  const names = await readNamesOf(database, found.rows);
  return {
    ...listView(found, (row) => foundView(row, names)),
    lookedBackTo: found.lookedBackTo?.toISOString() ?? null,
  };
}

/** The facts in a provider's answer, one by one. Amounts are in naira. */
function reportedFacts(text: string): { name: string; value: string }[] {
  const facts = Object.entries(JSON.parse(text) as Record<string, string | number | null>);
  return facts.flatMap(([name, value]) => {
    if (value === null) return [];
    const isAmount = name.endsWith('Minor') && /^\d+$/.test(String(value));
    const words = name.replace(/Minor$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return [{ name: words, value: isAmount ? decimalText(BigInt(value)) : String(value) }];
  });
}

const takenBackView = ({ kind, id, status, reason, amount_minor, at }: TakenBackRow) => ({
  ...{ kind, id, status, reason },
  amount: toNumber(amount_minor),
  at: at.toISOString(),
});

function decisionView(decision: DecisionAboutPayment, emails: ReadonlyMap<string, string>) {
  const { action, source, note, status, reason, proposed_by, proposed_at, decided_by, decided_at } = decision;
  return {
    ...{ action, source, note, status, reason },
    proposedBy: emails.get(proposed_by) ?? null,
    proposedAt: proposed_at.toISOString(),
    decidedBy: decided_by === null ? null : (emails.get(decided_by) ?? null),
    decidedAt: decided_at?.toISOString() ?? null,
  };
}

/**
 * Everything that is known of one payment in at one moment, of any merchant, without secrets and without a full BVN.
 * @throws AppError 404 `INBOUND_PAYMENT_NOT_FOUND`.
 */
export async function readInboundCase(deps: OperatorDeps, paymentId: string, personId: string) {
  const { row, found } = await readAtOnce(deps, paymentId, personId);
  // The provider's account may have to be opened for it: not while a transaction is.
  return { ...found, disputesByHand: await isEnteredByHand(deps, row) };
}

function readAtOnce({ database }: OperatorDeps, paymentId: string, personId: string) {
  return database.snapshot(async (queries) => {
    const tenant = await findCreditTenant(queries, paymentId);
    if (tenant === undefined) throw inboundPaymentNotFound();
    const key = [tenant.merchantId, tenant.mode, paymentId];
    const [row] = await queries.query(findInboundPayment, key);
    if (row === undefined) throw inboundPaymentNotFound();
    const [
      names,
      evidence,
      [session],
      [settlement],
      decisions,
      transfers,
      changes,
      events,
      reserve,
      toDecide,
      takenBack,
    ] = await Promise.all([
      readNamesOf(queries, [tenant]),
      queries.query(listInboundEvidence, key),
      queries.query(findSessionOfPayment, [...key, row.virtual_account_id]),
      queries.query(findSettlementOfPayment, key),
      queries.query(listDecisionsAboutPayment, key),
      listTransactionTransfers(queries, tenant, paymentId),
      listStateChanges(queries, tenant, paymentId),
      listSubjectEvents(queries, tenant, paymentId),
      readReserveOf(queries, tenant, paymentId),
      readToDecideOf(queries, tenant, paymentId, personId),
      queries.query(listTakenBackOfPayment, key),
    ]);
    const emails = await readEmails(queries, peopleOf(decisions));
    const { walletId, creditedWalletId, narration } = inboundPaymentView(row);
    const found = redact({
      payment: foundView(row, names),
      ...{ walletId, creditedWalletId, narration },
      providerFee: toNumberOrNull(row.provider_fee_minor),
      evidence: evidence.map(({ source, outcome, code, reported, received_at }) => ({
        ...{ source, outcome, code },
        reported: reportedFacts(reported),
        receivedAt: received_at.toISOString(),
      })),
      session:
        session === undefined
          ? null
          : {
              sessionId: session.session_id,
              reference: session.reference,
              status: session.status,
              note: session.note,
            },
      settlement:
        settlement === undefined
          ? null
          : {
              settlementId: settlement.settlement_id,
              gross: toNumber(settlement.gross_minor),
              fee: toNumber(settlement.fee_minor),
              settledAt: settlement.settled_at.toISOString(),
            },
      reserve,
      takenBack: takenBack.map(takenBackView),
      decisions: decisions.map((decision) => decisionView(decision, emails)),
      ...historyView(transfers, changes, events),
    });
    // As the queue has it: a second person confirms just what is shown.
    return { row, found: { ...found, toDecide } };
  });
}
