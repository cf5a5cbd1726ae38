import { setQuestion, setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

/** What public keys may do for a merchant. */
export interface CollectionSettings {
  publicKeys: boolean;
  allowedOrigins: readonly string[];
  allowedReturnHosts: readonly string[];
  /** In kobo. Null where it is not set, and then no public key opens a session. */
  maxAmountMinor: bigint | null;
  sessionsPerMinute: number;
  updatedAt: Date | null;
}

export interface SettingsRow {
  merchant_id: string;
  mode: Mode;
  public_keys: boolean;
  /** Separated by spaces, here and below. */
  allowed_origins: string;
  allowed_return_hosts: string;
  max_amount_minor: bigint | null;
  sessions_per_minute: number;
  updated_at: Date;
}

export const findCollectionSettings = statement<SettingsRow>(
  'find-collection-settings',
  'select * from collection_settings where merchant_id = $1 and mode = $2',
);

/** Of two changes at the same time the later one counts. */
const LATEST =
  '(select distinct on (rows.merchant_id, rows.mode) rows.* from :rows order by rows.merchant_id, rows.mode, rows.updated_at desc)';

const settingsColumns = {
  merchant_id: 'uuid',
  mode: 'text',
  public_keys: 'boolean',
  allowed_origins: 'text',
  allowed_return_hosts: 'text',
  max_amount_minor: 'bigint',
  sessions_per_minute: 'integer',
  updated_at: 'timestamptz',
} as const;

export const upsertCollectionSettings = setStatement<SettingsRow>(
  'upsert-collection-settings',
  settingsColumns,
  `insert into collection_settings as c (merchant_id, mode, public_keys, allowed_origins, allowed_return_hosts,
                                         max_amount_minor, sessions_per_minute, updated_at)
   select * from ${LATEST} latest
   on conflict (merchant_id, mode) do update
      set public_keys = excluded.public_keys, allowed_origins = excluded.allowed_origins,
          allowed_return_hosts = excluded.allowed_return_hosts, max_amount_minor = excluded.max_amount_minor,
          sessions_per_minute = excluded.sessions_per_minute, updated_at = excluded.updated_at`,
);

/** Removes origins from the directory that are no longer allowed. */
export const deleteCollectionOrigins = setStatement<SettingsRow>(
  'delete-collection-origins',
  settingsColumns,
  `delete from collection_origins o
    using ${LATEST} latest
    where o.merchant_id = latest.merchant_id and o.mode = latest.mode
      and o.origin <> all (string_to_array(latest.allowed_origins, ' '))`,
);

export const insertCollectionOrigins = setStatement<SettingsRow>(
  'insert-collection-origins',
  settingsColumns,
  `insert into collection_origins (origin, merchant_id, mode)
   select origin, latest.merchant_id, latest.mode
     from ${LATEST} latest
    cross join unnest(string_to_array(latest.allowed_origins, ' ')) as origin
   on conflict do nothing`,
);

/** A browser asks without a key whether it may send its request. It may where any merchant allows its page's origin. */
export const findOrigin = statement<{ is_known: boolean }>(
  'find-allowed-origin',
  'select exists (select from collection_origins where origin = $1) as is_known',
);

/** How many sessions public keys opened since a moment. */
export const countPublicSessions = setQuestion<
  { merchant_id: string; mode: Mode; since: Date },
  { place: number; sessions: number }
>(
  'count-public-payment-sessions',
  { merchant_id: 'uuid', mode: 'text', since: 'timestamptz' },
  `select rows.place::int as place, lately.sessions
     from :rows
    cross join lateral (select count(*)::int as sessions from payment_sessions s
                         where s.merchant_id = rows.merchant_id and s.mode = rows.mode and s.opened_by = 'PUBLIC_KEY'
                           and s.created_at > rows.since) lately`,
);
