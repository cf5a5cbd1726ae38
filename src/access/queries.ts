import type { MerchantStatus, ReviewStatus, ServiceKey } from '../merchants/index.ts';
import { setInsert, setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import type { KeyKind } from './api-key.ts';

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
  `select k.merchant_id, k.id, k.mode, k.kind, k.scopes, k.allowed_ips, k.expires_at, k.revoked_at,
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
     expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);

export const findApiKey = statement<ApiKeyRow>(
  'find-api-key',
  'select * from api_keys where merchant_id = $1 and id = $2',
);

export const lockApiKey = statement<ApiKeyRow>(
  'lock-api-key',
  'select * from api_keys where merchant_id = $1 and id = $2 for update',
);

export const listApiKeysOfMerchant = statement<ApiKeyRow>(
  'list-api-keys',
  'select * from api_keys where merchant_id = $1 order by id desc',
);

export const updateKeyRevoked = statement<{ id: string }>(
  'update-api-key-revoked',
  `update api_keys set revoked_at = coalesce(revoked_at, $3) where merchant_id = $1 and id = $2 returning id`,
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

export const insertPerson = setInsert<{
  id: string;
  kind: string;
  merchant_id: string | null;
  email: string;
  password_hash: string;
  created_at: Date;
}>('people', {
  id: 'uuid',
  kind: 'text',
  merchant_id: 'uuid',
  email: 'text',
  password_hash: 'text',
  created_at: 'timestamptz',
});

/** Case of the address does not matter: all are stored in lower case. */
export const findOperatorByEmail = statement<{ id: string; email: string; password_hash: string }>(
  'find-operator-by-email',
  `select id, email, password_hash from people where email = $1 and kind = 'OPERATOR'`,
);

export const findOperatorById = statement<{ id: string; email: string }>(
  'find-operator-by-id',
  `select id, email from people where id = $1 and kind = 'OPERATOR'`,
);

/** Counts one try, and locks with the last one that is allowed. No row comes back while it is locked. */
export const upsertSignInTry = statement<{ tries: number }>(
  'update-sign-in-try',
  `insert into sign_in_tries as s (email_hash, tries, last_tried_at, locked_until) values ($1, 1, $2, null)
   on conflict (email_hash) do update
      set tries = case when s.last_tried_at <= $3 then 1 else s.tries + 1 end,
          last_tried_at = excluded.last_tried_at,
          locked_until = case when s.last_tried_at > $3 and s.tries + 1 >= $4 then $5::timestamptz end
    where s.locked_until is null or s.locked_until <= $2
   returning tries`,
);

/** A right password was one try too many at most: without it, the lock has no reason left. */
export const updateSignInTryReturned = statement(
  'update-sign-in-try-returned',
  'update sign_in_tries set tries = greatest(tries - 1, 0), locked_until = null where email_hash = $1',
);

export const findSignInLock = statement<{ locked_until: Date | null }>(
  'find-sign-in-lock',
  'select locked_until from sign_in_tries where email_hash = $1',
);

export const deleteOldSignInTries = statement(
  'delete-old-sign-in-tries',
  'delete from sign_in_tries where last_tried_at < $1',
);
