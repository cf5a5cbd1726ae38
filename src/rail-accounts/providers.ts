import type { Static, TObject } from 'typebox';
import type { Clock } from '../platform/clock.ts';
import { compileCheck, compileGuard } from '../platform/http/validation.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode } from '../platform/tenant.ts';
import {
  createFlutterwaveRail,
  createMonnifyRail,
  createPaystackRail,
  FlutterwaveCredentials,
  flutterwaveMode,
  MonnifyCredentials,
  monnifyMode,
  PaystackCredentials,
  paystackMode,
  type Rail,
} from '../rails/index.ts';
import { railCredentialsInvalid, railCredentialsUnreadable, railProviderUnknown } from './errors.ts';
import type { RailAccountRow } from './queries.ts';

interface RailOptions {
  name: string;
  baseUrl: string | undefined;
  clock: Clock;
}

/** Credentials that were checked against their provider's schema, ready to be used. */
export interface CheckedCredentials {
  /** The mode that they are for, by their own marks. */
  mode: Mode;
  createRail(options: RailOptions): Rail;
}

interface Provider {
  fields: readonly string[];
  check(credentials: unknown): CheckedCredentials | undefined;
  /** The fields at fault, those that are missing or too many as well. */
  faultsOf(credentials: unknown): readonly string[];
}

function declareProvider<Schema extends TObject>(
  schema: Schema,
  modeOf: (credentials: Static<Schema>) => Mode,
  createRail: (options: RailOptions & { credentials: Static<Schema> }) => Rail,
): Provider {
  const areCredentials = compileGuard(schema);
  const mistakesIn = compileCheck(schema);
  return {
    fields: Object.keys(schema.properties),
    check(credentials) {
      if (!areCredentials(credentials)) return undefined;
      return { mode: modeOf(credentials), createRail: (options) => createRail({ ...options, credentials }) };
    },
    faultsOf: (credentials) => mistakesIn(credentials).map(({ field }) => field),
  };
}

const PROVIDERS: Readonly<Record<string, Provider>> = {
  paystack: declareProvider(PaystackCredentials, paystackMode, createPaystackRail),
  flutterwave: declareProvider(FlutterwaveCredentials, flutterwaveMode, createFlutterwaveRail),
  monnify: declareProvider(MonnifyCredentials, monnifyMode, createMonnifyRail),
};

export const PROVIDER_NAMES: readonly string[] = Object.keys(PROVIDERS);

/**
 * @param text JSON, as the operator gave it or as it was sealed
 * @throws AppError `RAIL_PROVIDER_UNKNOWN`, `RAIL_CREDENTIALS_INVALID`: the fields at fault, never their content
 */
export function checkCredentials(name: string, text: string): CheckedCredentials {
  const found = Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined;
  if (found === undefined) throw railProviderUnknown(name, PROVIDER_NAMES);
  const credentials = parsed(text);
  const checked = found.check(credentials);
  if (checked === undefined) throw railCredentialsInvalid(hintOf(found, credentials));
  return checked;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw railCredentialsInvalid('they are not JSON');
  }
}

function hintOf({ fields, faultsOf }: Provider, credentials: unknown): string {
  const isObject = typeof credentials === 'object' && credentials !== null && !Array.isArray(credentials);
  if (!isObject) return `they must be a JSON object with ${fields.join(', ')}`;
  const faults = new Set(faultsOf(credentials));
  const named = fields.filter((field) => field in credentials && faults.has(field));
  const hint = named.length === 0 ? 'fields are missing or too many' : `${named.join(', ')} is not in the right form`;
  return `${hint}; they have ${fields.join(', ')}`;
}

/**
 * What of the row the credentials are sealed with: a change of one of these in the row makes them unusable, not
 * misdirected.
 */
export type SealedFor = Pick<RailAccountRow, 'name' | 'provider' | 'mode' | 'base_url'>;

export function sealCredentials(secrets: Secrets, account: SealedFor, text: string): string {
  return secrets.seal(text, contextOf(account));
}

/** @throws AppError `RAIL_CREDENTIALS_UNREADABLE` */
export function openCredentials(secrets: Secrets, account: SealedFor & Pick<RailAccountRow, 'sealed_credentials'>) {
  try {
    return secrets.open(account.sealed_credentials, contextOf(account));
  } catch (error) {
    throw railCredentialsUnreadable(account.name, error);
  }
}

function contextOf({ name, provider, mode, base_url }: SealedFor): string {
  return `rail_accounts/${name}/${provider}/${mode}/${base_url ?? ''}/sealed_credentials`;
}
