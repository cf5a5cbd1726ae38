-- One row for each merchant and mode: every group of movements locks it first, so one tenant's money has one order.
create table books (
  merchant_id uuid not null,
  mode text not null,
  event_sequence bigint not null,
  constraint books_pk primary key (merchant_id, mode),
  constraint books_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint books_event_sequence check (event_sequence >= 0)
) with (fillfactor = 50);
