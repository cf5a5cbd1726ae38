import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  DISPUTE_SCENARIO_NAMES,
  NIP_CODES,
  PAYER_SCENARIOS,
  REFUND_SCENARIOS,
  SANDBOX_SCENARIOS,
  SETTLEMENT_SCENARIO_NAMES,
} from '../../src/rails/index.ts';

const guide = await readFile(new URL('../../docs/sandbox-rail.md', import.meta.url), 'utf8');
const rowsIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
const [beforeDisputes = '', ofDisputes = ''] = guide.split('## Disputes\n');
const rows = rowsIn(guide);

/** Bank code 058 and a nine-digit serial, weighted 3, 7, 3 over all fifteen digits. */
function hasValidCheckDigit(accountNumber: string): boolean {
  const digits = [...`000058${accountNumber.slice(0, 9)}`].map(Number);
  const sum = digits.reduce((total, digit, at) => total + digit * (at % 3 === 1 ? 7 : 3), 0);
  return (10 - (sum % 10)) % 10 === Number(accountNumber[9]);
}

describe('the guide to the sandbox rail', () => {
  it('lists every scenario, and no other, as the rail plays it', () => {
    const listed = rows.filter((cells) => /^9999\d\d$/.test(cells[1] ?? ''));
    expect(listed.map((cells) => [cells[1], cells[2], cells[5]])).toEqual(
      SANDBOX_SCENARIOS.map((entry) => [entry.suffix, entry.name, entry.happens]),
    );
    expect(listed.map((cells) => cells[4]?.split(', then ').at(-1))).toEqual(
      SANDBOX_SCENARIOS.map((entry) => entry.later?.code ?? entry.code),
    );
  });

  it('lists every payer, and no other, with what they do', () => {
    const isName = (cells: string[]) => /^[a-z]+(_[a-z]+)*$/.test(cells[1] ?? '') && cells.length === 4;
    const listed = rowsIn(beforeDisputes).filter(isName);
    const ended = rowsIn(ofDisputes.split('\n## ')[0] ?? '').filter(isName);
    expect(ended.map(([, name]) => name)).toEqual([...DISPUTE_SCENARIO_NAMES]);
    const settled = rowsIn(guide.split('## Settlements\n')[1]?.split('\n## ')[0] ?? '').filter(
      (cells) => /^[a-z_]+$/.test(cells[1] ?? '') && cells.length === 4,
    );
    expect(settled.map(([, name]) => name)).toEqual([...SETTLEMENT_SCENARIO_NAMES]);
    expect(listed.map((cells) => [cells[1], cells[2]])).toEqual(
      PAYER_SCENARIOS.map(({ name, happens }) => [name, happens]),
    );
  });

  it('lists every scenario of a refund, and no other, with what the bank does', () => {
    const listed = rows.filter((cells) => /^refund-[a-z-]+$/.test(cells[1] ?? ''));
    expect(listed.map((cells) => [cells[1], cells[2]])).toEqual(
      REFUND_SCENARIOS.map(({ name, happens }) => [name, happens]),
    );
  });

  it('gives an example account for each that ends in its suffix and passes the NUBAN check', () => {
    for (const cells of rows.filter((row) => /^9999\d\d$/.test(row[1] ?? ''))) {
      expect(cells[3]).toMatch(new RegExp(`^\\d{4}${cells[1]}$`));
      expect(hasValidCheckDigit(cells[3] ?? '')).toBe(true);
    }
  });

  it('classes every code that it explains as the code table does', () => {
    const codes = rows.filter((cells) => /^\d\d$/.test(cells[1] ?? ''));
    expect(codes.length).toBeGreaterThan(0);
    for (const [, code, meaning, reason, send, query] of codes) {
      const entry = NIP_CODES.find((one) => one.code === code);
      expect([meaning, reason, send, query]).toEqual([
        entry?.meaning,
        entry?.reason ?? '',
        entry?.send.replace('_', ' '),
        entry?.query.replace('_', ' '),
      ]);
    }
  });
});
