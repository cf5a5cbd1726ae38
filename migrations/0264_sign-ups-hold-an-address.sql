-- Whoever signs up says nothing but an address: the password and the business are told after the address is confirmed, so
-- that nobody's password waits for somebody else's click. What earlier sign-ups said is asked again; a later release drops
-- the columns.
alter table sign_ups
  alter column password_hash drop not null,
  alter column business_name drop not null,
  alter column first_name drop not null,
  alter column last_name drop not null,
  alter column phone_number drop not null;
