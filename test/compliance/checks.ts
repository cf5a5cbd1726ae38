/** Those of the proof that are broken in the tests of this folder. */
export const CHECKS_OF_COMPLIANCE = [
  'freezes-let-nothing-through',
  'what-is-held-has-its-case',
  'freezes-are-lifted-by-two',
] as const;
