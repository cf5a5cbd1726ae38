-- What the columns of a merchant's files are is settled once, and remembered for the next file with the same header.

create table file_mappings (
  merchant_id uuid not null,
  mode text not null,
  shape text not null,
  columns text not null,
  used_at timestamptz not null,
  constraint file_mappings_pk primary key (merchant_id, mode, shape),
  constraint file_mappings_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint file_mappings_shape check (length(shape) = 43)
);
comment on table file_mappings is
  'What each column of a file of batches was, by its header: the fifty of a merchant that were used last.';
comment on column file_mappings.shape is 'SHA-256 of the names of the columns in their order, in base64url.';
comment on column file_mappings.columns is
  'JSON: of each column its name, shortened, and the field that it was read as, or null.';
