/** For how many days each is kept, as the operator has set it. */
export interface RetentionDays {
  requests: number;
  deliveries: number;
  mails: number;
  floatChecks: number;
}

interface RetentionSetting {
  name: string;
  what: string;
  default: number;
  /** Below that something else would lack it, which `why` says. */
  minimum: number;
  why: string;
}

/** What is removed once it is so old, by a setting each. `config.ts` reads them before anything else is loaded. */
export const RETENTION_SETTINGS: Readonly<Record<keyof RetentionDays, RetentionSetting>> = {
  requests: {
    name: 'RETAIN_REQUESTS_DAYS',
    what: 'The request log: what programs asked, without what was in it',
    default: 7,
    minimum: 7,
    why: 'Bodies of requests are kept for up to seven days, as each merchant has set it, and never longer than the request.',
  },
  deliveries: {
    name: 'RETAIN_DELIVERIES_DAYS',
    what: 'Deliveries of webhooks that have ended, with every call and its answer; the events stay',
    default: 180,
    minimum: 7,
    why: 'A delivery is tried for three days, and may be asked for again after that.',
  },
  mails: {
    name: 'RETAIN_MAILS_DAYS',
    what: 'Mails that were sent or abandoned: to whom, when and about what',
    default: 180,
    minimum: 30,
    why: 'Their texts are removed after seven days in any case; a mail that waits is kept.',
  },
  floatChecks: {
    name: 'RETAIN_FLOAT_CHECKS_DAYS',
    what: 'Balances of rails beside ours, as of a moment; the last one of each stays',
    default: 1_826,
    minimum: 92,
    why: 'They are looked up where a difference of a quarter is explained.',
  },
};

/** The days of everything that a setting removes, by the settings. */
export const keptForDays = (given: Readonly<Record<string, number>>): RetentionDays => {
  const days = (of: keyof RetentionDays) => given[RETENTION_SETTINGS[of].name] ?? RETENTION_SETTINGS[of].default;
  return {
    requests: days('requests'),
    deliveries: days('deliveries'),
    mails: days('mails'),
    floatChecks: days('floatChecks'),
  };
};
