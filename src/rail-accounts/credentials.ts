import type { Secrets } from '../platform/secrets.ts';
import { railCredentialsUnreadable } from './errors.ts';
import type { RailAccountRow } from './queries.ts';

/** Of the row: whoever changes one of these under the sealed credentials makes them useless, not misdirected. */
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
