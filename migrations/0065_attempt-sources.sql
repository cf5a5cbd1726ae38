-- Evidence is more than calls: a rail's notice, a line of its settlement file and an operator's decision are kept beside
-- them, each with the rail that it is about.
alter table payout_attempts
  add column rail text not null default 'sandbox',
  drop constraint payout_attempts_kind,
  add constraint payout_attempts_kind check (kind in ('SEND', 'QUERY', 'NOTICE', 'SETTLEMENT', 'OPERATOR'));
