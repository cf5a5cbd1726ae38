import { workbookWith } from '../../test/support/payroll-files.ts';

/** Somebody on the payroll: the account, and its owner as the bank says. */
export interface Employee {
  accountNumber: string;
  accountName: string;
}

type Staff = readonly [Employee, Employee, Employee];

/**
 * A month as an accountant keeps it: a title over merged cells, gross beside net pay, a bank that is misspelt, an account
 * that lost its leading zero, an amount with its sign, a total and a signature, and no narration at all.
 */
function month(name: string, [first, second, third]: Staff, rise = 0) {
  return {
    name,
    merged: ['A1:F1'],
    rows: [
      [`ADIRE STUDIO LTD: PAYROLL FOR ${name.toUpperCase()} 2026`],
      [],
      ['S/N', 'Staff Name', 'Bank', 'A/C No', 'Gross Pay', 'Net Pay (₦)'],
      [1, first.accountName, 'GTBank', first.accountNumber, 180_000, { formula: 'E4*0.9', result: 150_000.5 + rise }],
      [2, second.accountName, 'Garanty Trust', second.accountNumber, 90_000, 62_500 + rise],
      [3, third.accountName, 'GTB', Number(third.accountNumber), 60_000, `${40 + rise / 1_000},000/=`],
      [null, 'GRAND TOTAL', null, null, 330_000, { formula: 'SUM(F4:F6)', result: 252_500.5 + 3 * rise }],
      ['Prepared by: Chidi'],
    ],
  };
}

/** The file of the first time, with the month before on a sheet of its own, and that of the month after. */
export const payrollFile = (staff: Staff) => ({
  name: 'NOV PAYROLL FINAL (2).xlsx',
  content: workbookWith([month('October', staff), month('November', staff)]),
});
export const nextPayrollFile = (staff: Staff) => ({
  name: 'december.xlsx',
  content: workbookWith([month('December', staff, 1_000)]),
});
