/**
 * Tests ask faster than anybody does, on machines that are busy with other things; how fast anybody may, and what a busy
 * process answers, are tests of their own.
 */
export const WITHOUT_LIMITS = {
  RATE_LIMIT_PER_SECOND: '0',
  ADDRESS_RATE_LIMIT_PER_SECOND: '0',
  OVERLOAD_DELAY_MS: '0',
};
