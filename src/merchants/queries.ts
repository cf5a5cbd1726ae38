import { type Statement, setStatement, statement } from '../platform/db/statement.ts';
import type { MerchantStatus, ReviewStatus } from './merchant-state.ts';
import type { ServiceKey } from './services.ts';

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

export const findMerchantById = statement<MerchantRow>(
  'find-merchant',
  `select merchants.*, to_char(director_date_of_birth, 'YYYY-MM-DD') as director_date_of_birth
   from merchants where id = $1`,
);

/** $1 after this id (newest first), $2 status, $3 how many. */
export const listMerchantSummaries = statement<MerchantSummaryRow>(
  'list-merchants',
  `select id, business_name, email, status, review_status, created_at from merchants
   where ($1::uuid is null or id < $1) and ($2::text is null or status = $2)
   order by id desc limit $3`,
);

/** Moves and leaves the history row in one statement. $1 merchant, $2 from, $3 to, $4 review, $5 change id, $6 action,
 * $7 actor, $8 reason, $9 now. No row back: the merchant is unknown or not in the from-state. */
export const updateMerchantStatus = statement<{ to_status: MerchantStatus }>(
  'update-merchant-status',
  `with moved as (
     update merchants set status = $3, review_status = $4 where id = $1 and status = $2 returning id
   )
   insert into merchant_status_changes
     (merchant_id, id, action, from_status, to_status, actor, reason, created_at)
   select id, $5, $6, $2, $3, $7, $8, $9 from moved
   returning to_status`,
);

/** Changes of one movement: `id` is the movement's, `changes` the new values by column. */
export interface MerchantChangeRow {
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
     postal_code = coalesce(fields ->> 'postal_code', postal_code),
     logo = coalesce(fields ->> 'logo', logo)
   from changed where merchants.id = changed.merchant_id`,
);

export const listServicesOfMerchant = statement<ServiceRow>(
  'list-merchant-services',
  `select services.id, services.key, services.name, services.description
   from merchant_services join services on services.key = merchant_services.service_key
   where merchant_services.merchant_id = $1 order by services.id`,
);

export const insertMerchantService = statement(
  'insert-merchant-service',
  `insert into merchant_services (merchant_id, service_key, enabled_at) values ($1, $2, $3)
   on conflict (merchant_id, service_key) do nothing`,
);

export const deleteMerchantService = statement(
  'delete-merchant-service',
  'delete from merchant_services where merchant_id = $1 and service_key = $2',
);
