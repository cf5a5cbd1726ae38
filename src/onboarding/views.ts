import { requireMerchant, type StatusChangeRow } from '../merchants/index.ts';
import type { Queries } from '../platform/db/database.ts';
import type { DocumentRow } from './queries.ts';
import { changesAccount, confirmationOf, hasNews, type ReviewState, readReviewState } from './review-state.ts';

/** Where a merchant's review stands, for its people and for the operator alike. The BVN is masked for both. */
export function onboardingView(state: ReviewState) {
  const { merchant, steps, documents } = state;
  const canEdit = merchant.status !== 'SUSPENDED' && merchant.submitted_at === null;
  const news = merchant.status === 'ACTIVE' && hasNews(state);
  const rejected = canEdit && (merchant.status === 'PENDING' || news) ? lastRejection(state.history) : undefined;
  return {
    steps,
    documents: documents.map((row) => documentView(row, state)),
    status: merchant.status,
    reviewStatus: merchant.review_status,
    words: wordsOf(state, rejected !== undefined, news),
    submittedAt: merchant.submitted_at?.toISOString() ?? null,
    canEdit,
    canSubmit: canEdit && steps.every(({ done }) => done) && (merchant.status === 'PENDING' || news),
    hasChanges: news,
    changesAccount: merchant.status === 'ACTIVE' && changesAccount(state),
    confirmedBy: confirmationOf(state)?.actor ?? null,
    rejectedReason: rejected?.reason ?? null,
  };
}

export type OnboardingView = ReturnType<typeof onboardingView>;

export function documentView(row: DocumentRow, { acceptedAt }: Pick<ReviewState, 'acceptedAt'>) {
  return {
    documentId: row.id,
    kind: row.kind,
    fileName: row.file_name,
    contentType: row.content_type,
    bytes: row.byte_count,
    uploadedAt: row.uploaded_at.toISOString(),
    removable: acceptedAt === null || row.uploaded_at > acceptedAt,
  };
}

const DECISIONS: ReadonlySet<string> = new Set(['approve', 'reject', 'accept-changes', 'reject-changes']);

/** The operator's last decision on what was submitted, where it was a no. */
function lastRejection(history: readonly StatusChangeRow[]): StatusChangeRow | undefined {
  const decided = history.find(({ action }) => DECISIONS.has(action));
  return decided?.action === 'reject' || decided?.action === 'reject-changes' ? decided : undefined;
}

function wordsOf({ merchant, steps }: ReviewState, rejected: boolean, news: boolean): string {
  const left = steps.filter(({ done }) => !done).length;
  if (merchant.status === 'SUSPENDED') return 'Your account is suspended. Please contact support.';
  if (merchant.status === 'ACTIVE') {
    if (merchant.submitted_at !== null)
      return 'Your changes are being reviewed. Until then the accepted details count.';
    if (rejected) return 'Your changes were not accepted. Correct what is named and submit them again.';
    return news
      ? 'You changed accepted details. Submit the changes, so that they can be reviewed and count.'
      : 'Your account is approved, and live mode is open.';
  }
  if (merchant.submitted_at !== null) return 'Your details are being reviewed. The sandbox is open meanwhile.';
  if (rejected) return 'Your details were not accepted. Correct what is named and submit them again.';
  if (left === 0) return 'Everything is there. Submit it for review to open live mode.';
  return `${left === 1 ? 'One step is' : `${left} steps are`} left before you can submit it for review. The sandbox is open.`;
}

/** How far a merchant's review is. Nothing in it opens a door: the BVN shows its ends only. @throws AppError `MERCHANT_NOT_FOUND`. */
export async function readOnboarding(deps: { database: Queries }, merchantId: string): Promise<OnboardingView> {
  const merchant = await requireMerchant(deps.database, merchantId);
  return onboardingView(await readReviewState(deps.database, merchant));
}
