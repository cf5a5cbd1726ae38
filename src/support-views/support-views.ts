import { nameOfPerson, type SignedIn, type SupportView, type SupportViews, supportViewEnded } from '../access/index.ts';
import { notifyOwners, type SecurityNotice } from '../mail/index.ts';
import { requireMerchant } from '../merchants/index.ts';
import { readSessionMerchant } from '../people/index.ts';
import { type Clock, lagosClock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { isUuid, newId } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import {
  endSupportView,
  endSupportViewsOfSession,
  findOpenSupportView,
  insertSupportView,
  listSupportViews,
  type SupportViewRow,
} from './queries.ts';

/** Long enough for one question; for more time the person gives a reason once more. */
const LIFETIME_MS = 60 * 60_000;
/** A merchant's people and the desk look at the last ones; the audit log has all. */
const NEWEST = 50;

interface SupportDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
}

export interface OpenedSupportView {
  row: SupportViewRow;
  /** What the pages of the view send with the session's cookie. It opens nothing without that session. */
  token: string;
}

/**
 * Opens a merchant's pages in one mode to one session of the operator's staff, to read, for an hour. What the session had
 * open of the same merchant and mode ends. The owners are notified by mail, in the transaction that opens it.
 * @param input.session whose it is: it ends with that session.
 * @param input.reason as the merchant reads it.
 * @throws AppError 404 `MERCHANT_NOT_FOUND`.
 */
export async function openSupportView(
  { database, secrets, clock }: SupportDeps,
  input: { tenant: Tenant; session: SignedIn; reason: string },
): Promise<OpenedSupportView> {
  const { tenant, session, reason } = input;
  const { merchantId, mode } = tenant;
  const now = clock.now();
  const id = newId();
  const name = nameOfPerson(session);
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  const row = await database.transaction(async (tx) => {
    await requireMerchant(tx, merchantId);
    await tx.query(endSupportViewsOfSession, [merchantId, mode, session.sessionId, now]);
    const columns = [merchantId, mode, id, session.sessionId, session.personId, name, reason, now, expiresAt];
    const [opened] = await tx.query(insertSupportView, columns);
    const notice = noticeOf({ name, mode, reason, at: now, until: expiresAt });
    await notifyOwners({ queries: tx, secrets, clock }, merchantId, notice);
    return opened as SupportViewRow;
  });
  return { row, token: `${merchantId}.${id}` };
}

function noticeOf(view: { name: string; mode: Mode; reason: string; at: Date; until: Date }) {
  const money = view.mode === 'LIVE' ? 'live mode' : 'the sandbox';
  return (businessName: string): SecurityNotice => ({
    subject: `The operator is looking at the pages of ${businessName}`,
    paragraphs: [
      `${view.name} of the operator's staff opened a support view of ${businessName} in ${money} on ${lagosClock(view.at)} Lagos time. It ends at ${lagosClock(view.until)} at the latest.`,
      `The reason given: ${view.reason}`,
      'In a support view nothing can be changed, and it shows no secret and no document. Each page that was opened is in your audit log. If you know of no question that this answers, ask the operator.',
    ],
  });
}

/**
 * Ends a view of one's own before its time. One that has ended already stays as it is.
 * @throws AppError 403 `SUPPORT_VIEW_ENDED` where there is nothing open to end.
 */
export async function closeSupportView(
  { database, clock }: Pick<SupportDeps, 'database' | 'clock'>,
  input: { merchantId: string; supportViewId: string; personId: string },
): Promise<void> {
  const { merchantId, supportViewId, personId } = input;
  const ended = await database.query(endSupportView, [merchantId, supportViewId, personId, clock.now()]);
  if (ended.length === 0) throw supportViewEnded();
}

/** The last views of a merchant, newest first, in both modes. */
export function readSupportViews(
  { database, clock }: { database: Queries; clock: Clock },
  merchantId: string,
): Promise<(SupportViewRow & { is_open: boolean })[]> {
  return database.query(listSupportViews, [merchantId, NEWEST, clock.now()]);
}

/** Asked of the database with every request: a view that has ended opens nothing from that moment on. */
export function createSupportViews({ database, clock }: Pick<SupportDeps, 'database' | 'clock'>): SupportViews {
  return {
    async require(token: string, session: SignedIn): Promise<SupportView> {
      const [merchantId = '', supportViewId = '', ...more] = token.split('.');
      if (session.kind !== 'OPERATOR' || !isUuid(merchantId) || !isUuid(supportViewId) || more.length > 0) {
        throw supportViewEnded();
      }
      const values = [merchantId, supportViewId, session.sessionId, clock.now()];
      const [row] = await database.query(findOpenSupportView, values);
      const merchant = row && (await readSessionMerchant(database, merchantId));
      if (row === undefined || merchant === undefined) throw supportViewEnded();
      const { mode, reason, opened_at: openedAt, expires_at: expiresAt } = row;
      return { supportViewId: row.id, merchant, mode, reason, openedAt, expiresAt };
    },
  };
}

/** A view as the merchant and the desk see it. */
export function supportViewView(row: SupportViewRow & { is_open: boolean }) {
  return {
    supportViewId: row.id,
    mode: row.mode,
    by: row.person_name,
    reason: row.reason,
    openedAt: row.opened_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    isOpen: row.is_open,
  };
}
