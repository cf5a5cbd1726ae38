import { EVERY_TENANT, stateMachine } from '../ledger/index.ts';
import { among, movedBack, setInsert, setStatement, statement } from '../platform/db/statement.ts';
import { queue } from '../platform/jobs/queries.ts';
import type { Mode } from '../platform/tenant.ts';

export type EndpointStatus = 'ENABLED' | 'DISABLED';

/** The receiver disables it with 410, the merchant enables it again. Setting an address makes a new endpoint. */
export const endpointStates = stateMachine<EndpointStatus>('webhook-endpoint', 'webhook_endpoints', {
  ENABLED: ['DISABLED'],
  DISABLED: ['ENABLED'],
});

/** Why an endpoint is disabled; stored as the state's reason. */
export const RECEIVER_GONE = 'RECEIVER_GONE';

export interface EndpointRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  url: string;
  status: EndpointStatus;
  reason: string | null;
  cursor_sequence: bigint;
  retry_at: Date | null;
  failures_in_a_row: number;
  paused_until: Date | null;
  ordered: boolean;
}

const ENDPOINT = `e.merchant_id, e.mode, e.id, e.url, e.status, e.reason, e.cursor_sequence, e.retry_at,
          e.failures_in_a_row, e.paused_until, e.ordered`;
const tenantKey = { merchant_id: 'uuid', mode: 'text' } as const;
const THIS_ENDPOINT = 'e.merchant_id = rows.merchant_id and e.mode = rows.mode';

export const findEndpoint = statement<EndpointRow>(
  'find-webhook-endpoint',
  `select ${ENDPOINT} from webhook_endpoints e where e.merchant_id = $1 and e.mode = $2`,
);

interface FoundEndpoint extends Pick<EndpointRow, 'merchant_id' | 'mode' | 'cursor_sequence' | 'failures_in_a_row'> {
  /** It has an address that may be called. */
  is_enabled: boolean;
  /** A worker has it. */
  is_leased: boolean;
  /** It is not called for a while. */
  is_paused: boolean;
}

const foundAt = (now: string) =>
  `e.merchant_id, e.mode, e.cursor_sequence, e.failures_in_a_row, e.url <> '' and e.status = 'ENABLED' as is_enabled,
          coalesce(e.lease_until > ${now}, false) as is_leased, coalesce(e.paused_until > ${now}, false) as is_paused`;

/** The endpoints of the books of `askedBooks`, at `$4`. It locks nothing. The ledger knows whether they have events to send. */
export const listEndpointsOf = statement<FoundEndpoint>(
  'list-webhook-endpoints-of',
  `select ${foundAt('$4')}
     from unnest($1::uuid[], $2::text[]) as asked (merchant_id, mode)
     join webhook_endpoints e on e.merchant_id = asked.merchant_id and e.mode = asked.mode
    where ${among('e.merchant_id', 3)}`,
);

/** Endpoints of all merchants that have a delivery to repeat at `$1`. It locks nothing. */
export const listEndpointsToRetry = statement<FoundEndpoint>(
  'list-webhook-endpoints-to-retry',
  `select ${foundAt('$1')} from webhook_endpoints e
    where e.retry_at <= $1 and e.url <> '' and e.status = 'ENABLED'`,
);

export const WEBHOOK_ENDPOINTS = queue(listEndpointsOf, 'webhook_endpoints', "url <> '' and status = 'ENABLED'");

/** $1 merchant, $2 mode, $3 lease, $4 now, $5 until. No row: another worker has it, or nothing may be sent. */
export const leaseEndpoint = statement<EndpointRow>(
  'lease-webhook-endpoint',
  `update webhook_endpoints e
      set lease_id = $3, lease_until = $5
    where e.merchant_id = $1 and e.mode = $2 and e.url <> '' and e.status = 'ENABLED'
      and (e.lease_until is null or e.lease_until <= $4)
      and (e.paused_until is null or e.paused_until <= $4)
   returning ${ENDPOINT}`,
);

export const lockLeasedEndpoint = statement<EndpointRow>(
  'lock-leased-webhook-endpoint',
  `select ${ENDPOINT} from webhook_endpoints e
    where e.merchant_id = $1 and e.mode = $2 and e.lease_id = $3 for update`,
);

/** For the holder of the lock. What is due next is read from the deliveries as they are now. */
export const updateEndpointServed = statement<EndpointRow>(
  'update-webhook-endpoint-served',
  `update webhook_endpoints e
      set cursor_sequence = $3, failures_in_a_row = $4, paused_until = $5, lease_until = $6,
          retry_at = least(
            (select min(d.next_attempt_at) from webhook_deliveries d
              where d.merchant_id = $1 and d.mode = $2 and d.next_attempt_at is not null),
            (select min(d.replay_at) from webhook_deliveries d
              where d.merchant_id = $1 and d.mode = $2 and d.replay_at is not null))
    where e.merchant_id = $1 and e.mode = $2
   returning ${ENDPOINT}`,
);

export const updateEndpointReleased = statement(
  'update-webhook-endpoint-released',
  `update webhook_endpoints set lease_id = null, lease_until = null
    where merchant_id = $1 and mode = $2 and lease_id = $3`,
);

interface AddressRow {
  merchant_id: string;
  mode: Mode;
  /** The id of the movement, and so of the endpoint that a new address makes. The later of two in one group wins. */
  id: string;
  url: string;
  cursor_sequence: bigint;
  at: string;
}

/**
 * Sets or takes away an address. An endpoint that is being served keeps its place in the order when its address changes;
 * one that was sent nothing, having no address or being disabled, begins with the present. Another address is called in
 * order, whatever was said of the one before.
 */
export const upsertEndpointAddresses = setStatement<AddressRow>(
  'upsert-webhook-endpoint-addresses',
  { ...tenantKey, id: 'uuid', url: 'text', cursor_sequence: 'bigint', at: 'timestamptz' },
  `insert into webhook_endpoints as e
     (merchant_id, mode, id, url, status, cursor_sequence, failures_in_a_row, created_at, updated_at)
   select distinct on (rows.merchant_id, rows.mode)
          rows.merchant_id, rows.mode, rows.id, rows.url, 'ENABLED', rows.cursor_sequence, 0, rows.at, rows.at
     from :rows
    order by rows.merchant_id, rows.mode, rows.id desc
   on conflict (merchant_id, mode) do update
      set id = excluded.id, url = excluded.url, status = 'ENABLED', reason = null,
          cursor_sequence = case when e.url = '' or e.status = 'DISABLED'
                                 then greatest(e.cursor_sequence, excluded.cursor_sequence)
                                 else e.cursor_sequence end,
          failures_in_a_row = 0, paused_until = null, updated_at = excluded.updated_at,
          ordered = e.ordered or e.url <> excluded.url
    where e.url <> excluded.url or e.status = 'DISABLED'`,
);

const GIVEN_URL = `case b.mode when 'SANDBOX' then m.sandbox_webhook_url else m.production_webhook_url end`;

/**
 * Merchants made with an address have no endpoint yet; they are served from their first event on. $1 now, $2 the id before
 * those that were not looked at before.
 */
export const insertMissingEndpoints = statement<{ merchant_id: string; mode: Mode }>(
  'insert-missing-webhook-endpoints',
  `insert into webhook_endpoints
     (merchant_id, mode, id, url, status, cursor_sequence, failures_in_a_row, created_at, updated_at)
   select b.merchant_id, b.mode, b.merchant_id, ${GIVEN_URL}, 'ENABLED', 0, 0, $1, $1
     from merchants m
     join ${EVERY_TENANT} b on b.merchant_id = m.id
     left join webhook_endpoints e on e.merchant_id = b.merchant_id and e.mode = b.mode
    where m.id > $2 and ${GIVEN_URL} <> '' and e.merchant_id is null
   on conflict (merchant_id, mode) do nothing
   returning merchant_id, mode`,
);

/** Written with the transition out of `DISABLED`; `cursor_sequence` null goes on where it stopped. */
export const updateEndpointsResumed = setStatement<{
  merchant_id: string;
  mode: Mode;
  cursor_sequence: bigint | null;
}>(
  'update-webhook-endpoints-resumed',
  { ...tenantKey, cursor_sequence: 'bigint' },
  `update webhook_endpoints e
      set cursor_sequence = greatest(e.cursor_sequence, rows.cursor_sequence), failures_in_a_row = 0,
          paused_until = null
     from :rows
    where ${THIS_ENDPOINT}`,
);

/** Changes only the address that the request was about: another one that was set meanwhile keeps its own order. */
export const updateEndpointsOrder = setStatement<{ merchant_id: string; mode: Mode; id: string; ordered: boolean }>(
  'update-webhook-endpoints-order',
  { ...tenantKey, id: 'uuid', ordered: 'boolean' },
  `update webhook_endpoints e set ordered = rows.ordered
     from :rows
    where ${THIS_ENDPOINT} and e.id = rows.id`,
);

/** A row back: nobody tried the address out since $4. One by a clock that was ahead, of more than a minute, does not count. */
export const updateEndpointTested = statement<{ id: string }>(
  'update-webhook-endpoint-tested',
  `update webhook_endpoints set tested_at = $3
    where merchant_id = $1 and mode = $2 and (tested_at is null or tested_at <= $4 or tested_at > $3::timestamptz + interval '1 minute')
   returning id`,
);

/** The receiver is back, as a call outside the schedule showed: no need to wait out the pause. */
export const updateEndpointBack = statement(
  'update-webhook-endpoint-back',
  `update webhook_endpoints set failures_in_a_row = 0, paused_until = null
    where merchant_id = $1 and mode = $2 and id = $3 and failures_in_a_row > 0`,
);

type SecondsRow = { merchant_id: string; mode: Mode; seconds: number };
const secondsColumns = { ...tenantKey, seconds: 'integer' } as const;
const ADVANCE = `(select rows.merchant_id, rows.mode, sum(rows.seconds)::float8 as seconds
            from :rows group by 1, 2) advance`;

export const updateEndpointsAdvanced = setStatement<SecondsRow>(
  'update-webhook-endpoints-advanced',
  secondsColumns,
  `update webhook_endpoints e
      set retry_at = ${movedBack('e.retry_at', 'advance.seconds')},
          paused_until = ${movedBack('e.paused_until', 'advance.seconds')}
     from ${ADVANCE}
    where e.merchant_id = advance.merchant_id and e.mode = advance.mode`,
);

export const updateDeliveriesAdvanced = setStatement<SecondsRow>(
  'update-webhook-deliveries-advanced',
  secondsColumns,
  `update webhook_deliveries d
      set next_attempt_at = ${movedBack('d.next_attempt_at', 'advance.seconds')}
     from ${ADVANCE}
    where d.merchant_id = advance.merchant_id and d.mode = advance.mode and d.next_attempt_at is not null`,
);

export interface SecretRow {
  id: string;
  sealed: string;
  created_at: Date;
  expires_at: Date | null;
}

/** Secrets that sign, newest first. $3 now, $4 how many. */
export const listValidSecrets = statement<SecretRow>(
  'list-valid-webhook-secrets',
  `select id, sealed, created_at, expires_at from webhook_secrets
    where merchant_id = $1 and mode = $2 and (expires_at is null or expires_at > $3)
    order by expires_at desc nulls first limit $4`,
);

export const findSecret = statement<SecretRow>(
  'find-webhook-secret',
  'select id, sealed, created_at, expires_at from webhook_secrets where merchant_id = $1 and mode = $2 and id = $3',
);

/** Adds the first secret. A second process finds that of the first. */
export const insertFirstSecret = statement(
  'insert-first-webhook-secret',
  `insert into webhook_secrets (merchant_id, mode, id, sealed, created_at) values ($1, $2, $3, $4, $5)
   on conflict (merchant_id, mode) where expires_at is null do nothing`,
);

export const insertSecrets = setInsert<{
  merchant_id: string;
  mode: Mode;
  id: string;
  sealed: string;
  created_at: string;
}>('webhook_secrets', { ...tenantKey, id: 'uuid', sealed: 'text', created_at: 'timestamptz' });

export const updateSecretsRetired = setStatement<{ merchant_id: string; mode: Mode; expires_at: string }>(
  'update-webhook-secrets-retired',
  { ...tenantKey, expires_at: 'timestamptz' },
  `update webhook_secrets s set expires_at = rows.expires_at
     from :rows
    where s.merchant_id = rows.merchant_id and s.mode = rows.mode and s.expires_at is null`,
);
