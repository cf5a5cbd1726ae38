/** Tests ask faster than anybody does; how fast anybody may is a test of its own. */
export const WITHOUT_LIMITS = { RATE_LIMIT_PER_SECOND: '0', ADDRESS_RATE_LIMIT_PER_SECOND: '0' };
