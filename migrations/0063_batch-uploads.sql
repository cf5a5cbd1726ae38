-- Rows of a file are written in pieces before their batch exists. This row says that they are expected; the movement
-- that makes the batch takes it away, and rows of an upload that was cut off are found by it and removed.
create table batch_uploads (
  merchant_id uuid not null,
  mode text not null,
  batch_id uuid not null,
  started_at timestamptz not null,
  constraint batch_uploads_pk primary key (merchant_id, mode, batch_id),
  constraint batch_uploads_mode check (mode in ('SANDBOX', 'LIVE'))
);
