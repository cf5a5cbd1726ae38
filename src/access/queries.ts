import type { MerchantStatus, ReviewStatus, ServiceKey } from '../merchants/index.ts';
import { among, setQuestion, setStatement, statement } from '../platform/db/statement.ts';
import type { PepperCount } from '../platform/keyed-hash.ts';
import type { Mode } from '../platform/tenant.ts';
import type { KeyKind } from './api-key.ts';
import type { StoredPin } from './pin-hash.ts';
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
  /** Made for a person to try the API reference. */
  for_reference: boolean;
  /** The person who made it may no longer sign in. Only in statements that read keys to show them. */
  maker_left?: boolean;
  /** The pepper of `key_hash`; null for the first pepper of this database. */
  pepper_id: string | null;
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
  /** Unchanged for as long as all of the above is. */
  version: bigint;
}

/** The PIN of a merchant in one mode. */
export interface PinRow extends StoredPin {
  merchant_id: string;
  mode: Mode;
  version: number;
  locked_until: Date | null;
  set_at: Date;
}

export const insertDirectoryEntry = statement(
  'insert-api-key-directory',
  'insert into api_key_directory (key_hash, merchant_id, key_id) values ($1, $2, $3)',
);

export const listDirectoryEntries = statement<{ key_hash: string; merchant_id: string; key_id: string }>(
  'list-api-key-directory',
  'select key_hash, merchant_id, key_id from api_key_directory where key_hash = any($1::text[])',
);

/** It reads tables of merchants beside this module's own: what decides a request is one statement for all keys. */
const stateOf = (
  wanted: 'wanted' | 'rows',
) => `join api_keys k on k.merchant_id = ${wanted}.merchant_id and k.id = ${wanted}.id
   join merchants m on m.id = k.merchant_id
   left join pins p on p.merchant_id = k.merchant_id and p.mode = k.mode`;

const SERVICES = 'array(select s.service_key from merchant_services s where s.merchant_id = k.merchant_id order by 1)';

/** A hash of all that decides: any change makes another version. */
const KEY_VERSION = `hash_record_extended(row(k.mode, k.kind, k.scopes, k.allowed_ips, k.expires_at, k.revoked_at, k.created_by,
     m.status, m.review_status, m.business_name, ${SERVICES}, p.version, p.locked_until), 0)`;

export const listKeyStates = statement<KeyStateRow>(
  'list-key-states',
  `select k.merchant_id, k.id, k.mode, k.kind, k.scopes, k.allowed_ips, k.expires_at, k.revoked_at, k.created_by,
     m.status, m.review_status, m.business_name, ${SERVICES} as services, p.version as pin_version,
     p.locked_until as pin_locked_until,
     ${KEY_VERSION} as version
   from unnest($1::uuid[], $2::uuid[]) as wanted (merchant_id, id)
   ${stateOf('wanted')}
  where ${among('k.merchant_id', 3)}`,
);

/** Whether each key of `:rows` is as it was in this version; a key that is gone has no row. */
export const listUnchangedKeys = setQuestion<
  { merchant_id: string; id: string; version: bigint },
  { place: number; is_same: boolean }
>(
  'list-unchanged-keys',
  { merchant_id: 'uuid', id: 'uuid', version: 'bigint' },
  `select rows.place::int as place, ${KEY_VERSION} = rows.version as is_same
   from :rows
   ${stateOf('rows')}`,
);

export const insertApiKey = statement(
  'insert-api-key',
  `insert into api_keys (merchant_id, id, mode, kind, key_hash, prefix, last_four, scopes, allowed_ips, created_at,
     expires_at, name, created_by, created_by_name, for_reference, pepper_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
);

/**
 * The directory has the new hash before the key does, and the old one until then: the key can be found at any moment.
 */
export const upsertDirectoryEntry = statement(
  'upsert-api-key-directory',
  'insert into api_key_directory (key_hash, merchant_id, key_id) values ($1, $2, $3) on conflict (key_hash) do nothing',
);

export const deleteDirectoryEntry = statement(
  'delete-api-key-directory',
  'delete from api_key_directory where key_hash = $1',
);

/** $1 merchant, $2 key, $3 the former hash, $4 the hash, $5 its pepper. */
export const updateApiKeyHash = statement(
  'update-api-key-hash',
  'update api_keys set key_hash = $4, pepper_id = $5 where merchant_id = $1 and id = $2 and key_hash = $3',
);

/** Reads whether the key's maker still exists: the module `people` is above this one. */
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
 * Locks the person who makes a key: nobody takes the person's rights away until this transaction has ended. It reads
 * the table of people, a module above this one.
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

const FIRST_PEPPER = '(select array[id] from peppers order by first_used_at, id limit 1)';

/** $1 merchants and $2 their modes, in pairs. */
export const listPins = statement<PinRow>(
  'list-pins',
  `select p.merchant_id, p.mode, p.hash, coalesce(p.pepper_ids, ${FIRST_PEPPER}) as pepper_ids, p.slow, p.version,
     p.locked_until, p.set_at
   from unnest($1::uuid[], $2::text[]) as wanted (merchant_id, mode)
   join pins p on p.merchant_id = wanted.merchant_id and p.mode = wanted.mode`,
);

/**
 * Compares guesses of different tenants under the locks of their rows, and counts the wrong ones. Several guesses for
 * one tenant are counted one after the other. $3 the hashes as they were read, $4 the guesses, hashed in the same way,
 * $5 now, $6 the time before which attempts do not count, $7 how many may be wrong, $8 until when the last one locks.
 * No row for a place: there is no PIN.
 */
export const updatePinsAttempted = statement<{
  place: number;
  verdict: 'RIGHT' | 'WRONG' | 'LOCKED' | 'CHANGED';
  version: number;
  failed_attempts: number;
  locked_until: Date | null;
}>(
  'update-pins-attempted',
  `with locked as materialized (
     select merchant_id, mode, hash, version, failed_attempts, last_failed_at, locked_until
     from pins where merchant_id = any($1::uuid[]) and mode = any($2::text[])
     order by merchant_id, mode
     for update
   ), judged as (
     select wanted.place, locked.merchant_id, locked.mode, version, locked_until,
       case when locked_until > $5::timestamptz then 'LOCKED' when hash <> stored then 'CHANGED'
            when hash = guess then 'RIGHT' else 'WRONG' end as seen,
       case when last_failed_at > $6::timestamptz then failed_attempts else 0 end + 1 as attempts
     from locked
     join unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) with ordinality
       as wanted (merchant_id, mode, stored, guess, place)
       on wanted.merchant_id = locked.merchant_id and wanted.mode = locked.mode
   ), counted as (
     update pins set failed_attempts = judged.attempts, last_failed_at = $5,
       locked_until = case when judged.attempts >= $7::int then $8::timestamptz end
     from judged
     where judged.seen = 'WRONG' and pins.merchant_id = judged.merchant_id and pins.mode = judged.mode
     returning judged.place, pins.locked_until
   )
   select judged.place::int as place, case when counted.locked_until is not null then 'LOCKED' else judged.seen end as verdict,
     judged.version, judged.attempts as failed_attempts,
     case when judged.seen = 'LOCKED' then judged.locked_until else counted.locked_until end as locked_until
   from judged left join counted on counted.place = judged.place`,
);

/** The same PIN hashed in another way, where it is still stored as it was read ($3). */
export const updatePinHash = statement(
  'update-pin-hash',
  `update pins set hash = $4, pepper_ids = $5::text[], slow = null
   where merchant_id = $1 and mode = $2 and hash = $3`,
);

/** A new PIN is a new version and starts with all its attempts. */
export const upsertPin = statement(
  'upsert-pin',
  `insert into pins (merchant_id, mode, hash, pepper_ids, version, failed_attempts, set_at)
   values ($1, $2, $3, $4::text[], 1, 0, $5)
   on conflict (merchant_id, mode) do update set hash = excluded.hash, pepper_ids = excluded.pepper_ids, slow = null,
     version = pins.version + 1, failed_attempts = 0, last_failed_at = null, locked_until = null, set_at = excluded.set_at`,
);

export const updatePinUnlocked = statement<{ version: number }>(
  'update-pin-unlocked',
  `update pins set failed_attempts = 0, last_failed_at = null, locked_until = null
   where merchant_id = $1 and mode = $2 returning version`,
);

export const countPinsByPepper = statement<PepperCount>(
  'count-pins-by-pepper',
  `select pepper_id, count(*)::int as rows, (count(*) filter (where layers = 1))::int as alone
     from (select unnest(ids) as pepper_id, cardinality(ids) as layers
             from (select coalesce(pepper_ids, ${FIRST_PEPPER}) as ids from pins) as stored) as layer
    group by pepper_id`,
);

/** $1 now. A key is found by its hash under one pepper; a key that has ended needs none. */
export const countKeysByPepper = statement<PepperCount>(
  'count-api-keys-by-pepper',
  `select coalesce(pepper_id, (${FIRST_PEPPER})[1]) as pepper_id, count(*)::int as rows, count(*)::int as alone
     from api_keys where revoked_at is null and (expires_at is null or expires_at > $1)
    group by 1`,
);

/** Page after page: after $1 and $2, those whose last hash is not under $3; $4 how many. */
export const listPinsNotUnder = statement<{ merchant_id: string; mode: Mode; hash: string }>(
  'list-pins-not-under-pepper',
  `select merchant_id, mode, hash from pins
    where (merchant_id, mode) > ($1::uuid, $2::text)
      and (pepper_ids is null or pepper_ids[cardinality(pepper_ids)] <> $3::text)
    order by merchant_id, mode limit $4`,
);

export const updatePinsRehashed = setStatement<{
  merchant_id: string;
  mode: Mode;
  before: string;
  hash: string;
  pepper_id: string;
}>(
  'update-pins-hashed-over',
  { merchant_id: 'uuid', mode: 'text', before: 'text', hash: 'text', pepper_id: 'text' },
  `update pins set hash = rows.hash, pepper_ids = coalesce(pins.pepper_ids, ${FIRST_PEPPER}) || rows.pepper_id
     from :rows
    where pins.merchant_id = rows.merchant_id and pins.mode = rows.mode and pins.hash = rows.before`,
);

export const deletePinsUnder = statement(
  'delete-pins-under-pepper',
  `delete from pins where $1::text = any(pepper_ids) or (pepper_ids is null and $1::text = (${FIRST_PEPPER})[1])`,
);

/** $1 pepper, $2 now. */
export const updateKeysRevokedUnder = statement(
  'update-api-keys-revoked-under-pepper',
  `update api_keys set revoked_at = $2
    where revoked_at is null and (pepper_id = $1 or (pepper_id is null and $1 = (${FIRST_PEPPER})[1]))`,
);
