import { describe, expect, it } from 'vitest';
import type { Bank } from '../../src/banks/index.ts';
import { isPlausibleNuban, nubanCheckDigit, nubanWarning } from '../../src/banks/nuban.ts';

function bank(code: string, nipCode: string | null = null): Bank {
  return { code, nipCode, name: `Bank ${code}`, shortName: code, kind: 'COMMERCIAL', active: true };
}

describe('nubanCheckDigit', () => {
  it.each([
    ['First Bank', '011', '0000014579'],
    ['First Bank', '011', '0000000220'],
    ['Access', '044', '0010246780'],
    ['Stanbic', '221', '0054556411'],
    ['Moniepoint', '50515', '5522116946'],
    ['PalmPay', '999991', '8106136519'],
    ['GTBank', '058', '0123456785'],
    ['an institution with a five-digit code', '50547', '0000214579'],
    ['Access', '044', '0000000017'],
    ['UBA', '033', '0000000017'],
    ['GTBank', '058', '0000000018'],
    ['First Bank', '011', '0000000017'],
    ['Zenith', '057', '0000000011'],
    ['Fidelity', '070', '0000000018'],
    ['Sterling', '232', '0000000014'],
    ['Wema', '035', '0000000011'],
    ['Union', '032', '0000000010'],
    ['FCMB', '214', '0000000012'],
    ['Stanbic', '221', '0000000014'],
    ['Providus', '101', '0000000011'],
    ['Moniepoint', '50515', '0000000018'],
    ['Kuda', '50211', '0000000019'],
    ['OPay', '999992', '0000000014'],
    ['PalmPay', '999991', '0000000017'],
  ])('is the last digit of a valid account at %s (%s): %s', (_name, code, accountNumber) => {
    expect(nubanCheckDigit(code, accountNumber.slice(0, 9))).toBe(accountNumber[9]);
    for (let digit = 0; digit <= 9; digit += 1) {
      const other = `${accountNumber.slice(0, 9)}${digit}`;
      expect(isPlausibleNuban(code, other)).toBe(other === accountNumber);
    }
  });

  it('is the same for a three-digit code, for that code with three leading zeros, and for a five-digit one after a 9', () => {
    expect(nubanCheckDigit('000058', '012345678')).toBe('5');
    expect(nubanCheckDigit('950547', '000021457')).toBe(nubanCheckDigit('50547', '000021457'));
  });

  it("differs between a bank's own code and its network code, so the two must not be mixed", () => {
    expect(nubanCheckDigit('058', '000000001')).toBe('8');
    expect(nubanCheckDigit('058', '012345678')).not.toBe(nubanCheckDigit('000013', '012345678'));
    expect(nubanCheckDigit('000013', '012345678')).toBe('8');
  });

  it('says nothing about codes and serials of another form', () => {
    expect(nubanCheckDigit('12', '000000001')).toBeUndefined();
    expect(nubanCheckDigit('058', '00000001')).toBeUndefined();
    expect(nubanCheckDigit('058', '00000000x')).toBeUndefined();
  });
});

describe('nubanWarning', () => {
  it('warns in words when the digit does not fit and is silent otherwise', () => {
    expect(nubanWarning(bank('058'), '0000000017')).toContain('Bank 058');
    expect(nubanWarning(bank('058'), '0000000018')).toBeUndefined();
    expect(nubanWarning(bank('120001', '120001'), '0000000017')).toBeUndefined();
  });
});
