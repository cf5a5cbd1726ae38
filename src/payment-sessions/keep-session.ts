import {
  type CommitResult,
  type EventDraft,
  type IdempotencyKey,
  lockedCheck,
  type Movement,
  type UniqueKey,
} from '../ledger/index.ts';
import { DEFAULT_CURRENCY } from '../money/index.ts';
import { type Clock, MINUTE_MS } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import type { OpenedOneTime } from '../rails/index.ts';
import { isNumberTaken, numberTaking } from '../wallets/index.ts';
import { numberOf, openedChange } from './ask-provider.ts';
import {
  changeSession,
  findSession,
  findSessionIdByReference,
  type ReadSession,
  referenceScopeOf,
} from './change-session.ts';
import type { SessionDeps } from './deps.ts';
import {
  originNotAllowed,
  publicSessionsOff,
  returnHostNotAllowed,
  sessionAmountTooLarge,
  sessionReferenceTaken,
  sessionsTooMany,
} from './errors.ts';
import { insertPaymentSessions, type SessionRow } from './queries.ts';
import { readSettings } from './settings.ts';
import { countPublicSessions } from './settings-queries.ts';
import { sessionEventView } from './views.ts';

interface PublicRequest {
  /** The `Origin` header. Undefined where there is none, because the caller is no browser. */
  origin: string | undefined;
  /** In kobo. */
  amountMinor: bigint;
  /** Addresses to which the payer is sent. */
  addresses: readonly URL[];
}

/**
 * The part of a movement by which sessions of browsers are opened and counted one after the other, also where many come
 * at once.
 */
export type OpeningGuard = Required<Pick<Movement, 'checks' | 'changes'>>;

/** The subject of that check and change. */
const PUBLIC_SESSIONS = 'PUBLIC_PAYMENT_SESSIONS';

/**
 * Holds a session that is opened by a public key to what the merchant set: every reader of a page has its public key.
 * @returns what its movement is held to at the commit, where `PAYMENT_SESSIONS_TOO_MANY` may refuse it
 * @throws AppError `PUBLIC_PAYMENT_SESSIONS_OFF`, `ORIGIN_NOT_ALLOWED`, `RETURN_HOST_NOT_ALLOWED`,
 *   `PAYMENT_SESSION_AMOUNT_TOO_LARGE`
 */
export async function requireWithinLimits(
  deps: { database: Database; clock: Clock },
  tenant: Tenant,
  { origin, amountMinor, addresses }: PublicRequest,
): Promise<OpeningGuard> {
  const settings = await readSettings(deps, tenant);
  const { maxAmountMinor } = settings;
  if (!settings.publicKeys || maxAmountMinor === null) throw publicSessionsOff();
  if (origin === undefined || !settings.allowedOrigins.includes(origin)) throw originNotAllowed();
  if (addresses.some(({ host }) => !settings.allowedReturnHosts.includes(host))) throw returnHostNotAllowed();
  if (amountMinor > maxAmountMinor) throw sessionAmountTooLarge(maxAmountMinor, DEFAULT_CURRENCY);
  const { merchantId: merchant_id, mode } = tenant;
  const since = new Date(deps.clock.now().getTime() - MINUTE_MS);
  const check = lockedCheck({
    question: countPublicSessions,
    rows: [{ merchant_id, mode, since }],
    about: [PUBLIC_SESSIONS],
    refusal: (found) => ((found[0]?.sessions ?? 0) >= settings.sessionsPerMinute ? sessionsTooMany() : undefined),
  });
  return { checks: [check], changes: [PUBLIC_SESSIONS] };
}

/** The message of an answer that is the event of the session. The route decides how it is sent. */
export const OPENED_MESSAGE = 'Payment session opened';

interface Keeping {
  /** What has to hold at the commit. */
  guard: OpeningGuard | undefined;
  /** The account, where nobody has to be asked for it. */
  account: OpenedOneTime | undefined;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Keeps a session that is new: open, where its account is known, and being opened otherwise.
 * @returns the session or the answer, where it is open, and where the reference has a session already with the same
 *   content; undefined where the provider has to be asked
 * @throws AppError `PAYMENT_SESSION_REFERENCE_TAKEN`, and what the guard refuses with
 */
export async function keepSession(
  deps: SessionDeps,
  row: SessionRow,
  { guard, account, idempotency }: Keeping,
): Promise<ReadSession | CommitResult | undefined> {
  try {
    if (account !== undefined) {
      try {
        return await keepOpen(deps, row, account, { guard, idempotency });
      } catch (error) {
        // Then it is asked for as any other, and the directory decides whose the number is.
        if (!isNumberTaken(error)) throw error;
      }
    }
    await keepOpening(deps, row, guard);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== sessionReferenceTaken().code) throw error;
    return findEarlier(deps, row);
  }
}

/** A session with its account, its number in the directory and the answer to its request: all of it or none. */
async function keepOpen(
  deps: SessionDeps,
  row: SessionRow,
  account: OpenedOneTime,
  { guard, idempotency }: Omit<Keeping, 'account'>,
): Promise<ReadSession | CommitResult> {
  const { accounts } = account;
  const change = openedChange(row, { answer: account, accounts, at: row.created_at });
  const { movement, session } = changeSession({ row, accounts: [] }, change);
  const open: ReadSession = { ...session, row: { ...session.row, due_at: session.row.expires_at } };
  const numbers = accounts.map(({ accountNumber }) => numberTaking(numberOf(row, accountNumber, row.created_at)));
  // What a guard refuses may be taken later under the same key: only a movement without one keeps what it says.
  const keyed = guard === undefined ? idempotency : undefined;
  const committed = await deps.ledger.commit({
    ...newSession(row),
    idempotency: keyed,
    uniqueKeys: [referenceOf(row), ...movement.uniqueKeys],
    checks: [...(guard?.checks ?? []), ...numbers.map(({ check }) => check)],
    changes: [...(guard?.changes ?? []), ...movement.changes],
    firstSteps: movement.transitions.map(({ machine, id, to }) => ({ machine, id, from: row.status, to })),
    writes: [
      write(insertPaymentSessions, open.row),
      ...(change.writes ?? []),
      ...numbers.map(({ write: taking }) => taking),
    ],
    events: [createdEvent(row), ...movement.events],
    // The second event, which is the first that says that it is open.
    answer: { message: OPENED_MESSAGE, event: 1 },
  });
  return keyed === undefined ? open : committed;
}

async function keepOpening(deps: SessionDeps, row: SessionRow, guard: OpeningGuard | undefined): Promise<void> {
  await deps.ledger.commit({
    ...newSession(row),
    ...guard,
    uniqueKeys: [referenceOf(row)],
    writes: [write(insertPaymentSessions, row)],
    events: [createdEvent(row)],
    answer: { message: 'Success' },
  });
}

const newSession = (row: SessionRow) => ({
  tenant: tenantOf(row),
  id: row.id,
  occurredAt: row.created_at.toISOString(),
});

const referenceOf = ({ opened_by, reference }: SessionRow): UniqueKey => ({
  scope: referenceScopeOf(opened_by),
  value: reference,
  refusal: () => sessionReferenceTaken({ retryable: true }),
});

function createdEvent(row: SessionRow): EventDraft {
  const data = jsonOf(sessionEventView(row, [], null));
  return { id: newId(), type: 'payment_session.created', subjectId: row.id, data };
}

/** The session that has the reference already, where it was asked for with the same content. */
async function findEarlier(
  { database }: SessionDeps,
  { reference, opened_by: openedBy, content_hash, ...row }: SessionRow,
): Promise<ReadSession> {
  const tenant = tenantOf(row);
  const sessionId = await findSessionIdByReference(database, tenant, { reference, openedBy });
  const earlier = sessionId === undefined ? undefined : await findSession(database, tenant, sessionId);
  if (earlier === undefined || earlier.row.content_hash !== content_hash) throw sessionReferenceTaken();
  return earlier;
}
