import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { PinGuard } from '../access/index.ts';
import { type AuditCategory, type AuditEntry, type Disclosure, recordAudit } from '../audit/index.ts';
import type { CollectionDeps } from '../collections/index.ts';
import type { FreezeDeps } from '../compliance/index.ts';
import type { DisputeDeps } from '../disputes/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { PayoutDeps } from '../payouts/index.ts';
import { authenticateOperator, type Operator } from '../people/index.ts';
import { type Clock, isDay } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { AppError, isDatabaseAway } from '../platform/errors.ts';
import { isUuid } from '../platform/ids.ts';
import { type ListRequest, listRequest } from '../platform/lists/list.ts';
import type { FoundList } from '../platform/lists/read-list.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import { isVisible, oneForm } from '../platform/text.ts';
import type { ProviderSettlementDeps } from '../provider-settlements/index.ts';
import type { RefundDeps } from '../refunds/index.ts';
import type { Screening } from '../screening/index.ts';
import type { PaymentReview } from '../suspense/index.ts';

export interface AdminDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
  pinGuard: PinGuard;
  ledger: Ledger;
  /** What commands about payouts need, made when one is given. */
  payouts(): PayoutDeps;
  /** The same for commands about refunds. */
  refunds(): RefundDeps;
  /** The same for commands about money that comes in. */
  collections(): CollectionDeps &
    DisputeDeps &
    FreezeDeps &
    ProviderSettlementDeps & { compliance: PaymentReview; screening: Screening };
  peppers: PepperKeeping;
  /** Where old events are archived, and after how many months; no directory: nowhere. */
  archive?: { directory: string | undefined; afterMonths: number };
  /** Opens the merchant's wallets in both modes, in the transaction that creates the merchant. */
  openWallets(tx: Tx, merchantId: string, businessName: string): Promise<void>;
  /** Who runs the command, for the history. */
  actor: string;
  /** One line of answer. */
  print(line: string): void;
  /** One line beside the answer, for people. */
  warn(line: string): void;
  /** All of standard input, without its line end. */
  readInput(): Promise<string>;
}

/** Where the peppers of this installation are kept. */
export interface PepperKeeping {
  /** `secrets.json`; undefined where they come from the settings. */
  file: { add(): Secrets; remove(pepperId: string): void } | undefined;
  /** The settings with a new pepper before those of now. */
  settingsWithNew(): string[];
}

interface Option {
  type: 'string' | 'boolean';
  about: string;
  required?: true;
  multiple?: true;
}

export interface Command extends Disclosure {
  name: string;
  about: string;
  options: Record<string, Option>;
  /** Of what kind its entries in the audit log are. What only looks is written down where this says whose details. */
  audit?: AuditCategory;
  /** Whose audit log it belongs into, where no `--merchant` says so; null is the operator's own. */
  merchantOf?(deps: AdminDeps, given: Given): Promise<string | null>;
  run(deps: AdminDeps, given: Given): Promise<void>;
}

/** A mistake in how the command was called. */
export class UsageError extends Error {}

const MAX_WORDS_LENGTH = 500;

/** The options of one call, as `parseArgs` read them. */
export interface Given {
  text(name: string): string;
  /** A sentence that is kept for people to read. */
  words(name: string): string;
  /** The same of an option that may be left out, or empty. */
  maybeWords(name: string): string | undefined;
  maybe(name: string): string | undefined;
  list(name: string): string[] | undefined;
  flag(name: string): boolean;
  id(name: string): string;
  maybeId(name: string): string | undefined;
  count(name: string): number | undefined;
}

export function given(values: Record<string, unknown>): Given {
  const visible = (name: string, value: string) => {
    if (!isVisible(value)) throw new UsageError(`--${name} must not contain invisible characters.`);
    return oneForm(value);
  };
  const maybe = (name: string) => {
    const value = values[name] as string | undefined;
    return value === undefined ? undefined : visible(name, value);
  };
  const text = (name: string) => {
    const value = maybe(name);
    if (value === undefined || value === '') throw new UsageError(`--${name} is missing.`);
    return value;
  };
  const words = (name: string) => {
    const value = text(name).trim();
    if (value === '' || value.length > MAX_WORDS_LENGTH) {
      throw new UsageError(`--${name} must be a few words, ${MAX_WORDS_LENGTH} characters at most.`);
    }
    return value;
  };
  const id = (name: string) => {
    const value = text(name);
    if (!isUuid(value)) throw new UsageError(`--${name} must be an id such as 0193a4b2-7c11-7d2e-9f00-5f3a1c2b4d6e.`);
    return value;
  };
  return {
    text,
    words,
    maybeWords: (name) => ((maybe(name) ?? '').trim() === '' ? undefined : words(name)),
    maybe,
    list: (name) => (values[name] as string[] | undefined)?.map((value) => visible(name, value)),
    flag: (name) => values[name] === true,
    id,
    maybeId: (name) => (maybe(name) === undefined ? undefined : id(name)),
    count(name) {
      const value = maybe(name);
      if (value !== undefined && !/^\d{1,9}$/.test(value)) throw new UsageError(`--${name} must be a whole number.`);
      return value === undefined ? undefined : Number(value);
    },
  };
}

/** Who did it, in mails to a merchant's people: which of the staff it was is the operator's. */
export const THE_OPERATOR = 'The operator of Manilla';

export const MERCHANT: Option = { type: 'string', about: 'id of the merchant', required: true };
export const MODE: Option = { type: 'string', about: 'SANDBOX or LIVE', required: true };
export const EMAIL: Option = {
  type: 'string',
  about: 'your own e-mail address; your password is read from standard input',
  required: true,
};

/** Proves who gives the command: a person at this machine has no identity before that. */
export async function signIn(deps: AdminDeps, options: Given): Promise<Operator> {
  return authenticateOperator(deps, { email: options.text('email'), password: await deps.readInput() });
}

export function modeOf(text: string): Mode {
  const mode = text.toUpperCase();
  if (mode !== 'SANDBOX' && mode !== 'LIVE') throw new UsageError('--mode must be SANDBOX or LIVE.');
  return mode;
}

/** Of `--merchant` and `--mode`. */
export function givenTenant(options: Given): Tenant {
  return { merchantId: options.id('merchant'), mode: modeOf(options.text('mode')) };
}

/** One of a few words, in any case. */
export function oneOf<Word extends string>(options: Given, name: string, words: readonly Word[]): Word {
  const text = options.text(name).toUpperCase();
  const word = words.find((one) => one === text);
  if (word === undefined) throw new UsageError(`--${name} must be one of ${words.join(', ')}.`);
  return word;
}

/** A date here may have a year that the database does not take. */
const LAST_YEAR = 9_999;

/** A date and time with its offset; undefined where it is left out. */
export function momentOf(options: Given, name: string): Date | undefined {
  const text = options.maybe(name);
  if (text === undefined) return undefined;
  const moment = new Date(text);
  if (!/T.*(Z|[+-]\d{2}:\d{2})$/.test(text) || !(moment.getUTCFullYear() <= LAST_YEAR)) {
    throw new UsageError(`--${name} must be a date and time with its offset, such as 2026-12-01T00:00:00+01:00.`);
  }
  return moment;
}

/** A day in Lagos, such as `2026-11-20`. @throws UsageError */
export function dayOf(options: Given, name: string): string {
  const day = options.text(name);
  if (!isDay(day)) throw new UsageError(`--${name} must be a day such as 2026-11-20.`);
  return day;
}

/** The file that `--file` names; `size` in bytes. @throws UsageError where there is none */
export async function fileOf(options: Given) {
  const path = options.text('file');
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) throw new UsageError(`--file: there is no file ${path}.`);
  return { path, size: found.size, fileName: basename(path), open: () => createReadStream(path) };
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** What a command that lists takes. */
export const PAGE_OPTIONS = {
  limit: { type: 'string', about: `how many, ${DEFAULT_LIMIT} by default, at most ${MAX_LIMIT}` },
  after: { type: 'string', about: 'the cursor with which the list before ended, for those that follow' },
} as const;

/** @throws AppError 400 `CURSOR_INVALID` */
export function pageOf(options: Given): ListRequest {
  const after = options.maybe('after');
  const size = Math.max(1, Math.min(options.count('limit') ?? DEFAULT_LIMIT, MAX_LIMIT));
  return listRequest({ size, ...(after !== undefined && { after }) });
}

/** That there is nothing, or that there is more. */
export function warnOfRest({ warn }: AdminDeps, { rows, wrapper }: FoundList<unknown>, nothing: string): void {
  if (rows.length === 0) warn(nothing);
  if (wrapper.nextCursor !== null) warn(`There are more: --after ${wrapper.nextCursor}`);
}

/** Commands whose name begins so only look. They are on record where somebody's details are in what they print. */
const LOOKS = /^(list|show)-|^rail-balance$|^export-/;

/** Options that say what a command was about. What is not named here, such as a PIN or a BVN, is not kept. */
const KEPT_OPTIONS: readonly string[] = [
  ...['merchant', 'mode', 'reason', 'service', 'key', 'for', 'scope', 'ip', 'days', 'live', 'public', 'name', 'email'],
  ...['per-payout', 'per-day', 'duplicate-window', 'from', 'until', 'to', 'as-all', 'overlap-hours', 'maker-checker'],
  ...['channel', 'availability', 'percent', 'settle', 'minimum', 'window', 'cooling-off'],
  ...['tier', 'single-in', 'daily-in', 'balance', 'single-out', 'daily-out', 'listed-on', 'day', 'certainty', 'id'],
  ...['provider', 'first', 'second', 'default', 'open-to-merchants', 'rail', 'kobo', 'base-url', 'no-check', 'replace'],
  ...['payout', 'proposal', 'outcome', 'source', 'note', 'import', 'line', 'result', 'how', 'nobody-left', 'digest'],
  ...['pepper', 'it-is-lost', 'finish', 'credit', 'payment', 'action', 'account', 'bank', 'lost'],
  ...[
    'refund',
    'dispute',
    'number',
    'amount',
    'category',
    'due-at',
    'freeze',
    'subject',
    'payer',
    'legal-basis',
    'owner',
  ],
  ...['settlement', 'reference', 'lump-sum', 'settled-on', 'cut-off', 'close', 'kind', 'code'],
];
/** Kept as its host alone: what follows in an address is often a secret. */
const ADDRESS_OPTION = 'base-url';

function keptValue(option: string, value: unknown): string | boolean | null {
  if (Array.isArray(value)) return value.join(' ');
  if (option === ADDRESS_OPTION) return URL.parse(String(value))?.host ?? null;
  return value as string | boolean;
}

/**
 * Runs a command of the operator's terminal and records it where it may change something or shows somebody's details: that it was asked before it
 * runs, so that nothing happens unseen, and what became of it after.
 */
export async function runAudited(
  deps: AdminDeps,
  command: Command,
  values: Record<string, unknown>,
  run: () => Promise<void>,
): Promise<void> {
  if (LOOKS.test(command.name) && command.audit === undefined) return run();
  const entry = { ...entryOf(deps, command, values), ...(await merchantOf(deps, command, values)) };
  await recordAudit(deps.database, { ...entry, at: deps.clock.now(), outcome: 'ASKED', code: null });
  try {
    await run();
  } catch (error) {
    const code = error instanceof AppError ? error.code : error instanceof UsageError ? 'USAGE' : 'INTERNAL_ERROR';
    await recordAudit(deps.database, { ...entry, at: deps.clock.now(), outcome: 'REFUSED', code });
    throw error;
  }
  try {
    await recordAudit(deps.database, { ...entry, at: deps.clock.now(), outcome: 'DONE', code: null });
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    // That it was asked for is on record. Whoever reads that it failed would do it twice.
    deps.warn('It is done. That it is could not be written into the audit log, which has that it was asked for.');
  }
}

/** As its entries in the audit log have it. */
export const actionOf = (name: string): string => `admin ${name}`;

/** A command that is about a person belongs into the log of their business. */
async function merchantOf(deps: AdminDeps, command: Command, values: Record<string, unknown>) {
  return command.merchantOf === undefined ? {} : { merchantId: await command.merchantOf(deps, given(values)) };
}

function entryOf(
  { actor }: AdminDeps,
  { name, about, audit }: Command,
  values: Record<string, unknown>,
): Omit<AuditEntry, 'at' | 'outcome' | 'code'> {
  const { merchant } = values;
  const mode = typeof values['mode'] === 'string' ? values['mode'].toUpperCase() : null;
  return {
    merchantId: typeof merchant === 'string' && isUuid(merchant) ? merchant.toLowerCase() : null,
    mode: mode === 'SANDBOX' || mode === 'LIVE' ? mode : null,
    action: actionOf(name),
    summary: about,
    category: audit ?? null,
    subject: Object.fromEntries(
      KEPT_OPTIONS.flatMap((option) => {
        const value = values[option];
        return value === undefined ? [] : [[option, keptValue(option, value)]];
      }),
    ),
    actor: { kind: 'SYSTEM', id: null, name: actor, role: null, sessionId: null },
    ip: null,
    userAgent: null,
    requestId: null,
  };
}
