-- The bank directory. Banks have two codes that are not interchangeable, so both are columns.
--
-- code is the one that clients send as bankCode: the central bank's code, or the one in common use. It is also the
-- one that an account number's check digit is made with. nip_code is the six-digit code of the interbank payment
-- network. Null: we have no sure source for it. Where a bank is known by its network code only, both columns hold it.
create table banks (
  code text not null,
  nip_code text,
  name text not null,
  short_name text not null,
  kind text not null,
  active boolean not null,
  constraint banks_pk primary key (code),
  constraint banks_nip_code_unique unique (nip_code),
  constraint banks_code check (code ~ '^([0-9]{3}|[0-9]{5}|[0-9]{6})$'),
  constraint banks_nip_code check (nip_code ~ '^[0-9]{6}$'),
  constraint banks_kind check (kind in ('COMMERCIAL', 'MERCHANT', 'MICROFINANCE', 'MOBILE_MONEY', 'PAYMENT_SERVICE'))
);

-- Network codes are those of the published participant list of 31 March 2021. Heritage Bank lost its licence on
-- 3 June 2024: its row stays, so that old records still have a name, and takes no new payouts.
insert into banks (code, nip_code, name, short_name, kind, active) values
  ('011', '000016', 'First Bank of Nigeria', 'First Bank', 'COMMERCIAL', true),
  ('023', '000009', 'Citibank Nigeria', 'Citibank', 'COMMERCIAL', true),
  ('030', '000020', 'Heritage Bank', 'Heritage', 'COMMERCIAL', false),
  ('032', '000018', 'Union Bank of Nigeria', 'Union Bank', 'COMMERCIAL', true),
  ('033', '000004', 'United Bank for Africa', 'UBA', 'COMMERCIAL', true),
  ('035', '000017', 'Wema Bank', 'Wema', 'COMMERCIAL', true),
  ('044', '000014', 'Access Bank', 'Access', 'COMMERCIAL', true),
  ('050', '000010', 'Ecobank Nigeria', 'Ecobank', 'COMMERCIAL', true),
  ('057', '000015', 'Zenith Bank', 'Zenith', 'COMMERCIAL', true),
  ('058', '000013', 'Guaranty Trust Bank', 'GTBank', 'COMMERCIAL', true),
  ('063', '000005', 'Access Bank (Diamond)', 'Access (Diamond)', 'COMMERCIAL', true),
  ('068', '000021', 'Standard Chartered Bank Nigeria', 'Standard Chartered', 'COMMERCIAL', true),
  ('070', '000007', 'Fidelity Bank', 'Fidelity', 'COMMERCIAL', true),
  ('076', '000008', 'Polaris Bank', 'Polaris', 'COMMERCIAL', true),
  ('082', '000002', 'Keystone Bank', 'Keystone', 'COMMERCIAL', true),
  ('100', '000022', 'SunTrust Bank', 'SunTrust', 'COMMERCIAL', true),
  ('101', '000023', 'Providus Bank', 'Providus', 'COMMERCIAL', true),
  ('102', '000025', 'Titan Trust Bank', 'Titan', 'COMMERCIAL', true),
  ('106', null, 'Signature Bank', 'Signature', 'COMMERCIAL', true),
  ('125', null, 'Rubies Microfinance Bank', 'Rubies', 'MICROFINANCE', true),
  ('214', '000003', 'First City Monument Bank', 'FCMB', 'COMMERCIAL', true),
  ('215', '000011', 'Unity Bank', 'Unity', 'COMMERCIAL', true),
  ('221', '000012', 'Stanbic IBTC Bank', 'Stanbic IBTC', 'COMMERCIAL', true),
  ('232', '000001', 'Sterling Bank', 'Sterling', 'COMMERCIAL', true),
  ('301', '000006', 'Jaiz Bank', 'Jaiz', 'COMMERCIAL', true),
  ('565', null, 'Carbon', 'Carbon', 'MICROFINANCE', true),
  ('566', null, 'VFD Microfinance Bank', 'VFD', 'MICROFINANCE', true),
  ('50211', null, 'Kuda Microfinance Bank', 'Kuda', 'MICROFINANCE', true),
  ('50515', null, 'Moniepoint Microfinance Bank', 'Moniepoint', 'MICROFINANCE', true),
  ('51310', null, 'Sparkle Microfinance Bank', 'Sparkle', 'MICROFINANCE', true),
  ('100002', '100002', 'Paga', 'Paga', 'MOBILE_MONEY', true),
  ('100022', null, 'GoMoney', 'GoMoney', 'MOBILE_MONEY', true),
  ('100039', null, 'Paystack-Titan', 'Paystack-Titan', 'MOBILE_MONEY', true),
  ('999991', '100033', 'PalmPay', 'PalmPay', 'MOBILE_MONEY', true),
  ('999992', '100004', 'OPay (Paycom)', 'OPay', 'MOBILE_MONEY', true),
  ('000024', '000024', 'Rand Merchant Bank', 'Rand', 'MERCHANT', true),
  ('000026', '000026', 'TAJBank', 'TAJ', 'COMMERCIAL', true),
  ('000027', '000027', 'Globus Bank', 'Globus', 'COMMERCIAL', true),
  ('060001', '060001', 'Coronation Merchant Bank', 'Coronation', 'MERCHANT', true),
  ('100023', '100023', 'TagPay', 'TagPay', 'MOBILE_MONEY', true),
  ('120001', '120001', '9 Payment Service Bank', '9PSB', 'PAYMENT_SERVICE', true),
  ('120002', '120002', 'HopePSB', 'HopePSB', 'PAYMENT_SERVICE', true);
