import type { Banks } from '../banks/index.ts';
import { offsetOf, type PageRequest, pageView } from '../platform/http/schemas.ts';
import { bankView } from './views.ts';

/** A page of the active banks by name; `search` looks in names and codes. */
export async function listBanks(banks: Banks, search: string | undefined, page: PageRequest) {
  const wanted = search?.trim().toLowerCase() ?? '';
  const all = await banks.listBanks();
  const found = all.filter((bank) => {
    const texts = [bank.name, bank.shortName, bank.code, bank.nipCode ?? ''];
    return texts.some((text) => text.toLowerCase().includes(wanted));
  });
  const offset = offsetOf(page);
  return pageView(page, found.length, found.slice(offset, offset + page.size).map(bankView));
}
