import { type Statement, setStatement, statement } from '../platform/db/statement.ts';
import type { MerchantAction, MerchantStatus, ReviewStatus, ServiceKey } from './services.ts';

export interface MerchantRow {
  id: string;
  status: MerchantStatus;
  initial_status: 'NEW';
  review_status: ReviewStatus;
  business_name: string;
  business_type: string;
  business_category: string;
  registration_number: string;
  email: string;
  phone_number: string;
  logo: string | null;
  address: string;
  city: string;
  state: string;
  country: string;
  postal_code: string | null;
  /** `YYYY-MM-DD`. */
  director_date_of_birth: string | null;
  /** Sealed for this merchant's row: `bvnContext` in create-merchant.ts. */
  bvn_sealed: string | null;
  bvn_masked: string;
  consent_form: string | null;
  agency_network_consent_form: string | null;
  owner_details: Record<string, unknown> | null;
  cac_documents: string[];
  kyc_completed_fields: string[];
  auto_settlement: boolean;
  auto_instant_settlement: boolean;
  is_refund_enabled: boolean;
  is_maker_checker_enabled: boolean;
  is_consent_form_approved: boolean;
  is_agency_network_consent_form_approved: boolean;
  enable_same_bvn_or_phone_number_for_wallet_creation: boolean;
  sandbox_webhook_url: string;
  production_webhook_url: string;
  owner_id: string;
  owner_email: string;
  owner_first_name: string;
  owner_last_name: string;
  owner_phone_number: string;
  created_at: Date;
  /** Set while the merchant's details wait for the operator. */
  submitted_at: Date | null;
}

export interface ServiceRow {
  id: string;
  key: ServiceKey;
  name: string;
  description: string;
}

export interface MerchantSummaryRow {
  id: string;
  business_name: string;
  email: string;
  status: MerchantStatus;
  review_status: ReviewStatus;
  created_at: Date;
}

/** `insert into merchants` for exactly the columns of this row, in its own order. */
export function insertMerchant(row: MerchantRow): { statement: Statement<never>; values: unknown[] } {
  const columns = Object.keys(row);
  const places = columns.map((_, at) => `$${at + 1}`).join(', ');
  return {
    statement: statement('insert-merchant', `insert into merchants (${columns.join(', ')}) values (${places})`),
    values: Object.values(row),
  };
}

export const findMerchantById = statement<MerchantRow>('find-merchant', 'select * from merchants where id = $1');

/** $1 after this id (newest first), $2 status, $3 how many. */
export const listMerchantSummaries = statement<MerchantSummaryRow>(
  'list-merchants',
  `select id, business_name, email, status, review_status, created_at from merchants
   where ($1::uuid is null or id < $1) and ($2::text is null or status = $2)
   order by id desc limit $3`,
);

/**
 * $1 merchant, $2 from, $3 to, $4 review, $5 now, $6 how its submission changes. No row back: the merchant is unknown,
 * not in the from-state, or its submission waits already. The transaction leaves the history row beside it.
 */
export const updateMerchantStatus = statement<{ id: string }>(
  'update-merchant-status',
  `update merchants set status = $3, review_status = $4,
     submitted_at = case $6 when 'OPENS' then $5 when 'ENDS' then null else submitted_at end
    where id = $1 and status = $2 and ($6 <> 'OPENS' or submitted_at is null) returning id`,
);

/** $1 merchant, $2 change id, $3 action, $4 from, $5 to, $6 actor, $7 reason, $8 now, $9 the facts. */
export const insertStatusChange = statement(
  'insert-merchant-status-change',
  `insert into merchant_status_changes
     (merchant_id, id, action, from_status, to_status, actor, reason, created_at, facts)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

/** The changes of one movement: `id` is the movement's, `changes` the new values by column. */
interface MerchantChangeRow {
  merchant_id: string;
  id: string;
  changes: string;
}

/** A group may hold several changes of one merchant, in either mode: the later one of each column wins. */
export const updateMerchantProfiles = setStatement<MerchantChangeRow>(
  'update-merchant-profiles',
  { merchant_id: 'uuid', id: 'uuid', changes: 'jsonb' },
  `with changed as (
     select rows.merchant_id, jsonb_object_agg(field.key, field.value order by rows.id) as fields
       from :rows cross join lateral jsonb_each_text(rows.changes) as field
      group by rows.merchant_id
   )
   update merchants set
     sandbox_webhook_url = coalesce(fields ->> 'sandbox_webhook_url', sandbox_webhook_url),
     production_webhook_url = coalesce(fields ->> 'production_webhook_url', production_webhook_url),
     email = coalesce(fields ->> 'email', email),
     phone_number = coalesce(fields ->> 'phone_number', phone_number),
     address = coalesce(fields ->> 'address', address),
     city = coalesce(fields ->> 'city', city),
     state = coalesce(fields ->> 'state', state),
     country = coalesce(fields ->> 'country', country),
     postal_code = nullif(coalesce(fields ->> 'postal_code', postal_code), ''),
     logo = nullif(coalesce(fields ->> 'logo', logo), '')
   from changed where merchants.id = changed.merchant_id`,
);

/**
 * Locks a merchant against other changes of its details and submissions. Foreign keys may still be checked meanwhile.
 */
export const lockMerchantById = statement<MerchantRow>(
  'lock-merchant',
  'select * from merchants where id = $1 for no key update',
);

/** $1 merchant, $2 new values by column; what is left out stays. $3 whether the date of birth changes, $4 to what. */
export const updateMerchantDetails = statement(
  'update-merchant-details',
  `update merchants set
     business_name = coalesce($2::jsonb ->> 'business_name', business_name),
     business_type = coalesce($2::jsonb ->> 'business_type', business_type),
     business_category = coalesce($2::jsonb ->> 'business_category', business_category),
     registration_number = coalesce($2::jsonb ->> 'registration_number', registration_number),
     email = coalesce($2::jsonb ->> 'email', email),
     phone_number = coalesce($2::jsonb ->> 'phone_number', phone_number),
     address = coalesce($2::jsonb ->> 'address', address),
     city = coalesce($2::jsonb ->> 'city', city),
     state = coalesce($2::jsonb ->> 'state', state),
     country = coalesce($2::jsonb ->> 'country', country),
     postal_code = nullif(coalesce($2::jsonb ->> 'postal_code', postal_code), ''),
     director_date_of_birth = case when $3::boolean then $4::date else director_date_of_birth end,
     bvn_sealed = coalesce($2::jsonb ->> 'bvn_sealed', bvn_sealed),
     bvn_masked = coalesce($2::jsonb ->> 'bvn_masked', bvn_masked)
   where id = $1`,
);

export const updateMerchantReview = statement(
  'update-merchant-review',
  'update merchants set kyc_completed_fields = $2, cac_documents = $3 where id = $1',
);

/** The facts of a submission or a decision, as they were then. Of a BVN only the ends are kept. */
export interface DecidedFacts {
  /** Values by step and field. */
  steps: Record<string, Record<string, string>>;
  documents: { documentId: string; kind: string; fileName: string; bytes: number }[];
}

export interface StatusChangeRow {
  id: string;
  action: MerchantAction;
  from_status: MerchantStatus;
  to_status: MerchantStatus;
  actor: string;
  reason: string | null;
  created_at: Date;
  /** The same digest for the same facts. Null where none were looked at. */
  facts_digest: string | null;
  /** The bank of the settlement account in the facts. */
  bank_code: string | null;
  account_number: string | null;
}

/** Changes of status, newest first. */
export const listStatusChanges = statement<StatusChangeRow>(
  'list-merchant-status-changes',
  `select id, action, from_status, to_status, actor, reason, created_at, md5(facts::text) as facts_digest,
     facts -> 'steps' -> 'SETTLEMENT_ACCOUNT' ->> 'bankCode' as bank_code,
     facts -> 'steps' -> 'SETTLEMENT_ACCOUNT' ->> 'accountNumber' as account_number
   from merchant_status_changes where merchant_id = $1 order by id desc limit $2`,
);

/** A settlement account as the operator accepted it, newest first. */
export interface AcceptedAccountRow {
  bank_code: string | null;
  bank_name: string | null;
  account_number: string | null;
  account_name: string | null;
  actor: string;
  created_at: Date;
}

/** The settlement accounts that the operator accepted, the last hundred, newest first. */
export const listAcceptedAccounts = statement<AcceptedAccountRow>(
  'list-accepted-settlement-accounts',
  `select account ->> 'bankCode' as bank_code, account ->> 'bankName' as bank_name,
          account ->> 'accountNumber' as account_number, account ->> 'accountName' as account_name, actor, created_at
     from (
       select facts -> 'steps' -> 'SETTLEMENT_ACCOUNT' as account, actor, created_at, id
         from merchant_status_changes
        where merchant_id = $1 and action in ('approve', 'accept-changes') and facts is not null
        order by id desc limit 100
     ) accepted
    order by id desc`,
);

export const findFactsOfChange = statement<{ facts: DecidedFacts | null }>(
  'find-facts-of-merchant-status-change',
  'select facts from merchant_status_changes where merchant_id = $1 and id = $2',
);

export const listServicesOfMerchant = statement<ServiceRow>(
  'list-merchant-services',
  `select services.id, services.key, services.name, services.description
   from merchant_services join services on services.key = merchant_services.service_key
   where merchant_services.merchant_id = $1 order by services.id`,
);

export const insertMerchantServices = statement(
  'insert-merchant-services',
  `insert into merchant_services (merchant_id, service_key, enabled_at)
   select $1::uuid, wanted.service_key, $3::timestamptz from unnest($2::text[]) as wanted (service_key)
   on conflict (merchant_id, service_key) do nothing`,
);

/** Whether the merchant's payments in may go back by its own decision. */
export const updateRefundsEnabled = statement(
  'update-merchant-refunds',
  'update merchants set is_refund_enabled = $2 where id = $1',
);

/** Whether the BVN and phone number of the merchant may be used for the account numbers of its stores and subaccounts. */
export const updateContactsShared = statement(
  'update-merchant-contacts-shared',
  'update merchants set enable_same_bvn_or_phone_number_for_wallet_creation = $2 where id = $1',
);

export const deleteMerchantService = statement(
  'delete-merchant-service',
  'delete from merchant_services where merchant_id = $1 and service_key = $2',
);

/** Of several changes in one group the later one counts. */
export const updateMakerChecker = setStatement<{ merchant_id: string; id: string; is_enabled: boolean }>(
  'update-merchants-maker-checker',
  { merchant_id: 'uuid', id: 'uuid', is_enabled: 'boolean' },
  `update merchants
      set is_maker_checker_enabled = latest.is_enabled
     from (
       select distinct on (rows.merchant_id) rows.merchant_id, rows.is_enabled from :rows
        order by rows.merchant_id, rows.id desc
     ) latest
    where merchants.id = latest.merchant_id`,
);

/** A table with a row for each decision about a merchant. $1 who made the demo. */
export const findLiveMerchant = statement<{ found: boolean }>(
  'find-live-merchant',
  `select exists (select 1 from merchant_status_changes where to_status = 'ACTIVE' and actor <> $1) as found`,
);
