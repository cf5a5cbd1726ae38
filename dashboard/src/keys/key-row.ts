import type { Data } from '../api/types.ts';

export type KeyRow = Data<'get', '/key'>[number];

/** Keys of before had no names. */
export const keyName = ({ name, kind }: Pick<KeyRow, 'name' | 'kind'>): string =>
  name === '' ? (kind === 'SECRET' ? 'Secret key' : 'Public key') : name;
