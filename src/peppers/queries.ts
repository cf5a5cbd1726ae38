import { statement } from '../platform/db/statement.ts';

interface PepperRow {
  id: string;
  first_used_at: Date;
}

/** In the order in which they came into use. */
export const listPeppers = statement<PepperRow>(
  'list-peppers',
  'select id, first_used_at from peppers order by first_used_at, id',
);

export const insertPepper = statement(
  'insert-pepper',
  'insert into peppers (id, first_used_at) values ($1, $2) on conflict (id) do nothing',
);

export const deletePepper = statement('delete-pepper', 'delete from peppers where id = $1');

interface EncryptionKeyRow {
  id: string;
  first_used_at: Date;
}

/** One, but for first starts at one moment: then the first counts. */
export const listEncryptionKeys = statement<EncryptionKeyRow>(
  'list-encryption-keys',
  'select id, first_used_at from encryption_keys order by first_used_at, id',
);

export const insertEncryptionKey = statement(
  'insert-encryption-key',
  'insert into encryption_keys (id, first_used_at) values ($1, $2) on conflict (id) do nothing',
);

export const deleteEncryptionKey = statement<{ id: string }>(
  'delete-encryption-key',
  'delete from encryption_keys where id = $1 returning id',
);

/** Services on this database, besides the process $1 that asks. */
export const countServices = statement<{ services: number }>(
  'count-services',
  `select count(*)::int as services from pg_stat_activity
    where (datname = current_database() and application_name = 'manilla')
       or (application_name like 'manilla supervisor %' and application_name <> 'manilla supervisor ' || $1::int)`,
);
