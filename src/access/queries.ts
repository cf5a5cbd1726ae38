import type { MerchantStatus, ReviewStatus, ServiceKey } from '../merchants/index.ts';
import { setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import type { KeyKind } from './api-key.ts';
import type { Role } from './roles.ts';

export interface ApiKeyRow {
  merchant_id: string;
  id: string;
  mode: Mode;
  kind: KeyKind;
  key_hash: string;
  prefix: string;
  last_four: string;
  scopes: string[];
  allowed_ips: string[];
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  name: string;
  /** The person who made it; null for a key of the operator's terminal. */
  created_by: string | null;
  created_by_name: string | null;
  /** Made for a person to try the API reference with. */
  for_reference: boolean;
  /** The person who made it may not sign in any more. Only where a key is read to be shown. */
  maker_left?: boolean;
}

/** Everything about a key that decides a request. */
export interface KeyStateRow {
  merchant_id: string;
  id: string;
  mode: Mode;
  kind: KeyKind;
  scopes: string[];
  allowed_ips: string[];
  expires_at: Date | null;
  revoked_at: Date | null;
  created_by: string | null;
  status: MerchantStatus;
  review_status: ReviewStatus;
  business_name: string;
  services: ServiceKey[];
  pin_version: number | null;
  pin_locked_until: Date | null;
}

export interface PinRow {
  pin_hash: string;
  version: number;
  failed_tries: number;
  last_failed_at: Date | null;
  locked_until: Date | null;
}

export const insertDirectoryEntry = statement(
  'insert-api-key-directory',
  'insert into api_key_directory (key_hash, merchant_id, key_id) values ($1, $2, $3)',
);

export const listDirectoryEntries = statement<{ key_hash: string; merchant_id: string; key_id: string }>(
  'list-api-key-directory',
  'select key_hash, merchant_id, key_id from api_key_directory where key_hash = any($1::text[])',
);

/** Reads beside this module's own tables those of merchants: what decides a request is one statement for all keys. */
export const listKeyStates = statement<KeyStateRow>(
  'list-key-states',
  `select k.merchant_id, k.id, k.mode, k.kind, k.scopes, k.allowed_ips, k.expires_at, k.revoked_at, k.created_by,
     m.status, m.review_status, m.business_name,
     array(select s.service_key from merchant_services s where s.merchant_id = k.merchant_id) as services,
     p.version as pin_version, p.locked_until as pin_locked_until
   from unnest($1::uuid[], $2::uuid[]) as wanted (merchant_id, id)
   join api_keys k on k.merchant_id = wanted.merchant_id and k.id = wanted.id
   join merchants m on m.id = k.merchant_id
   left join merchant_pins p on p.merchant_id = k.merchant_id`,
);

export const insertApiKey = statement(
  'insert-api-key',
  `insert into api_keys (merchant_id, id, mode, kind, key_hash, prefix, last_four, scopes, allowed_ips, created_at,
     expires_at, name, created_by, created_by_name, for_reference)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
);

/** Reads beside the key whether its maker is still there: people stand above keys. */
const SHOWN_KEY = `k.*, k.created_by is not null and not exists (
    select 1 from people p where p.id = k.created_by and p.disabled_at is null) as maker_left`;

export const findApiKey = statement<ApiKeyRow>(
  'find-api-key',
  `select ${SHOWN_KEY} from api_keys k where k.merchant_id = $1 and k.id = $2`,
);

export const lockApiKey = statement<ApiKeyRow>(
  'lock-api-key',
  'select * from api_keys where merchant_id = $1 and id = $2 for update',
);

/** $1 merchant, $2 mode or null for both. */
export const listApiKeysOfMerchant = statement<ApiKeyRow>(
  'list-api-keys',
  `select ${SHOWN_KEY} from api_keys k
    where k.merchant_id = $1 and ($2::text is null or k.mode = $2) order by k.id desc`,
);

/** $1 merchant, $2 the person who made them, $3 now: those in force. */
export const listApiKeysOfMaker = statement<ApiKeyRow>(
  'list-api-keys-of-maker',
  `select ${SHOWN_KEY} from api_keys k
    where k.merchant_id = $1 and k.created_by = $2 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $3)
    order by k.id desc`,
);

export const updateKeysRevoked = statement(
  'update-api-keys-revoked',
  'update api_keys set revoked_at = $3 where merchant_id = $1 and id = any($2::uuid[]) and revoked_at is null',
);

/**
 * Somebody who makes a key, as they are now: nobody takes their rights away until this transaction has ended. Of people,
 * who stand above keys.
 */
export const lockKeyMaker = statement<{ role: Role | null }>(
  'lock-api-key-maker',
  'select role from people where merchant_id = $1 and id = $2 and disabled_at is null for share',
);

/** $1 merchant, $2 mode, $3 now. */
export const countActiveKeys = statement<{ keys: number }>(
  'count-active-api-keys',
  `select count(*)::int as keys from api_keys
   where merchant_id = $1 and mode = $2 and revoked_at is null and (expires_at is null or expires_at > $3)`,
);

/** $1 merchant, $2 mode, $3 now, $4 the scopes of which one is enough. */
export const countUnmadeKeys = statement<{ keys: number }>(
  'count-api-keys-without-maker',
  `select count(*)::int as keys from api_keys
   where merchant_id = $1 and mode = $2 and kind = 'SECRET' and created_by is null and scopes && $4::text[]
     and revoked_at is null and (expires_at is null or expires_at > $3)`,
);

/** $1 merchant, $2 key, $3 mode, $4 name, $5 addresses; null leaves either as it is. */
export const updateApiKey = statement(
  'update-api-key',
  `update api_keys set name = coalesce($4::text, name), allowed_ips = coalesce($5::text[], allowed_ips)
   where merchant_id = $1 and id = $2 and mode = $3`,
);

/** $1 merchant, $2 person, $3 now: the keys that this person tried the reference with. */
export const updateReferenceKeysRevoked = statement(
  'update-reference-keys-revoked',
  `update api_keys set revoked_at = $3
   where merchant_id = $1 and created_by = $2 and for_reference and revoked_at is null`,
);

export const updateKeyRevoked = statement<{ id: string }>(
  'update-api-key-revoked',
  `update api_keys set revoked_at = coalesce(revoked_at, $3)
   where merchant_id = $1 and id = $2 and ($4::text is null or mode = $4) returning id`,
);

export const updateKeyExpiry = statement(
  'update-api-key-expiry',
  'update api_keys set expires_at = $3 where merchant_id = $1 and id = $2',
);

export const updateKeysLastUsed = setStatement<{ merchant_id: string; id: string; used_at: Date }>(
  'update-api-keys-last-used',
  { merchant_id: 'uuid', id: 'uuid', used_at: 'timestamptz' },
  `update api_keys set last_used_at = rows.used_at from :rows
   where api_keys.merchant_id = rows.merchant_id and api_keys.id = rows.id
     and (api_keys.last_used_at is null or api_keys.last_used_at < rows.used_at)`,
);

export const findPinState = statement<{ set_at: Date; locked_until: Date | null }>(
  'find-merchant-pin-state',
  'select set_at, locked_until from merchant_pins where merchant_id = $1',
);

export const lockPin = statement<PinRow>(
  'lock-merchant-pin',
  `select pin_hash, version, failed_tries, last_failed_at, locked_until
   from merchant_pins where merchant_id = $1 for update`,
);

export const updatePinTries = statement(
  'update-merchant-pin-tries',
  'update merchant_pins set failed_tries = $2, last_failed_at = $3, locked_until = $4 where merchant_id = $1',
);

/** A new PIN is a new version and starts with all its tries. */
export const upsertPin = statement<{ version: number }>(
  'update-merchant-pin',
  `insert into merchant_pins (merchant_id, pin_hash, version, failed_tries, set_at) values ($1, $2, 1, 0, $3)
   on conflict (merchant_id) do update set pin_hash = excluded.pin_hash, version = merchant_pins.version + 1,
     failed_tries = 0, last_failed_at = null, locked_until = null, set_at = excluded.set_at
   returning version`,
);

export const updatePinUnlocked = statement<{ version: number }>(
  'update-merchant-pin-unlocked',
  `update merchant_pins set failed_tries = 0, last_failed_at = null, locked_until = null
   where merchant_id = $1 returning version`,
);
