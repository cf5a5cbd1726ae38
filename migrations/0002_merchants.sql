-- Merchants, the services they have enabled, and what the operator reviews before they may use them.

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
  submitted_at timestamptz,
  constraint merchants_pk primary key (id),
  constraint merchants_status check (status in ('PENDING', 'ACTIVE', 'SUSPENDED')),
  constraint merchants_initial_status check (initial_status in ('NEW')),
  constraint merchants_review_status check (review_status in ('PENDING', 'ACCEPTED', 'REJECTED')),
  constraint merchants_active_is_accepted check (status = 'PENDING' or review_status = 'ACCEPTED'),
  constraint merchants_bvn_both check ((bvn_sealed is null) = (bvn_masked = ''))
);
comment on table merchants is 'Who the service is run for: one profile for both modes.';
comment on column merchants.submitted_at is 'While the details wait for the operator they do not change.';

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
comment on table merchant_status_changes is
  'What the operator decided about a merchant, and when. Rows are only added.';

create table services (
  id uuid not null,
  key text not null,
  name text not null,
  description text not null,
  constraint services_pk primary key (key),
  constraint services_id_unique unique (id)
);
comment on table services is 'Reference data: the services that a merchant may have enabled.';
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
comment on table merchant_services is 'The services that are enabled for a merchant.';

create table merchant_onboarding (
  merchant_id uuid not null,
  details jsonb not null,
  changes jsonb not null,
  updated_at timestamptz not null,
  constraint merchant_onboarding_pk primary key (merchant_id),
  constraint merchant_onboarding_merchant foreign key (merchant_id) references merchants (id)
);
comment on table merchant_onboarding is
  'What the review asks for beyond the profile: who the director is and where settlements go.';
comment on column merchant_onboarding.changes is
  'What an accepted merchant wants changed, until the operator accepts it. The profile in force stays as it is till '
  'then.';

create table merchant_documents (
  merchant_id uuid not null,
  id uuid not null,
  kind text not null,
  file_name text not null,
  content_type text not null,
  byte_count integer not null,
  content_mark text not null,
  content_sealed bytea not null,
  uploaded_by uuid,
  uploaded_at timestamptz not null,
  constraint merchant_documents_pk primary key (merchant_id, id),
  constraint merchant_documents_once unique (merchant_id, kind, content_mark),
  constraint merchant_documents_merchant foreign key (merchant_id) references merchants (id),
  constraint merchant_documents_kind check (kind in (
    'CAC_CERTIFICATE', 'CAC_STATUS_REPORT', 'MEMORANDUM', 'DIRECTOR_ID', 'PROOF_OF_ADDRESS', 'OTHER'
  )),
  constraint merchant_documents_content_type check (content_type in ('application/pdf', 'image/png', 'image/jpeg'))
);
comment on table merchant_documents is
  'Identity papers, sealed, beside the rows that they prove: a backup has both and no web server can serve them.';
comment on column merchant_documents.content_mark is 'A keyed hash: the same file sent twice is one document.';
