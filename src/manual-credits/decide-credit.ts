import type { Ledger, Movement } from '../ledger/index.ts';
import { formatMoney } from '../money/index.ts';
import { reasonOf, requireAsProposed, requireOperator, requireSecondPerson } from '../people/index.ts';
import type { OnAlarm } from '../platform/alarm.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import type { Logger } from '../platform/logger.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import { type TransferSide, walletTransfer } from '../transactions/index.ts';
import { type WalletDirectory, walletNotFound } from '../wallets/index.ts';
import {
  manualCreditAltered,
  manualCreditDecided,
  manualCreditNotFound,
  manualCreditNotYours,
  manualCreditYours,
} from './errors.ts';
import {
  findManualCredit,
  type ManualCreditRead,
  manualCreditStates,
  updateManualCreditClosed,
  updateManualCreditsApproved,
} from './queries.ts';

const MAX_NARRATION_LENGTH = 100;
/** The operator's bank gives only the name of the payer. */
const NO_ACCOUNT_NUMBER = '0000000000';

export interface DecideCreditDeps {
  database: Database;
  ledger: Ledger;
  wallets: WalletDirectory;
  clock: Clock;
  logger: Logger;
  onAlarm?: OnAlarm | undefined;
}

interface CreditOfPerson {
  tenant: Tenant;
  manualCreditId: string;
  /** The person who decides, one of the operator's people. */
  personId: string;
}

/**
 * Approves a credit, as a second person: the credit is approved and its amount is in the wallet, in one movement.
 * `digest` is of the credit as the second person saw it. A merchant that is suspended still owns its money, so it is
 * credited.
 *
 * A caller that does not know the outcome may repeat it: a credit that was approved is refused with
 * `MANUAL_CREDIT_DECIDED`.
 * @throws AppError 403 `SECOND_PERSON_NEEDED`, `SECOND_PERSON_TOO_NEW` or `OPERATOR_NOT_FOUND`; 404
 *   `MANUAL_CREDIT_NOT_FOUND`; 409 `MANUAL_CREDIT_DECIDED` or `MANUAL_CREDIT_ALTERED`; 503 of the ledger.
 */
export async function approveCredit(
  deps: DecideCreditDeps,
  { tenant, manualCreditId, digest, personId }: CreditOfPerson & { digest: string },
): Promise<{ manualCreditId: string; transactionId: string }> {
  const credit = await requireCredit(deps, { tenant, manualCreditId });
  await requireSecondPerson(deps, credit, { personId, yours: manualCreditYours });
  if (credit.status !== 'PENDING') throw manualCreditDecided(credit.status);
  // Its terms, its document and its reference.
  requireAsProposed(deps, credit, {
    seen: digest,
    isWhole: credit.is_document_whole && credit.has_reference,
    about: { manualCreditId },
    message: 'a manual credit is not what was proposed',
    altered: manualCreditAltered,
  });
  await deps.ledger.commit(await approval(deps, credit, personId));
  return { manualCreditId, transactionId: credit.transaction_id };
}

/**
 * Rejects a credit, as another person. Its bank reference is free again.
 * @throws AppError 400 without a reason; 403 `SECOND_PERSON_NEEDED`, `OPERATOR_NOT_FOUND`; 404 `MANUAL_CREDIT_NOT_FOUND`;
 *   409 `MANUAL_CREDIT_DECIDED`.
 */
export async function rejectCredit(
  deps: Pick<DecideCreditDeps, 'database' | 'clock'>,
  input: CreditOfPerson & { reason: string },
): Promise<void> {
  const reason = reasonOf(input.reason);
  const credit = await requireCredit(deps, input);
  await requireOperator(deps.database, input.personId);
  if (credit.proposed_by === input.personId) throw manualCreditYours();
  await close(deps, credit, { status: 'REJECTED', reason, personId: input.personId });
}

/**
 * Withdraws a credit, as its maker. Its bank reference is free again.
 * @throws AppError 400 without a reason; 403 `NOT_THE_MAKER`, `OPERATOR_NOT_FOUND`; 404
 *   `MANUAL_CREDIT_NOT_FOUND`; 409 `MANUAL_CREDIT_DECIDED`.
 */
export async function withdrawCredit(
  deps: Pick<DecideCreditDeps, 'database' | 'clock'>,
  input: CreditOfPerson & { reason: string },
): Promise<void> {
  const reason = reasonOf(input.reason);
  const credit = await requireCredit(deps, input);
  await requireOperator(deps.database, input.personId);
  if (credit.proposed_by !== input.personId) throw manualCreditNotYours();
  await close(deps, credit, { status: 'WITHDRAWN', reason, personId: input.personId });
}

async function requireCredit(
  { database }: Pick<DecideCreditDeps, 'database'>,
  { tenant, manualCreditId }: Pick<CreditOfPerson, 'tenant' | 'manualCreditId'>,
): Promise<ManualCreditRead> {
  const [credit] = await database.query(findManualCredit, [tenant.merchantId, tenant.mode, manualCreditId]);
  if (credit === undefined) throw manualCreditNotFound();
  return credit;
}

/**
 * The state, the posting and the transaction commit together, each once: by its state, by its unique key and by its id.
 */
async function approval(deps: DecideCreditDeps, credit: ManualCreditRead, personId: string): Promise<Movement> {
  const tenant = tenantOf(credit);
  const [{ providerFloat }, wallet] = await Promise.all([
    deps.wallets.requireTenantAccounts(tenant),
    deps.wallets.findWallet(tenant, credit.wallet_id),
  ]);
  if (wallet === undefined) throw walletNotFound();
  const at = deps.clock.now();
  const { merchant_id, mode, id } = credit;
  const decided = () => manualCreditDecided('APPROVED');
  const movement = walletTransfer(
    {
      tenant,
      transactionId: credit.transaction_id,
      category: 'MANUAL_CREDIT',
      code: 'MANUAL_CREDIT',
      amountMinor: credit.amount_minor,
      currency: credit.currency,
      ...wordsOf(credit),
      from: payerOf(credit, providerFloat),
      to: wallet,
      providerWalletId: providerFloat,
      walletId: wallet.id,
      at,
    },
    'The wallet is credited',
  );
  const approved = write(updateManualCreditsApproved, { merchant_id, mode, id, decided_by: personId, decided_at: at });
  return {
    ...movement,
    uniqueKeys: [{ scope: 'MANUAL_CREDIT', value: id, refusal: decided }],
    transitions: [
      {
        machine: manualCreditStates,
        id,
        from: ['PENDING'],
        to: 'APPROVED',
        reason: null,
        refusal: manualCreditDecided,
      },
    ],
    writes: [...(movement.writes ?? []), approved],
  };
}

/** The texts that the merchant reads. */
function wordsOf(credit: ManualCreditRead): { narration: string; description: string } {
  const { amount_minor, currency, payer_name, bank_name, bank_reference, received_on } = credit;
  const narration = [...`${bank_reference} ${payer_name}`].slice(0, MAX_NARRATION_LENGTH).join('').trimEnd();
  const amount = formatMoney(amount_minor, currency);
  return {
    narration,
    description: `${amount} of ${payer_name} arrived at ${bank_name} on ${received_on} and was credited by the operator`,
  };
}

function payerOf(credit: ManualCreditRead, providerFloat: string): TransferSide {
  const { bank_code: bankCode, bank_name: bankName, payer_name: accountName } = credit;
  return { id: providerFloat, bankCode, bankName, accountName, accountNumber: NO_ACCOUNT_NUMBER };
}

async function close(
  { database, clock }: Pick<DecideCreditDeps, 'database' | 'clock'>,
  { merchant_id, mode, id }: ManualCreditRead,
  { status, reason, personId }: { status: 'REJECTED' | 'WITHDRAWN'; reason: string; personId: string },
): Promise<void> {
  const key = [merchant_id, mode, id];
  const closed = await database.query(updateManualCreditClosed, [...key, status, reason, personId, clock.now()]);
  if (closed.length > 0) return;
  const [now] = await database.query(findManualCredit, key);
  throw manualCreditDecided(now?.status);
}
