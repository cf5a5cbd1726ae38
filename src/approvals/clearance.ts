import { nameOfPerson, type Principal } from '../access/index.ts';
import type { MovementParts, Reservation } from '../ledger/index.ts';
import { readReviewedAccount, type ServiceKey } from '../merchants/index.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type KnownRules, neededFor, rulesReservation } from './approval-rules.ts';
import {
  type ApprovalKind,
  type ApprovalRow,
  findDispatchClearance,
  findPersonName,
  findRefundRuleVersion,
} from './queries.ts';

/** What `Cleared` is made of: a private field, so that no other object passes for one, and a class that is not exported. */
class Clear {
  readonly kind = 'CLEARED';
  /** By which version of the rules; null for what was made before there were any. */
  readonly rulesVersion: number | null;
  readonly approvalId: string | null;
  /** For the movement: by its commit the rules must be the same. */
  readonly reservations: readonly Reservation[];
  readonly #asked = true;

  constructor({ rulesVersion, approvalId, reservations }: Pick<Clear, 'rulesVersion' | 'approvalId' | 'reservations'>) {
    this.rulesVersion = rulesVersion;
    this.approvalId = approvalId;
    this.reservations = reservations;
    Object.freeze(this);
  }

  static made(value: object): boolean {
    return #asked in value;
  }
}

/**
 * Nothing stands between this and its effect: no approval is needed, or all are given. Only this file can make one, and
 * what lets money leave takes one, so that no way in can forget to ask.
 */
export type Cleared = Clear;

/** For what lets money leave. @throws Error where a cast passed something else off as one. */
export function requireCleared(cleared: Cleared): Cleared {
  if (!Clear.made(cleared)) throw new Error('nobody asked whether this needs an approval');
  return cleared;
}

/**
 * For a settlement: it goes to the merchant's own account, which the operator reviewed, and nowhere else, so that no
 * approval of the merchant's is asked for. In the sandbox a merchant may have been reviewed by nobody.
 * @throws Error where it is to go to another account.
 */
export async function clearedByReview(
  queries: Queries,
  { merchantId, mode }: Tenant,
  to: { bankCode: string; accountNumber: string },
): Promise<Cleared> {
  const reviewed = await readReviewedAccount(queries, merchantId);
  const isSame = reviewed?.bankCode === to.bankCode && reviewed.accountNumber === to.accountNumber;
  if (!isSame && !(mode === 'SANDBOX' && reviewed === undefined)) {
    throw new Error(`merchant ${merchantId} has no reviewed account ${to.accountNumber}`);
  }
  return new Clear({ rulesVersion: null, approvalId: null, reservations: [] });
}

/**
 * Clears a refund that the merchant's own rule makes. A person who may change the approval rules set that rule, and it
 * sends money only to the payer of a payment and never more than was paid, so nobody approves each refund.
 * @throws Error where this version of the rule does not send back what has this cause, this way.
 */
export async function clearedByRefundRule(
  queries: Queries,
  { merchantId, mode }: Tenant,
  { version, cause, way }: { version: number; cause: 'LATE' | 'EXCESS'; way: string },
): Promise<Cleared> {
  const [rule] = await queries.query(findRefundRuleVersion, [merchantId, mode, version]);
  const set = cause === 'LATE' ? rule?.late : rule?.excess;
  if (set !== way || set === 'OFF')
    throw new Error(`version ${version} of merchant ${merchantId} refunds no ${cause} by ${way}`);
  return new Clear({ rulesVersion: null, approvalId: null, reservations: [] });
}

declare const asked: unique symbol;

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

/** `approvalRules` is what the process knows of the rules: one for all that ask. */
export interface ClearanceDeps {
  database: Database;
  approvalRules: KnownRules;
}

/** Rules that change again and again while one command looks: then its client gets the refusal. */
const MAX_ATTEMPTS = 5;

/** The one place where it is decided whether something needs an approval. */
async function approvalFor(
  { database, approvalRules }: ClearanceDeps,
  question: ClearanceQuestion,
): Promise<Clearance> {
  const { tenant, kind, amountMinor, maker } = question;
  const rules = await approvalRules.read(tenant);
  const needed = neededFor(rules, kind, amountMinor);
  const reservations = [rulesReservation(rules)];
  const { version: rulesVersion } = rules;
  if (needed === 0) return new Clear({ rulesVersion, approvalId: null, reservations });
  const makerName = await nameOfMaker(database, maker);
  return { kind: 'HELD', what: kind, tenant, needed, rulesVersion, maker, makerName, reservations } as unknown as Held;
}

/**
 * Asks whether an approval is needed and makes an attempt by the answer. The attempt's movement carries the answer's
 * reservations; where the rules have changed by its commit, nothing was done, and it is asked and attempted again.
 */
export async function withClearance<T>(
  deps: ClearanceDeps,
  question: ClearanceQuestion,
  attempt: (clearance: Clearance) => Promise<T>,
): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt(await approvalFor(deps, question));
    } catch (error) {
      const changed = error instanceof AppError && error.code === 'APPROVAL_RULES_CHANGED';
      if (!changed || attempts >= MAX_ATTEMPTS) throw error;
      deps.approvalRules.forget(question.tenant);
    }
  }
}

/** By the last approval that it needed. For `decideApproval` alone. */
export function clearedByApproval({ rules_version, id, status, given, needed }: ApprovalRow): Cleared {
  if (status !== 'PENDING' || given + 1 !== needed) throw new Error(`approval ${id} does not have all that it needs`);
  return new Clear({ rulesVersion: rules_version, approvalId: id, reservations: [] });
}

/**
 * For the items of a batch: what cleared its dispatch, as the database has it.
 * @throws Error where no dispatched batch has this id, or it waits for an approval that was not given.
 */
export async function clearedByDispatch(queries: Queries, { merchantId, mode }: Tenant, batchId: string) {
  const [dispatch] = await queries.query(findDispatchClearance, [merchantId, mode, batchId]);
  if (dispatch === undefined) throw new Error(`no dispatch of batch ${batchId} was cleared`);
  const { rules_version: rulesVersion, approval_id: approvalId } = dispatch;
  return new Clear({ rulesVersion, approvalId, reservations: [] });
}

/** Who made something: a person, or a key, behind which stands the person who made the key. */
export interface Maker {
  merchantId: string;
  /** Null: a key of the operator's terminal, which no person made. */
  personId: string | null;
  /** Of a person; of a key it is looked up where it is needed. */
  name: string | null;
  via: 'DASHBOARD' | 'API';
  keyId: string | null;
  /** From where; null where nobody asked over a network. */
  ip: string | null;
}

/** Of a request: who it is by, and from where. */
export function makerOf({ principal, ip }: { principal: Principal; ip: string }): Maker {
  const { tenant, member, keyCreatedBy, keyId } = principal;
  const { merchantId } = tenant;
  if (member === null) return { merchantId, personId: keyCreatedBy, name: null, via: 'API', keyId, ip };
  return { merchantId, personId: member.personId, name: member.name, via: 'DASHBOARD', keyId: null, ip };
}

/** For people to read: who made it, and that it came by a key where it did. */
async function nameOfMaker(database: Database, { merchantId, personId, name }: Maker): Promise<string> {
  if (name !== null) return name;
  const [person] = personId === null ? [] : await database.query(findPersonName, [merchantId, personId]);
  if (person === undefined) return 'An API key';
  const { first_name: firstName, last_name: lastName, email } = person;
  return `${nameOfPerson({ firstName, lastName, email })}, by an API key`;
}

/** How an approval ended without its effect. */
export type EndedHow = 'REJECTED' | 'WITHDRAWN' | 'EXPIRED' | 'VOID';

/**
 * What one kind of approval is for. Its parts commit in one movement with the approval's own state: both or neither.
 * Where the subject moved on meanwhile, its parts refuse with `approvalMovedOn`, and all is looked at again.
 */
export interface ApprovalSubject {
  /**
   * What the last approval puts into force.
   * @throws AppError `APPROVAL_DIGEST_MISMATCH` where it is no longer what was shown: then the approval is void. Any
   *   other refusal leaves the approval undecided, and the approver gets it.
   */
  approved(approval: ApprovalRow, cleared: Cleared, at: Date): Promise<MovementParts>;
  /** What becomes of it when it is not approved. */
  ended(approval: ApprovalRow, how: EndedHow, at: Date): Promise<MovementParts>;
  /** The service that it is asked for by: nothing is approved by one that the merchant does not have. Left out: payouts. */
  service?(approval: ApprovalRow): Promise<ServiceKey>;
  /** After the commit of what `approved` gave, such as waking the worker. */
  committed?(approval: ApprovalRow): Promise<void>;
}

export type ApprovalSubjects = Readonly<Record<ApprovalKind, ApprovalSubject>>;
