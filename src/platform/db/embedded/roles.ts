import { execFileSync } from 'node:child_process';
import { program } from './binaries.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { processOptions, type ServerUser } from './server-user.ts';

/** The one database, and the role of the service: it owns that database and is no superuser. */
export const DATABASE_NAME = 'manilla';
export const SERVICE_ROLE = 'manilla';
/** The superuser that `initdb` makes. It has no password and may not sign in: only `runAlone` uses it. */
export const SUPERUSER = 'manilla_superuser';

/** A database without its server: the files, and who they belong to. */
interface IdleCluster {
  readonly data: string;
  readonly binaries: string;
  readonly user: ServerUser | undefined;
}

const LONGEST_MS = 10 * 60_000;

/**
 * Runs statements as the superuser on a cluster whose server is down, in PostgreSQL's single-user mode: only a user who
 * may start the server can, and there is no connection and no password that could be found.
 * @throws EmbeddedPostgresError with PostgreSQL's words when one fails; those before it in a transaction are undone.
 */
export function runAlone(cluster: IdleCluster, database: string, statements: readonly string[]): void {
  const { data, binaries, user } = cluster;
  try {
    execFileSync(program(binaries, 'postgres'), ['--single', '-j', '-c', 'exit_on_error=true', '-D', data, database], {
      ...processOptions(user, data),
      // With -j a statement ends at a semicolon and an empty line.
      input: statements.map((statement) => `${statement};\n\n`).join(''),
      stdio: 'pipe',
      timeout: LONGEST_MS,
    });
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string };
    throw new EmbeddedPostgresError(
      `The roles of the embedded database could not be set: ${stderr?.toString().trim() || message}`,
      error,
    );
  }
}

const CREATE_SERVICE_ROLE = (password: string) => [
  // It consists of letters, digits, - and _, so nothing in it ends the string.
  `create role ${SERVICE_ROLE} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${password}'`,
  // For `data_directory`, by which a start recognizes its own server.
  `grant pg_read_all_settings to ${SERVICE_ROLE}`,
];

/** Nobody can sign in as the superuser any more. */
const CLOSE_SUPERUSER = `alter role ${SUPERUSER} nologin password null`;

/** Roles and database of a cluster that `initdb` has just made with `SUPERUSER`. */
export function createRoles(cluster: IdleCluster, password: string): void {
  runAlone(cluster, 'postgres', [
    ...CREATE_SERVICE_ROLE(password),
    `create database ${DATABASE_NAME} owner ${SERVICE_ROLE}`,
    CLOSE_SUPERUSER,
  ]);
}

const IN_BETWEEN = 'manilla_in_between';

const SYSTEM = `'pg_catalog'::regnamespace, 'information_schema'::regnamespace`;
/** The superuser's tables, views and functions in this database, except those of PostgreSQL and its extensions. */
const HAND_OVER = `do $$
declare
  statement text;
begin
  for statement in
    select format('alter table %s owner to ${SERVICE_ROLE}', c.oid::regclass) from pg_class c
     where c.relowner = 10 and c.relkind in ('r', 'p', 'v', 'm') and c.relnamespace not in (${SYSTEM})
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    union all
    select format('alter routine %s owner to ${SERVICE_ROLE}', p.oid::regprocedure) from pg_proc p
     where p.proowner = 10 and p.pronamespace not in (${SYSTEM})
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  loop
    execute statement;
  end loop;
end
$$`;

/**
 * Takes the rights of a superuser from the service's role, in a cluster of a release where it was the one that `initdb`
 * made. That role is renamed and closed, and a role with the former name and password gets what it owned. All of it or
 * nothing.
 */
export function demoteServiceRole(cluster: IdleCluster, password: string): void {
  runAlone(cluster, DATABASE_NAME, [
    'begin',
    // A session cannot rename its own role.
    `create role ${IN_BETWEEN} superuser`,
    `set session authorization ${IN_BETWEEN}`,
    `alter role ${SERVICE_ROLE} rename to ${SUPERUSER}`,
    `set session authorization ${SUPERUSER}`,
    `drop role ${IN_BETWEEN}`,
    ...CREATE_SERVICE_ROLE(password),
    `alter database ${DATABASE_NAME} owner to ${SERVICE_ROLE}`,
    HAND_OVER,
    CLOSE_SUPERUSER,
    'commit',
  ]);
}
