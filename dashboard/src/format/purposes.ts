/** Why money is sent, in words. The charges depend on it. */
export const PURPOSES = {
  GENERAL: 'General',
  SALARY: 'Salary',
  OWN_ACCOUNT: 'To an account of your own',
} as const;

export type Purpose = keyof typeof PURPOSES;

/** `GENERAL` as people read it; what has no words of its own stays as it is. */
export function purposeWord(purpose: string): string {
  return purpose in PURPOSES ? PURPOSES[purpose as Purpose] : purpose;
}
