-- What the review asks for beyond the merchant's profile: who the director is and where settlements go. What an accepted
-- merchant wants changed waits in `changes` until the operator accepts it: the profile in force stays as it is till then.
create table merchant_onboarding (
  merchant_id uuid not null,
  details jsonb not null,
  changes jsonb not null,
  updated_at timestamptz not null,
  constraint merchant_onboarding_pk primary key (merchant_id),
  constraint merchant_onboarding_merchant foreign key (merchant_id) references merchants (id)
);
