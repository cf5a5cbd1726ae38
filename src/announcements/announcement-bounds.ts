/** More than this is all of them, or a list that nobody has looked through. */
export const MAX_MERCHANTS = 200;
/** That have not ended, drafts among them: nobody reads more, and every page of every merchant asks for them. */
export const MAX_OPEN = 50;
/** What one person is shown at once. */
export const MAX_SHOWN = 10;
/** What is true for longer than a year belongs into the documentation. */
export const MAX_PERIOD_MS = 366 * 24 * 60 * 60_000;
