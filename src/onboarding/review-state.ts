import {
  type DecidedFacts,
  listMerchantStatusChanges,
  type MerchantRow,
  noteMerchantReview,
  type StatusChangeRow,
} from '../merchants/index.ts';
import type { Queries, Tx } from '../platform/db/database.ts';
import { onboardingClosed, onboardingWaiting } from './errors.ts';
import { type DocumentRow, findOnboarding, listDocumentRows } from './queries.ts';
import { type Changes, type Given, REGISTRATION_DOCUMENTS, type StepState, stepsOf } from './steps.ts';

/** Everything that a review looks at, as it is now. */
export interface ReviewState {
  merchant: MerchantRow;
  /** In force, or with what the merchant wants changed laid over it. */
  given: Given;
  details: Given['details'];
  /** Of an accepted merchant: what it wants changed, until that is accepted. */
  changes: Changes;
  documents: DocumentRow[];
  history: StatusChangeRow[];
  /** When the operator last accepted what was given. */
  acceptedAt: Date | null;
  steps: StepState[];
}

const ACCEPTING: ReadonlySet<string> = new Set(['approve', 'accept-changes']);

/** @param merchant as read, or as locked by the command that is going to change it. */
export async function readReviewState(queries: Queries, merchant: MerchantRow): Promise<ReviewState> {
  const [rows, documents, history] = await Promise.all([
    queries.query(findOnboarding, [merchant.id]),
    queries.query(listDocumentRows, [merchant.id]),
    listMerchantStatusChanges(queries, merchant.id),
  ]);
  const details = rows[0]?.details ?? {};
  const changes: Changes = {
    merchant: rows[0]?.changes.merchant ?? {},
    details: rows[0]?.changes.details ?? {},
  };
  const given: Given = {
    merchant: { ...merchant, ...changes.merchant },
    details: { ...details, ...changes.details },
    documentKinds: new Set(documents.map(({ kind }) => kind)),
  };
  const inForce: Given = { ...given, merchant, details };
  const accepted = new Set(merchant.review_status === 'ACCEPTED' ? merchant.kyc_completed_fields : []);
  return {
    merchant,
    given,
    details,
    changes,
    documents,
    history,
    acceptedAt: history.find(({ action }) => ACCEPTING.has(action))?.created_at ?? null,
    steps: stepsOf(given, accepted, inForce),
  };
}

/** @throws AppError 409 `ONBOARDING_WAITING` while the details are looked at, `ONBOARDING_CLOSED` for a suspended merchant. */
export function requireOpen(merchant: MerchantRow): void {
  if (merchant.status === 'SUSPENDED') throw onboardingClosed();
  if (merchant.submitted_at !== null) throw onboardingWaiting();
}

/** An accepted merchant has something new for the operator to look at. */
export function hasNews({ changes, documents, acceptedAt }: ReviewState): boolean {
  const changed = Object.keys(changes.merchant).length + Object.keys(changes.details).length > 0;
  return changed || documents.some(({ uploaded_at }) => acceptedAt !== null && uploaded_at > acceptedAt);
}

const ACCOUNT = ['settlementBankCode', 'settlementAccountNumber'] as const;

/** An accepted merchant wants its settlements to go to another account. */
export const changesAccount = ({ changes, details }: Pick<ReviewState, 'changes' | 'details'>): boolean =>
  ACCOUNT.some((field) => (changes.details[field] ?? details[field] ?? '') !== (details[field] ?? ''));

/**
 * Who has confirmed what waits, as the first of two; undefined where nobody has. Clocks of processes differ, so by its time
 * alone a confirmation of what was submitted before could pass for one of this: it names the account that was looked at.
 */
export function confirmationOf({ merchant, given, history }: ReviewState): StatusChangeRow | undefined {
  const { submitted_at: since } = merchant;
  const { settlementBankCode: bankCode = '', settlementAccountNumber: accountNumber = '' } = given.details;
  return history.find(
    ({ action, created_at, bank_code, account_number }) =>
      action === 'confirm-changes' &&
      since !== null &&
      created_at >= since &&
      (bank_code ?? '') === bankCode &&
      (account_number ?? '') === accountNumber,
  );
}

/** What a submission or a decision is about, as it is kept with it. */
export function factsOf({ steps, documents }: ReviewState): DecidedFacts {
  return {
    steps: Object.fromEntries(steps.map(({ key, values }) => [key, values])),
    documents: documents.map(({ id, kind, file_name, byte_count }) => ({
      documentId: id,
      kind,
      fileName: file_name,
      bytes: byte_count,
    })),
  };
}

/** Where a document is served; the Merchant object lists the registration documents so. */
const documentPath = (documentId: string) => `/onboarding/document/${documentId}/content`;

/** Of a document of ours; undefined for one that lies elsewhere. */
export const documentIdOf = (address: string): string | undefined =>
  /^\/onboarding\/document\/([^/]+)\/content$/.exec(address)?.[1];

/** Brings the Merchant object's state of the review up to date, in the transaction that changed something. */
export async function noteReview(tx: Tx, merchant: MerchantRow): Promise<void> {
  const { steps, documents } = await readReviewState(tx, merchant);
  const ours = documents.filter(({ kind }) => REGISTRATION_DOCUMENTS.has(kind)).map(({ id }) => documentPath(id));
  const elsewhere = merchant.cac_documents.filter((address) => documentIdOf(address) === undefined);
  await noteMerchantReview(tx, merchant.id, {
    kycCompletedFields: steps
      .filter(({ done }) => done)
      .map(({ key }) => key)
      .sort(),
    cacDocuments: [...elsewhere, ...ours],
  });
}

/** The settlement account as the merchant gave it, reviewed or not; undefined while it is not complete. */
export async function readGivenAccount(queries: Queries, merchantId: string) {
  const [row] = await queries.query(findOnboarding, [merchantId]);
  const { settlementBankCode: bankCode = '', settlementAccountNumber: accountNumber = '' } = row?.details ?? {};
  if (bankCode === '' || accountNumber === '') return undefined;
  const { settlementBankName: bankName = '', settlementAccountName: accountName = '' } = row?.details ?? {};
  return { bankCode, bankName, accountNumber, accountName };
}
