-- A password may be lost or guessed: a second factor is a code that only the person's own device can show.
alter table people
  -- Sealed, bound to the person. Before it is confirmed with a code it waits beside.
  add column totp_waiting_sealed text,
  add column totp_sealed text,
  -- The last half minute whose code was taken: each counts once.
  add column totp_last_step bigint not null default 0,
  -- Keyed hashes of the recovery codes that are left; a used one is taken out.
  add column recovery_hashes text[] not null default '{}';
