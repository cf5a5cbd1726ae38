/** Why money is sent, in words. The charges depend on it. */
export const PURPOSES = {
  GENERAL: 'General',
  SALARY: 'Salary',
  OWN_ACCOUNT: 'To an account of your own',
} as const;

export type Purpose = keyof typeof PURPOSES;

export const PURPOSE_OPTIONS = Object.entries(PURPOSES).map(([value, label]) => ({ value, label }));
