-- Who the service is run for: one profile for both modes, its services, and the history of what the operator decided.
create table merchants (
  id uuid not null,
  status text not null,
  initial_status text not null,
  review_status text not null,
  business_name text not null,
  business_type text not null,
  business_category text not null,
  registration_number text not null,
  email text not null,
  phone_number text not null,
  logo text,
  address text not null,
  city text not null,
  state text not null,
  country text not null,
  postal_code text,
  director_date_of_birth date,
  bvn_sealed text,
  bvn_masked text not null,
  consent_form text,
  agency_network_consent_form text,
  owner_details jsonb,
  cac_documents text[] not null,
  kyc_completed_fields text[] not null,
  auto_settlement boolean not null,
  auto_instant_settlement boolean not null,
  is_refund_enabled boolean not null,
  is_maker_checker_enabled boolean not null,
  is_consent_form_approved boolean not null,
  is_agency_network_consent_form_approved boolean not null,
  enable_same_bvn_or_phone_number_for_wallet_creation boolean not null,
  sandbox_webhook_url text not null,
  production_webhook_url text not null,
  owner_id uuid not null,
  owner_email text not null,
  owner_first_name text not null,
  owner_last_name text not null,
  owner_phone_number text not null,
  created_at timestamptz not null,
  constraint merchants_pk primary key (id),
  constraint merchants_status check (status in ('PENDING', 'ACTIVE', 'SUSPENDED')),
  constraint merchants_initial_status check (initial_status in ('NEW')),
  constraint merchants_review_status check (review_status in ('PENDING', 'ACCEPTED', 'REJECTED')),
  constraint merchants_active_is_accepted check (status = 'PENDING' or review_status = 'ACCEPTED'),
  constraint merchants_bvn_both check ((bvn_sealed is null) = (bvn_masked = ''))
);

create table merchant_status_changes (
  merchant_id uuid not null,
  id uuid not null,
  action text not null,
  from_status text not null,
  to_status text not null,
  actor text not null,
  reason text,
  created_at timestamptz not null,
  constraint merchant_status_changes_pk primary key (merchant_id, id),
  constraint merchant_status_changes_merchant foreign key (merchant_id) references merchants (id)
);

create table services (
  id uuid not null,
  key text not null,
  name text not null,
  description text not null,
  constraint services_pk primary key (key),
  constraint services_id_unique unique (id)
);
insert into services (id, key, name, description) values
  ('01930000-0000-7000-8000-000000000001', 'PAYOUT', 'Payouts',
    'Pay to bank accounts: one, scheduled, or many at once'),
  ('01930000-0000-7000-8000-000000000002', 'BRANCH', 'Branches',
    'Stores with a wallet each, debited into the merchant wallet'),
  ('01930000-0000-7000-8000-000000000003', 'COLLECTION', 'Collections',
    'Take payments into the merchant wallet'),
  ('01930000-0000-7000-8000-000000000004', 'CHILD_ACCOUNT', 'Child accounts',
    'Subaccounts with an account number each, credited from the merchant wallet'),
  ('01930000-0000-7000-8000-000000000005', 'CARD', 'Cards',
    'Take card payments');

create table merchant_services (
  merchant_id uuid not null,
  service_key text not null,
  enabled_at timestamptz not null,
  constraint merchant_services_pk primary key (merchant_id, service_key),
  constraint merchant_services_merchant foreign key (merchant_id) references merchants (id),
  constraint merchant_services_service foreign key (service_key) references services (key)
);
