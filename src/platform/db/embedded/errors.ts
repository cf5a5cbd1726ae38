/** The embedded database cannot be used as things stand. The message says why and what the operator can do. */
export class EmbeddedPostgresError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EmbeddedPostgresError';
  }
}

/** Another process runs the database of the folder. */
export class DatabaseTakenError extends EmbeddedPostgresError {}
