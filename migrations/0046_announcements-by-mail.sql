-- The operator may send an announcement by e-mail too: who does not sign in for days has to know of it as well.

alter table announcements
  add column by_mail boolean not null default false,
  add column mailed_up_to uuid,
  add column mailed_people integer not null default 0,
  add column mailed_at timestamptz,
  add constraint announcements_mailed_people check (mailed_people >= 0);
comment on column announcements.by_mail is 'Whether the people of its merchants get it by e-mail too, once each.';
comment on column announcements.mailed_up_to is
  'Up to which person mails are in the outbox: they are written in the order of the people''s ids, a few at a time.';
comment on column announcements.mailed_people is 'How many people a mail was written to.';
comment on column announcements.mailed_at is 'When the last of them was written.';
