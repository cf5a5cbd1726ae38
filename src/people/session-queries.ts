import type { PersonKind, Role } from '../access/index.ts';
import type { MerchantStatus, ReviewStatus } from '../merchants/index.ts';
import { statement } from '../platform/db/statement.ts';

/** The merchant of a member; the operator's staff has none. */
export interface SessionMerchantRow {
  merchant_id: string;
  status: MerchantStatus;
  review_status: ReviewStatus;
  business_name: string;
  is_maker_checker_enabled: boolean;
}

/** Everything about a session that decides a request. */
export type SessionStateRow = SessionPersonRow & (SessionMerchantRow | Record<keyof SessionMerchantRow, null>);

interface SessionPersonRow {
  id: string;
  person_id: string;
  stage: 'MFA_PENDING' | 'FULL';
  secret_hash: string;
  previous_hash: string | null;
  previous_until: Date | null;
  last_seen_at: Date;
  expires_at: Date;
  step_up_until: Date | null;
  kind: PersonKind;
  email: string;
  first_name: string;
  last_name: string;
  role: Role | null;
  disabled_at: Date | null;
  second_factor: boolean;
  recovery_codes_left: number;
  services: string[];
  sandbox_pin_version: number | null;
  sandbox_pin_locked_until: Date | null;
  live_pin_version: number | null;
  live_pin_locked_until: Date | null;
}

export interface SessionRow {
  id: string;
  stage: 'MFA_PENDING' | 'FULL';
  created_at: Date;
  last_seen_at: Date;
  ip: string;
  user_agent: string;
}

/**
 * It reads tables of merchants and PINs beside this module's own: one statement for all sessions that are asked for at
 * once.
 */
export const listSessionStates = statement<SessionStateRow>(
  'list-session-states',
  `select s.id, s.person_id, s.stage, s.secret_hash, s.previous_hash, s.previous_until, s.last_seen_at, s.expires_at,
     s.step_up_until, p.kind, p.email, p.first_name, p.last_name, p.role, p.disabled_at,
     p.totp_sealed is not null as second_factor, cardinality(p.recovery_hashes) as recovery_codes_left,
     p.merchant_id, m.status, m.review_status, m.business_name, m.is_maker_checker_enabled,
     array(select k.service_key from merchant_services k where k.merchant_id = p.merchant_id) as services,
     sandbox.version as sandbox_pin_version, sandbox.locked_until as sandbox_pin_locked_until,
     live.version as live_pin_version, live.locked_until as live_pin_locked_until
   from sessions s
   join people p on p.id = s.person_id
   left join merchants m on m.id = p.merchant_id
   left join pins sandbox on sandbox.merchant_id = p.merchant_id and sandbox.mode = 'SANDBOX'
   left join pins live on live.merchant_id = p.merchant_id and live.mode = 'LIVE'
   where s.secret_hash = any($1::text[]) or s.previous_hash = any($1::text[])`,
);

/** The same for a merchant that is read in a support view. */
export const findSessionMerchant = statement<
  SessionMerchantRow &
    Pick<
      SessionPersonRow,
      'services' | 'sandbox_pin_version' | 'sandbox_pin_locked_until' | 'live_pin_version' | 'live_pin_locked_until'
    >
>(
  'find-session-merchant',
  `select m.id as merchant_id, m.status, m.review_status, m.business_name, m.is_maker_checker_enabled,
     array(select k.service_key from merchant_services k where k.merchant_id = m.id) as services,
     sandbox.version as sandbox_pin_version, sandbox.locked_until as sandbox_pin_locked_until,
     live.version as live_pin_version, live.locked_until as live_pin_locked_until
   from merchants m
   left join pins sandbox on sandbox.merchant_id = m.id and sandbox.mode = 'SANDBOX'
   left join pins live on live.merchant_id = m.id and live.mode = 'LIVE'
   where m.id = $1`,
);

export const insertSession = statement(
  'insert-session',
  `insert into sessions (id, person_id, stage, secret_hash, created_at, last_seen_at, expires_at, step_up_until, ip,
     user_agent)
   values ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9)`,
);

/**
 * The newest $3 of a person's sessions of one stage stay: an attacker with the password alone ends nobody's full
 * session.
 */
export const deleteSurplusSessions = statement<{ id: string }>(
  'delete-surplus-sessions',
  `delete from sessions where person_id = $1 and stage = $2 and id not in (
     select id from sessions where person_id = $1 and stage = $2 order by id desc limit $3)
   returning id`,
);

/** A new secret for a session whose secret is still one of $2; none comes back where another request was first. */
export const updateSessionSecret = statement<{ id: string }>(
  'update-session-secret',
  `update sessions set secret_hash = $3, previous_hash = secret_hash, previous_until = $4, step_up_until = $5
    where id = $1 and secret_hash = any($2::text[]) and stage = 'FULL' returning id`,
);

/** The secret of the MFA pending session opens nothing any more. */
export const updateSessionFull = statement<{ id: string }>(
  'update-session-full',
  `update sessions set stage = 'FULL', secret_hash = $3, previous_hash = null, previous_until = null, expires_at = $4,
     step_up_until = $5, last_seen_at = $6
    where id = $1 and secret_hash = any($2::text[]) and stage = 'MFA_PENDING' returning id`,
);

export const updateSessionSeen = statement(
  'update-session-seen',
  `with seen as (
     update sessions set last_seen_at = greatest(last_seen_at, $2) where id = $1 returning person_id
   )
   update people set last_seen_at = greatest(last_seen_at, $2) from seen where people.id = seen.person_id`,
);

export const listSessionsOfPerson = statement<SessionRow>(
  'list-sessions',
  `select id, stage, created_at, last_seen_at, ip, user_agent from sessions
    where person_id = $1 and stage = 'FULL' and expires_at > $2 and last_seen_at > $3
    order by id desc`,
);

export const deleteSession = statement<{ id: string }>(
  'delete-session',
  'delete from sessions where person_id = $1 and id = $2 returning id',
);

/** All sessions of a person, except one that may stay. */
export const deleteSessionsOfPerson = statement<{ id: string }>(
  'delete-sessions-of-person',
  'delete from sessions where person_id = $1 and ($2::uuid is null or id <> $2) returning id',
);

export const deleteSessionBySecret = statement<{ id: string }>(
  'delete-session-by-secret',
  'delete from sessions where secret_hash = any($1::text[]) returning id',
);

/** $1 person, $2 hash, $3 now. No row: this browser was never seen with this person. */
export const updateDeviceSeen = statement<{ person_id: string }>(
  'update-device-seen',
  'update devices set last_seen_at = $3 where person_id = $1 and device_hash = any($2::text[]) returning person_id',
);

export interface KnownBrowser {
  person_id: string;
  device_hash: string;
}

/** $1 address, $2 hashes. */
export const findKnownDevice = statement<KnownBrowser>(
  'find-known-device',
  `select d.person_id, d.device_hash from people p
     join devices d on d.person_id = p.id and d.device_hash = any($2::text[])
    where p.email = $1
    limit 1`,
);

export const insertDevice = statement(
  'insert-device',
  `insert into devices (person_id, device_hash, first_seen_at, last_seen_at) values ($1, $2, $3, $3)
   on conflict (person_id, device_hash) do nothing`,
);

export const deleteOldDevices = statement<{ person_id: string }>(
  'delete-old-devices',
  'delete from devices where last_seen_at < $1 returning person_id',
);

export const deleteOldSessions = statement<{ id: string }>(
  'delete-old-sessions',
  'delete from sessions where expires_at < $1 returning id',
);
