-- Identity papers lie sealed beside the rows that they prove, so that a backup has both and no web server can serve them.
-- `content_mark` is a keyed hash: the same file sent twice is one document.
create table merchant_documents (
  merchant_id uuid not null,
  id uuid not null,
  kind text not null,
  file_name text not null,
  content_type text not null,
  byte_count integer not null,
  content_mark text not null,
  content_sealed bytea not null,
  uploaded_by uuid,
  uploaded_at timestamptz not null,
  constraint merchant_documents_pk primary key (merchant_id, id),
  constraint merchant_documents_merchant foreign key (merchant_id) references merchants (id),
  constraint merchant_documents_once unique (merchant_id, kind, content_mark),
  constraint merchant_documents_kind check (kind in ('CAC_CERTIFICATE', 'CAC_STATUS_REPORT', 'MEMORANDUM', 'DIRECTOR_ID',
    'PROOF_OF_ADDRESS', 'OTHER')),
  constraint merchant_documents_content_type check (content_type in ('application/pdf', 'image/png', 'image/jpeg'))
);
