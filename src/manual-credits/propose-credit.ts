import type { Banks } from '../banks/index.ts';
import { DEFAULT_CURRENCY, parseAmountText } from '../money/index.ts';
import { noteOf, requireOperator } from '../people/index.ts';
import { type Clock, DAY_MS, lagosDay } from '../platform/clock.ts';
import { type Database, violatedUnique } from '../platform/db/database.ts';
import { MAX_DOCUMENT_BYTES, safeFileName, typeOfBytes } from '../platform/documents.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Problem } from '../platform/problem.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Tenant } from '../platform/tenant.ts';
import { isVisible, oneForm } from '../platform/text.ts';
import { COPIES_IN_MEMORY, readSpooled, type Spooled, type Uploads } from '../platform/uploads.ts';
import { type WalletDirectory, walletNotFound } from '../wallets/index.ts';
import { bankReferenceTaken, bankUnknown, documentMissing, documentTooLarge, documentTypeRefused } from './errors.ts';
import { insertManualCredit, insertManualCreditReference } from './queries.ts';
import { documentContext, hashesOfDocument, readProblems } from './read-credits.ts';

const MAX_REFERENCE_LENGTH = 60;
const MAX_PAYER_LENGTH = 100;
/** A bank statement that is older is a matter for an accountant first. */
const MAX_AGE_DAYS = 366;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** As it was given, each field a text. */
export interface GivenCredit {
  walletId: string;
  /** Naira, such as `1500.50`. */
  amount: string;
  bankCode: string;
  bankReference: string;
  /** A day in Lagos, `2026-11-20`. */
  receivedOn: string;
  payerName: string;
  note: string;
}

export interface ProposeCreditDeps {
  database: Database;
  wallets: WalletDirectory;
  banks: Banks;
  secrets: Secrets;
  clock: Clock;
  uploads: Uploads;
}

interface ProposeInput {
  tenant: Tenant;
  given: GivenCredit;
  /** What proves it: a file on disk, which the caller closes. */
  document: { fileName: string; file: Spooled } | undefined;
  /** The person who proposes, one of the operator's people. */
  personId: string;
  /** The caller whose uploads these are. */
  caller: string;
}

export interface ProposedCredit {
  manualCreditId: string;
  /** What the second person confirms. */
  digest: string;
  /** What was noticed; it prevents nothing. */
  problems: Problem[];
}

/**
 * Proposes to credit a wallet with money that arrived at the operator's bank, for a second person to approve. Nothing
 * moves. From now on no other credit may have this reference of this bank, until this one is rejected or withdrawn.
 * @throws AppError 400 `VALIDATION_FAILED`, `DOCUMENT_MISSING`; 403 `OPERATOR_NOT_FOUND`; 404 `WALLET_NOT_FOUND`; 409
 *   `BANK_REFERENCE_TAKEN`; 422 `BANK_NOT_FOUND`, `DOCUMENT_TYPE_REFUSED`, `DOCUMENT_TOO_LARGE`; 503 `UPLOADS_BUSY`.
 */
export async function proposeCredit(deps: ProposeCreditDeps, input: ProposeInput): Promise<ProposedCredit> {
  const { tenant, given, document, personId, caller } = input;
  const terms = termsOf(given, deps.clock.now());
  if (document === undefined || document.file.size === 0) throw documentMissing();
  if (document.file.size > MAX_DOCUMENT_BYTES) throw documentTooLarge(MAX_DOCUMENT_BYTES);
  await requireOperator(deps.database, personId);
  const [wallet, bank] = await Promise.all([
    deps.wallets.findWallet(tenant, given.walletId),
    deps.banks.findBank(given.bankCode),
  ]);
  if (wallet === undefined) throw walletNotFound();
  if (bank === undefined) throw bankUnknown(given.bankCode);
  const id = newId();
  const { file } = document;
  const digest = await deps.uploads.holding(caller, COPIES_IN_MEMORY * file.size, async () => {
    const content = await readSpooled(file);
    const type = typeOfBytes(content);
    if (type === undefined) throw documentTypeRefused();
    const sealed = deps.secrets.sealBytes(content, documentContext(tenant, id));
    const [hash] = hashesOfDocument(deps.secrets, file.sha256);
    const key = [tenant.merchantId, tenant.mode, id, newId(), wallet.id, terms.amountMinor, DEFAULT_CURRENCY];
    const bankColumns = [bank.code, bank.name, terms.bankReference, referenceKey(terms.bankReference)];
    const said = [terms.receivedOn, terms.payerName, terms.note];
    const columns = [safeFileName(document.fileName, type.ending), type.contentType, content.length, hash, sealed];
    const taken = [tenant.mode, bank.code, referenceKey(terms.bankReference), tenant.merchantId, id];
    return insertOnce(deps, taken, [...key, ...bankColumns, ...said, ...columns, personId, deps.clock.now()]);
  });
  const { amountMinor, receivedOn } = terms;
  const hashes = hashesOfDocument(deps.secrets, file.sha256);
  const reference = { bankCode: bank.code, referenceKey: referenceKey(terms.bankReference) };
  const credit = { id, tenant, walletId: wallet.id, amountMinor, receivedOn, ...reference, hashes };
  return { manualCreditId: id, digest, problems: await readProblems(deps.database, credit) };
}

/** Of two credits with one reference at the same moment, the directory accepts one. */
async function insertOnce(
  { database }: ProposeCreditDeps,
  reference: readonly unknown[],
  columns: readonly unknown[],
): Promise<string> {
  try {
    return await database.transaction(async (tx) => {
      await tx.query(insertManualCreditReference, reference);
      const [made] = await tx.query(insertManualCredit, columns);
      if (made === undefined) throw new Error('a manual credit was not inserted');
      return made.digest;
    });
  } catch (error) {
    if (violatedUnique(error) === 'manual_credit_references_pk') throw bankReferenceTaken();
    throw error;
  }
}

/**
 * The terms of a credit, each field in the one form in which it is stored.
 * @throws AppError 400 `VALIDATION_FAILED`.
 */
function termsOf(given: GivenCredit, now: Date) {
  const bankReference = textOf('bankReference', given.bankReference, MAX_REFERENCE_LENGTH).replaceAll(/ +/g, ' ');
  if (!/[\p{L}\p{N}]/u.test(bankReference)) throw invalidField('bankReference', 'must have letters or digits');
  return {
    amountMinor: parseAmountText(given.amount.trim()),
    bankReference,
    payerName: textOf('payerName', given.payerName, MAX_PAYER_LENGTH),
    note: noteOf(given.note),
    receivedOn: dayOf(given.receivedOn.trim(), now),
  };
}

function textOf(field: string, given: string, maxLength: number): string {
  const text = oneForm(given).trim();
  if (text === '') throw invalidField(field, 'is required');
  if (text.length > maxLength) throw invalidField(field, `must have at most ${maxLength} characters`);
  if (!isVisible(text)) throw invalidField(field, 'must have no invisible characters');
  return text;
}

/** An existing day in Lagos that has begun. */
function dayOf(text: string, now: Date): string {
  const moment = new Date(`${text}T00:00:00Z`);
  if (!DAY.test(text) || Number.isNaN(moment.getTime()) || !moment.toISOString().startsWith(text)) {
    throw invalidField('receivedOn', 'must be a day such as 2026-11-20');
  }
  if (text > lagosDay(now)) throw invalidField('receivedOn', 'must not be in the future');
  const oldest = lagosDay(new Date(now.getTime() - MAX_AGE_DAYS * DAY_MS));
  if (text < oldest) throw invalidField('receivedOn', `must not be before ${oldest}`);
  return text;
}

/** A bank reference as it is compared: in one form and in capitals, without spaces. */
function referenceKey(reference: string): string {
  return reference.normalize('NFKC').toUpperCase().replaceAll(/\s+/gu, '');
}
