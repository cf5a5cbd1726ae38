import { hash } from 'node:crypto';
import type { EventArchiveRow } from '../ledger/index.ts';

/** The head of a chain that has no archive yet. */
export const NO_HEAD = '';

type Sealed = Omit<EventArchiveRow, 'head' | 'removed_to'>;

/** Ties an archive to all of its tenant before it. How far its rows are removed changes, and is held against the tables. */
export function headOf(previous: string, archive: Sealed): string {
  const { merchant_id, mode, number, id, first_sequence, last_sequence, events, keys, file_name } = archive;
  const { file_bytes, file_hash, content_hash, archived_at } = archive;
  const range = [first_sequence, last_sequence, events, keys, file_bytes].map(String);
  const parts = [previous, merchant_id, mode, number, id, ...range, file_name, file_hash, content_hash];
  return hash('sha256', JSON.stringify([...parts, archived_at.toISOString()]), 'hex');
}

/** The first line of a file says whose it is, so that one that was put in the place of another can be named. */
export interface FileHeader {
  format: typeof FORMAT;
  merchantId: string;
  mode: string;
  number: number;
  id: string;
  /** The head of the archive before it. */
  previous: string;
}

const FORMAT = 'manilla events 1';

export function headerLine(archive: Pick<Sealed, 'merchant_id' | 'mode' | 'number' | 'id'>, previous: string): string {
  const { merchant_id: merchantId, mode, number, id } = archive;
  return JSON.stringify({ format: FORMAT, merchantId, mode, number, id, previous } satisfies FileHeader);
}

/** The sequence with which a line of an event begins. */
export const sequenceOf = (line: string): bigint => BigInt(Number.parseInt(line.slice(1), 10));

/** Whether the line has a key behind its event: it ends with the row, or with `null`. */
export const hasKey = (line: string): boolean => !line.endsWith(', null]');
