import type { Movement, Reservation } from '../ledger/index.ts';
import type { Database } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import type { Tenant } from '../platform/tenant.ts';
import { forgetRules, neededFor, readRules, rulesMark } from './approval-rules.ts';
import { type Maker, nameOfMaker } from './maker.ts';
import type { ApprovalKind, ApprovalRow } from './queries.ts';

/** What one side brings to a movement that an approval and its subject make together. */
export type MovementParts = Partial<
  Pick<
    Movement,
    | 'uniqueKeys'
    | 'reservations'
    | 'releases'
    | 'limitUsages'
    | 'checks'
    | 'changes'
    | 'transitions'
    | 'transfers'
    | 'writes'
    | 'numbered'
    | 'events'
  >
>;

/** All of them as one, each list in the order in which they are given. */
export function joinParts(...parts: readonly MovementParts[]): Required<MovementParts> {
  return {
    uniqueKeys: parts.flatMap(({ uniqueKeys }) => uniqueKeys ?? []),
    reservations: parts.flatMap(({ reservations }) => reservations ?? []),
    releases: parts.flatMap(({ releases }) => releases ?? []),
    limitUsages: parts.flatMap(({ limitUsages }) => limitUsages ?? []),
    checks: parts.flatMap(({ checks }) => checks ?? []),
    changes: parts.flatMap(({ changes }) => changes ?? []),
    transitions: parts.flatMap(({ transitions }) => transitions ?? []),
    transfers: parts.flatMap(({ transfers }) => transfers ?? []),
    writes: parts.flatMap(({ writes }) => writes ?? []),
    numbered: parts.flatMap(({ numbered }) => numbered ?? []),
    events: parts.flatMap(({ events }) => events ?? []),
  };
}

declare const asked: unique symbol;

/**
 * Nothing stands between this and its effect: no approval is needed, or all are given. Only this module can make one, and
 * what lets money leave takes one, so that no way in can forget to ask.
 */
export interface Cleared {
  readonly kind: 'CLEARED';
  readonly [asked]: true;
  /** By which version of the rules; null for what was made before there were any. */
  readonly rulesVersion: number | null;
  readonly approvalId: string | null;
  /** For the movement: by its commit the rules must be the same. */
  readonly reservations: readonly Reservation[];
}

/** People have to approve first. `requestApproval` puts it before them. */
export interface Held {
  readonly kind: 'HELD';
  readonly [asked]: true;
  readonly what: ApprovalKind;
  readonly tenant: Tenant;
  readonly needed: number;
  readonly rulesVersion: number;
  readonly maker: Maker;
  readonly makerName: string;
  readonly reservations: readonly Reservation[];
}

export type Clearance = Cleared | Held;

export interface ClearanceQuestion {
  tenant: Tenant;
  kind: ApprovalKind;
  /** Without charges, in kobo; null where it is about no amount. */
  amountMinor: bigint | null;
  maker: Maker;
}

/** Rules that change again and again while one command looks: then its client is told. */
const MAX_ATTEMPTS = 5;

/** The one place where it is decided whether something needs an approval. */
async function approvalFor(database: Database, question: ClearanceQuestion): Promise<Clearance> {
  const { tenant, kind, amountMinor, maker } = question;
  const rules = await readRules(database, tenant);
  const needed = neededFor(rules, kind, amountMinor);
  const reservations = [rulesMark(rules)];
  const { version: rulesVersion } = rules;
  if (needed === 0) return cleared({ rulesVersion, approvalId: null, reservations });
  const makerName = await nameOfMaker(database, maker);
  return { kind: 'HELD', what: kind, tenant, needed, rulesVersion, maker, makerName, reservations } as unknown as Held;
}

/**
 * Asks whether an approval is needed and makes an attempt by the answer. The attempt's movement carries the answer's
 * marks; where the rules have changed by its commit, nothing was done, and it is asked and attempted again.
 */
export async function withClearance<T>(
  { database }: { database: Database },
  question: ClearanceQuestion,
  attempt: (clearance: Clearance) => Promise<T>,
): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt(await approvalFor(database, question));
    } catch (error) {
      const changed = error instanceof AppError && error.code === 'APPROVAL_RULES_CHANGED';
      if (!changed || attempts >= MAX_ATTEMPTS) throw error;
      forgetRules(database, question.tenant);
    }
  }
}

/** By the last approval that it needed. For `decideApproval` alone. */
export function clearedByApproval({ rules_version, id }: ApprovalRow): Cleared {
  return cleared({ rulesVersion: rules_version, approvalId: id, reservations: [] });
}

/** The items of a dispatched batch: its dispatch was cleared. */
export function clearedWithBatch(batch: { rules_version: number | null; approval_id: string | null }): Cleared {
  return cleared({ rulesVersion: batch.rules_version, approvalId: batch.approval_id, reservations: [] });
}

function cleared(answer: Pick<Cleared, 'rulesVersion' | 'approvalId' | 'reservations'>): Cleared {
  return { kind: 'CLEARED', ...answer } as Cleared;
}
