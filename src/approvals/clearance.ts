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

/** The class of `Cleared`: its private field makes sure that no other object has this type, and it is not exported. */
class Clear {
  readonly kind = 'CLEARED';
  /** The version of the rules that decided; null for what was made before there were any. */
  readonly rulesVersion: number | null;
  readonly approvalId: string | null;
  /** For the movement: at its commit the rules must be the same. */
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
 * Proof that an effect needs no approval, or that all are given. Only this file can make one, and every function that
 * lets money leave takes one, so that none of them can forget to ask.
 */
export type Cleared = Clear;

/** Used by functions that let money leave. @throws Error where a cast made something else look like a clearance. */
export function requireCleared(cleared: Cleared): Cleared {
  if (!Clear.made(cleared)) throw new Error('nobody asked whether this needs an approval');
  return cleared;
}

/**
 * Clears a settlement: it goes to the merchant's own account, which the operator reviewed, and nowhere else, so the
 * merchant approves none. In the sandbox a merchant may not have been reviewed.
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

/** People have to approve first. `requestApproval` asks them. */
export interface Held {
  readonly kind: 'HELD';
  readonly [asked]: true;
  readonly approvalKind: ApprovalKind;
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
  /** Without charges, in kobo; null where there is no amount. */
  amountMinor: bigint | null;
  maker: Maker;
}

/** `approvalRules` is the process's cache of the rules: the same for all callers. */
export interface ClearanceDeps {
  database: Database;
  approvalRules: KnownRules;
}

/** Where the rules change again and again during one command, its client gets the refusal. */
const MAX_ATTEMPTS = 5;

/** Decides whether something needs an approval. Nothing else does. */
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
  return {
    kind: 'HELD',
    approvalKind: kind,
    tenant,
    needed,
    rulesVersion,
    maker,
    makerName,
    reservations,
  } as unknown as Held;
}

/**
 * Finds out whether an approval is needed, and makes an attempt with the answer. The attempt's movement includes the
 * answer's reservations; where the rules have changed by its commit, nothing was done, and both steps are repeated.
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

/** Clears by the last approval that was needed. For `decideApproval` alone. */
export function clearedByApproval({ rules_version, id, status, given, needed }: ApprovalRow): Cleared {
  if (status !== 'PENDING' || given + 1 !== needed) throw new Error(`approval ${id} does not have all that it needs`);
  return new Clear({ rulesVersion: rules_version, approvalId: id, reservations: [] });
}

/**
 * Clears the items of a batch by what cleared its dispatch, as the database has it.
 * @throws Error where no dispatched batch has this id, or it waits for an approval that was not given.
 */
export async function clearedByDispatch(queries: Queries, { merchantId, mode }: Tenant, batchId: string) {
  const [dispatch] = await queries.query(findDispatchClearance, [merchantId, mode, batchId]);
  if (dispatch === undefined) throw new Error(`no dispatch of batch ${batchId} was cleared`);
  const { rules_version: rulesVersion, approval_id: approvalId } = dispatch;
  return new Clear({ rulesVersion, approvalId, reservations: [] });
}

/** Who made something: a person, or a key with the person who made the key. */
export interface Maker {
  merchantId: string;
  /** Null: a key that was made at the operator's terminal, by no person. */
  personId: string | null;
  /** Given for a person; for a key it is looked up where it is needed. */
  name: string | null;
  via: 'DASHBOARD' | 'API';
  keyId: string | null;
  /** The network address; null where the request came over no network. */
  ip: string | null;
}

/** The maker of a request, with the address that it came from. */
export function makerOf({ principal, ip }: { principal: Principal; ip: string }): Maker {
  const { tenant, member, keyCreatedBy, keyId } = principal;
  const { merchantId } = tenant;
  if (member === null) return { merchantId, personId: keyCreatedBy, name: null, via: 'API', keyId, ip };
  return { merchantId, personId: member.personId, name: member.name, via: 'DASHBOARD', keyId: null, ip };
}

/** The maker's name for people to read, and that a key was used, where one was. */
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
 * Where the subject changed meanwhile, its parts refuse with `approvalMovedOn`, and everything is read again.
 */
export interface ApprovalSubject {
  /**
   * What the last approval puts into force.
   * @throws AppError `APPROVAL_DIGEST_MISMATCH` where it is no longer what was shown: then the approval is void. Any
   *   other refusal leaves the approval undecided, and the approver gets it.
   */
  approved(approval: ApprovalRow, cleared: Cleared, at: Date): Promise<MovementParts>;
  /** What happens to the subject when it is not approved. */
  ended(approval: ApprovalRow, how: EndedHow, at: Date): Promise<MovementParts>;
  /**
   * The service that the subject belongs to: nothing is approved of a service that the merchant does not have. Left
   * out: payouts.
   */
  service?(approval: ApprovalRow): Promise<ServiceKey>;
  /** Called after the commit of the parts of `approved`, for example to wake the worker. */
  committed?(approval: ApprovalRow): Promise<void>;
}

export type ApprovalSubjects = Readonly<Record<ApprovalKind, ApprovalSubject>>;
