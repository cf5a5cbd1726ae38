-- A merchant may bind itself more tightly than the operator does, so a limit says whose it is; the stricter one counts.
alter table payout_limits add column owner text not null default 'OPERATOR';
alter table payout_limits add constraint payout_limits_owner check (owner in ('OPERATOR', 'MERCHANT')) not valid;
