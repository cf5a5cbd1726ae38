import { jsonText } from '../platform/json-text.ts';
import type { CustomerRow } from './queries.ts';

export function customerView(row: CustomerRow) {
  return {
    customerId: row.id,
    name: row.name,
    email: row.email,
    phoneNumber: row.phone_number,
    metadata: row.metadata === null ? null : jsonText(row.metadata),
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
