import type { Banks } from '../banks/index.ts';
import { requireMerchant } from '../merchants/index.ts';
import { reasonOf, requireOperator } from '../people/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { type FoundList, readList } from '../platform/lists/read-list.ts';
import type { Mode } from '../platform/tenant.ts';
import { oneForm } from '../platform/text.ts';
import { freezeNotFound } from './errors.ts';
import {
  type FreezeFilter,
  type FreezeRow,
  type FreezeSubject,
  findFreeze,
  findShownFreeze,
  freezeList,
  insertFreeze,
  listFreezeTrail,
  type ShownFreezeRow,
  type TrailRow,
} from './freeze-queries.ts';
import { type KnownFreezes, REACHES_MS } from './known-freezes.ts';
import { type ComplianceProposalRead, listPendingLifts } from './proposal-queries.ts';

export interface FreezeDeps {
  database: Database;
  clock: Clock;
  banks: Banks;
  knownFreezes: KnownFreezes;
}

export interface NewFreeze {
  mode: Mode;
  subject: FreezeSubject;
  bankCode?: string | undefined;
  accountNumber?: string | undefined;
  payerName?: string | undefined;
  reference?: string | undefined;
  merchantId?: string | undefined;
  reason: string;
  legalBasis: string;
  owner: string;
  /** Undefined: now. */
  startsAt?: Date | undefined;
  /** Null: until two people lift it. */
  endsAt: Date | null;
  personId: string;
}

/** What each kind of freeze names, and what it may name beside. */
const NAMES: Record<FreezeSubject, { needs: readonly (keyof NewFreeze)[]; takes: readonly (keyof NewFreeze)[] }> = {
  ACCOUNT: { needs: ['bankCode', 'accountNumber'], takes: [] },
  PAYER: { needs: ['payerName'], takes: ['accountNumber'] },
  REFERENCE: { needs: ['reference'], takes: [] },
  MERCHANT: { needs: ['merchantId'], takes: [] },
};
const NAMING = ['bankCode', 'accountNumber', 'payerName', 'reference', 'merchantId'] as const;

/**
 * Freezes an account, a payer, a reference or a merchant from now or from a later moment on. One person does, at once: what
 * is held can be released, and what has left cannot. This process knows it with the answer, others within a second.
 * @throws AppError 400 `VALIDATION_FAILED`; 403 `OPERATOR_NOT_FOUND`; 404 `MERCHANT_NOT_FOUND`.
 */
export async function makeFreeze(deps: FreezeDeps, given: NewFreeze): Promise<FreezeRow> {
  const { database, clock, banks } = deps;
  await requireOperator(database, given.personId);
  requireNames(given);
  const now = clock.now();
  const startsAt = given.startsAt ?? now;
  if (startsAt < now) throw invalidField('startsAt', 'must not be in the past');
  if (given.endsAt !== null && given.endsAt <= startsAt) throw invalidField('endsAt', 'must be after the start');
  if (given.merchantId !== undefined) await requireMerchant(database, given.merchantId);
  const bank = given.bankCode === undefined ? undefined : await banks.findBank(given.bankCode);
  if (given.bankCode !== undefined && bank === undefined) throw invalidField('bankCode', 'is no bank that we know');
  const inForceAt = new Date(Math.max(startsAt.getTime(), now.getTime() + REACHES_MS));
  const [made] = await database.query(insertFreeze, [
    newId(),
    given.mode,
    given.subject,
    bank?.code ?? null,
    bank?.name ?? null,
    given.accountNumber ?? null,
    given.payerName === undefined ? null : oneForm(given.payerName).trim(),
    given.reference?.trim() ?? null,
    given.merchantId ?? null,
    reasonOf(given.reason),
    given.legalBasis.trim(),
    given.owner.trim(),
    startsAt,
    inForceAt,
    given.endsAt,
    given.personId,
    now,
  ]);
  deps.knownFreezes.forget();
  if (made === undefined) throw new Error('the freeze was not made');
  return made;
}

function requireNames(given: NewFreeze): void {
  const { needs, takes } = NAMES[given.subject];
  for (const name of NAMING) {
    const isGiven = given[name] !== undefined && String(given[name]).trim() !== '';
    if (needs.includes(name) && !isGiven) throw invalidField(name, `is needed to freeze ${WORDS[given.subject]}`);
    if (isGiven && !needs.includes(name) && !takes.includes(name)) {
      throw invalidField(name, `is not for a freeze of ${WORDS[given.subject]}`);
    }
  }
}

const WORDS: Record<FreezeSubject, string> = {
  ACCOUNT: 'an account',
  PAYER: 'a payer',
  REFERENCE: 'a reference',
  MERCHANT: 'a merchant',
};

/** @throws AppError 404 `FREEZE_NOT_FOUND`. */
export async function requireFreeze(queries: Queries, freezeId: string): Promise<FreezeRow> {
  const [freeze] = await queries.query(findFreeze, [freezeId]);
  if (freeze === undefined) throw freezeNotFound();
  return freeze;
}

export type PendingLift = ComplianceProposalRead & { proposed_by_email: string | null };

/** A freeze, and that it is to be lifted where somebody proposed it. */
export interface FreezeEntry {
  freeze: ShownFreezeRow;
  lift: PendingLift | undefined;
}

/** Across merchants, newest first. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export function readFreezes(
  database: Database,
  filter: FreezeFilter,
  request: ListRequest,
): Promise<FoundList<FreezeEntry>> {
  return database.snapshot(async (queries) => {
    const { rows, wrapper } = await readList(queries, freezeList(filter), request);
    const lifts = await queries.query(listPendingLifts, [rows.map(({ id }) => id)]);
    const byFreeze = new Map(lifts.map((lift) => [lift.freeze_id, lift]));
    return { rows: rows.map((freeze) => ({ freeze, lift: byFreeze.get(freeze.id) })), wrapper };
  });
}

/** One freeze with all that happened with it. @throws AppError 404 `FREEZE_NOT_FOUND`. */
export function readFreeze(
  { database, clock }: Pick<FreezeDeps, 'database' | 'clock'>,
  freezeId: string,
): Promise<FreezeEntry & { trail: TrailRow[] }> {
  return database.snapshot(async (queries) => {
    const [[freeze], [lift], trail] = await Promise.all([
      queries.query(findShownFreeze, [freezeId]),
      queries.query(listPendingLifts, [[freezeId]]),
      queries.query(listFreezeTrail, [freezeId, clock.now()]),
    ]);
    if (freeze === undefined) throw freezeNotFound();
    return { freeze, lift, trail };
  });
}
