import { requireMerchant } from '../merchants/index.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { MAX_DOCUMENT_BYTES } from '../platform/documents.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { type FoundList, readList } from '../platform/lists/read-list.ts';
import { createProblems, kindOf, type Problem } from '../platform/problem.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Tenant } from '../platform/tenant.ts';
import { COPIES_IN_MEMORY, type Uploads } from '../platform/uploads.ts';
import { manualCreditNotFound } from './errors.ts';
import {
  type CreditState,
  countManualCredits,
  findManualCredit,
  findManualCreditDocument,
  type ListedCreditRow,
  listAlikeCredits,
  listReferencesElsewhere,
  type ManualCreditRead,
  manualCreditList,
} from './queries.ts';

/**
 * Problems that may be noticed about a manual credit. None of them prevents an approval: two people look and decide.
 */
const MANUAL_CREDIT_PROBLEMS = {
  SAME_AMOUNT_SAME_DAY: kindOf<{ manualCreditId: string; status: string; bankReference: string }>(
    'amount',
    ({ bankReference, status }) =>
      `Another credit of this amount to this wallet on this day, reference ${bankReference}, is ${status}.`,
  ),
  SAME_REFERENCE: kindOf<{ manualCreditId: string; bankCode: string }>(
    'bankReference',
    ({ bankCode }) =>
      `Another credit has this reference at another bank, ${bankCode}. Was one of the two banks mistaken?`,
  ),
  SAME_DOCUMENT: kindOf<{ manualCreditId: string; status: string; bankReference: string }>(
    'file',
    ({ bankReference, status }) =>
      `The same document is with another credit of this merchant, reference ${bankReference}, which is ${status}.`,
  ),
  MERCHANT_SUSPENDED: kindOf(
    'merchantId',
    () => 'This merchant is suspended. The money is credited to it, and does not leave while it is suspended.',
  ),
};

const catalogue = createProblems(MANUAL_CREDIT_PROBLEMS);
const manualCreditProblem = catalogue.problem;
const shownProblem = catalogue.shown;

/**
 * Manual credits of every merchant: those that wait, longest first, or those that were decided, newest first.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export function readManualCredits(
  database: Database,
  { state }: { state: CreditState },
  request: ListRequest,
): Promise<FoundList<ListedCreditRow>> {
  return readList(database, manualCreditList({ state }), request);
}

export interface CreditEvidence {
  credit: ManualCreditRead;
  /** What was noticed; it prevents no approval. */
  problems: Problem[];
  /** It is not what was proposed: an approval will be refused. */
  isAltered: boolean;
}

/**
 * All that a second person looks at before a decision, read at one moment.
 * @throws AppError 404 `MANUAL_CREDIT_NOT_FOUND`.
 */
export function readCreditEvidence(
  database: Database,
  tenant: Tenant,
  manualCreditId: string,
): Promise<CreditEvidence> {
  return database.snapshot(async (queries) => {
    const [credit] = await queries.query(findManualCredit, [tenant.merchantId, tenant.mode, manualCreditId]);
    if (credit === undefined) throw manualCreditNotFound();
    const { id, wallet_id: walletId, amount_minor: amountMinor, received_on: receivedOn, document_hash } = credit;
    const { bank_code: bankCode, reference_key: referenceKey } = credit;
    const terms = { walletId, amountMinor, receivedOn, bankCode, referenceKey };
    const seen = { id, tenant, ...terms, hashes: [document_hash] };
    const isOpen = credit.status === 'PENDING';
    const isWhole = credit.digest === credit.digest_now && credit.is_document_whole;
    return {
      credit,
      problems: await readProblems(queries, seen),
      isAltered: !isWhole || (isOpen && !credit.has_reference),
    };
  });
}

/**
 * The document of a credit as it was uploaded.
 * @throws AppError 404 `MANUAL_CREDIT_NOT_FOUND`; 503 `UPLOADS_BUSY`; an error where its bytes were altered.
 */
export function readCreditDocument(
  { database, secrets, uploads }: { database: Database; secrets: Secrets; uploads: Uploads },
  { tenant, manualCreditId, caller }: { tenant: Tenant; manualCreditId: string; caller: string },
): Promise<{ fileName: string; contentType: string; content: Buffer }> {
  return uploads.holding(caller, COPIES_IN_MEMORY * MAX_DOCUMENT_BYTES, async () => {
    const key = [tenant.merchantId, tenant.mode, manualCreditId];
    const [row] = await database.query(findManualCreditDocument, key);
    if (row === undefined) throw manualCreditNotFound();
    const content = secrets.openBytes(row.document_sealed, documentContext(tenant, manualCreditId));
    return { fileName: row.document_name, contentType: row.document_type, content };
  });
}

/** How many wait for this person's decision. */
export async function countCreditsToDecide(queries: Queries, personId: string): Promise<number> {
  const [row] = await queries.query(countManualCredits, [personId]);
  return row?.waiting ?? 0;
}

interface Credit {
  id: string;
  tenant: Tenant;
  walletId: string;
  amountMinor: bigint;
  receivedOn: string;
  bankCode: string;
  referenceKey: string;
  /** Hashes of its document, under every known pepper. */
  hashes: readonly string[];
}

/** What people should know before they approve a credit; it refuses nothing. */
export async function readProblems(queries: Queries, credit: Credit): Promise<Problem[]> {
  const { id, tenant, walletId, amountMinor, receivedOn, hashes, bankCode, referenceKey } = credit;
  const [merchant, alike, elsewhere] = await Promise.all([
    requireMerchant(queries, tenant.merchantId),
    queries.query(listAlikeCredits, [tenant.merchantId, tenant.mode, walletId, receivedOn, amountMinor, hashes, id]),
    queries.query(listReferencesElsewhere, [tenant.mode, referenceKey, bankCode]),
  ]);
  const noticed = alike.map((other) =>
    manualCreditProblem(other.is_same_document ? 'SAME_DOCUMENT' : 'SAME_AMOUNT_SAME_DAY', {
      manualCreditId: other.id,
      status: other.status,
      bankReference: other.bank_reference,
    }),
  );
  for (const other of elsewhere) {
    const params = { manualCreditId: other.manual_credit_id, bankCode: other.bank_code };
    noticed.push(manualCreditProblem('SAME_REFERENCE', params));
  }
  if (merchant.status === 'SUSPENDED') noticed.push(manualCreditProblem('MERCHANT_SUSPENDED', {}));
  return noticed.map(shownProblem);
}

/** The context that the bytes are sealed with: copied to another row they do not open. */
export function documentContext({ merchantId, mode }: Tenant, id: string): string {
  return `manual_credits/${merchantId}/${mode}/${id}/document_sealed`;
}

/** Keyed hashes of a document's content, from its SHA-256 in hex; the one under the newest pepper first. */
export function hashesOfDocument(secrets: Pick<Secrets, 'hmacs'>, sha256: string): string[] {
  return secrets.hmacs('manual-credit-document', sha256);
}
