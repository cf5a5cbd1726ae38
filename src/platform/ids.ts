import { uuidv7 } from 'uuidv7';

/** A fresh UUIDv7: sortable by time, made by the application so that the same schema can be distributed. */
export function newId(): string {
  return uuidv7();
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}
