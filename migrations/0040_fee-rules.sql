-- Fees, VAT and stamp duty change by decree on a date, so they are dated rows and never constants in the code.
--
-- A rule applies to amounts from min_amount_minor to max_amount_minor (both included) and from effective_from up to,
-- but not at, effective_to. It charges flat_minor plus rate_basis_points of its base: the amount of the payout for
-- TRANSFER_FEE and STAMP_DUTY, the transfer fee for VAT. rounding says what becomes of a fraction of a minor unit.
create table fee_rules (
  id text not null,
  currency text not null,
  kind text not null,
  min_amount_minor bigint not null,
  max_amount_minor bigint,
  flat_minor bigint not null,
  rate_basis_points integer not null,
  payer text not null,
  exempt_purposes text[] not null,
  rounding text not null,
  effective_from timestamptz not null,
  effective_to timestamptz,
  source text not null,
  constraint fee_rules_pk primary key (id),
  constraint fee_rules_currency check (currency ~ '^[A-Z]{3}$'),
  constraint fee_rules_kind check (kind in ('TRANSFER_FEE', 'VAT', 'STAMP_DUTY')),
  constraint fee_rules_amounts check (min_amount_minor >= 0 and max_amount_minor >= min_amount_minor),
  constraint fee_rules_flat check (flat_minor >= 0),
  constraint fee_rules_rate check (rate_basis_points between 0 and 10000),
  constraint fee_rules_payer check (payer in ('SENDER', 'RECEIVER')),
  constraint fee_rules_rounding check (rounding in ('HALF_UP', 'HALF_EVEN', 'DOWN', 'UP')),
  constraint fee_rules_effective check (effective_to > effective_from)
);

-- A day begins at midnight in Lagos, which is one hour ahead of UTC all year.
-- "Up to N5,000" is read as N5,000.00 included: the guide's own wording varies between "below" and "up to".
insert into fee_rules (
  id, currency, kind, min_amount_minor, max_amount_minor, flat_minor, rate_basis_points, payer, exempt_purposes,
  rounding, effective_from, effective_to, source
) values
  ('ngn-transfer-fee-2020-small', 'NGN', 'TRANSFER_FEE', 0, 500000, 1000, 0, 'SENDER', '{}',
    'HALF_UP', '2020-01-01 00:00:00+01', null, 'CBN Guide to Charges, in force from 1 January 2020'),
  ('ngn-transfer-fee-2020-medium', 'NGN', 'TRANSFER_FEE', 500001, 5000000, 2500, 0, 'SENDER', '{}',
    'HALF_UP', '2020-01-01 00:00:00+01', null, 'CBN Guide to Charges, in force from 1 January 2020'),
  ('ngn-transfer-fee-2020-large', 'NGN', 'TRANSFER_FEE', 5000001, null, 5000, 0, 'SENDER', '{}',
    'HALF_UP', '2020-01-01 00:00:00+01', null, 'CBN Guide to Charges, in force from 1 January 2020'),
  ('ngn-vat-2020', 'NGN', 'VAT', 0, null, 0, 750, 'SENDER', '{}',
    'HALF_UP', '2020-02-01 00:00:00+01', null, 'Finance Act 2019: VAT 7.5 % from 1 February 2020'),
  ('ngn-stamp-duty-2021-receiver', 'NGN', 'STAMP_DUTY', 1000000, null, 5000, 0, 'RECEIVER', '{SALARY,OWN_ACCOUNT}',
    'HALF_UP', '2021-01-01 00:00:00+01', '2026-01-01 00:00:00+01',
    'Finance Act 2020: electronic money transfer levy, borne by the receiver'),
  ('ngn-stamp-duty-2026-sender', 'NGN', 'STAMP_DUTY', 1000000, null, 5000, 0, 'SENDER', '{SALARY,OWN_ACCOUNT}',
    'HALF_UP', '2026-01-01 00:00:00+01', null,
    'Nigeria Tax Act 2025: stamp duty on electronic transfers, borne by the sender from 1 January 2026');
