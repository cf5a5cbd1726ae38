import type { Database, Queries } from '../platform/db/database.ts';
import { MAX_DOCUMENT_BYTES } from '../platform/documents.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { type FoundList, readList } from '../platform/lists/read-list.ts';
import type { Problem } from '../platform/problem.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Tenant } from '../platform/tenant.ts';
import { COPIES_IN_MEMORY, type Uploads } from '../platform/uploads.ts';
import { documentContext } from './document-seal.ts';
import { manualCreditNotFound } from './errors.ts';
import {
  type CreditState,
  countManualCredits,
  findManualCredit,
  findManualCreditDocument,
  type ListedCreditRow,
  type ManualCreditRead,
  manualCreditList,
} from './queries.ts';
import { readProblems } from './read-problems.ts';

/**
 * Manual credits of every merchant: what waits, longest first, or what was decided, newest first.
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
  /** What was noticed; it keeps nobody from approving. */
  problems: Problem[];
  /** It is not what was proposed: approving it will be refused. */
  isAltered: boolean;
}

/**
 * All that a second person looks at before they decide, of one moment.
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

/** How many wait for this person's yes or no. */
export async function countCreditsToDecide(queries: Queries, personId: string): Promise<number> {
  const [row] = await queries.query(countManualCredits, [personId]);
  return row?.waiting ?? 0;
}
