import type { PinGuard } from '../access/index.ts';
import type { AuditCategory } from '../audit/index.ts';
import type { CollectionDeps } from '../collections/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { PayoutDeps } from '../payouts/index.ts';
import { authenticateOperator, type Operator } from '../people/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { isUuid } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import { isVisible, oneForm } from '../platform/text.ts';

export interface AdminDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
  pinGuard: PinGuard;
  ledger: Ledger;
  /** What commands about payouts need, made when one is given. */
  payouts(): PayoutDeps;
  /** The same for commands about money that comes in. */
  collections(): CollectionDeps;
  peppers: PepperKeeping;
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

export interface Command {
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
  maybe(name: string): string | undefined;
  list(name: string): string[] | undefined;
  flag(name: string): boolean;
  id(name: string): string;
  count(name: string): number | undefined;
}

export function given(values: Record<string, unknown>): Given {
  const maybe = (name: string) => {
    const value = values[name] as string | undefined;
    if (value !== undefined && !isVisible(value))
      throw new UsageError(`--${name} must not contain invisible characters.`);
    return value === undefined ? undefined : oneForm(value);
  };
  const text = (name: string) => {
    const value = maybe(name);
    if (value === undefined || value === '') throw new UsageError(`--${name} is missing.`);
    return value;
  };
  return {
    text,
    words(name) {
      const value = text(name).trim();
      if (value === '' || value.length > MAX_WORDS_LENGTH) {
        throw new UsageError(`--${name} must be a few words, ${MAX_WORDS_LENGTH} characters at most.`);
      }
      return value;
    },
    maybe,
    list: (name) => values[name] as string[] | undefined,
    flag: (name) => values[name] === true,
    id(name) {
      const value = text(name);
      if (!isUuid(value)) throw new UsageError(`--${name} must be an id such as 0193a4b2-7c11-7d2e-9f00-5f3a1c2b4d6e.`);
      return value;
    },
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

/** Who gives the command, proved: whoever sits at this machine is nobody yet. */
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
  const given = options.text(name).toUpperCase();
  const word = words.find((one) => one === given);
  if (word === undefined) throw new UsageError(`--${name} must be one of ${words.join(', ')}.`);
  return word;
}

/** A date and time with its offset; undefined where it is left out. */
export function momentOf(given: Given, name: string): Date | undefined {
  const text = given.maybe(name);
  if (text === undefined) return undefined;
  const moment = new Date(text);
  if (!/T.*(Z|[+-]\d{2}:\d{2})$/.test(text) || Number.isNaN(moment.getTime())) {
    throw new UsageError(`--${name} must be a date and time with its offset, such as 2026-12-01T00:00:00+01:00.`);
  }
  return moment;
}
