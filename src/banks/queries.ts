import { statement } from '../platform/db/statement.ts';
import type { Bank } from './bank.ts';

export const listAllBanks = statement<Bank>(
  'list-all-banks',
  `select code, nip_code as "nipCode", name, short_name as "shortName", kind, active
   from banks
   order by lower(name), code`,
);
