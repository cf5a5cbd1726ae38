import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Clock } from '../platform/clock.ts';
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
  schema: TSchema;
  check(credentials: unknown): CheckedCredentials | undefined;
}

function declareProvider<Schema extends TSchema>(
  schema: Schema,
  modeOf: (credentials: Static<Schema>) => Mode,
  createRail: (options: RailOptions & { credentials: Static<Schema> }) => Rail,
): Provider {
  return {
    schema,
    check(credentials) {
      if (!Value.Check(schema, credentials)) return undefined;
      return { mode: modeOf(credentials), createRail: (options) => createRail({ ...options, credentials }) };
    },
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
  if (checked === undefined) throw railCredentialsInvalid(faultsOf(found.schema, credentials));
  return checked;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw railCredentialsInvalid('they are not JSON');
  }
}

function faultsOf(schema: TSchema, credentials: unknown): string {
  const fields = Object.keys(Type.IsObject(schema) ? schema.properties : {});
  const isObject = typeof credentials === 'object' && credentials !== null && !Array.isArray(credentials);
  if (!isObject) return `they must be a JSON object with ${fields.join(', ')}`;
  const wrong = new Set(Value.Errors(schema, credentials).map((error) => error.instancePath.split('/')[1] ?? ''));
  const named = [...wrong].filter((field) => fields.includes(field));
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
