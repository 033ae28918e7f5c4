import type { Pool } from './pool.ts'

/** The remedy where the login sees every company without asking for a role. */
const remedy =
  'As the role that granted them (a superuser, mostly): GRANT app, pipeline TO <login> WITH INHERIT FALSE, SET TRUE; on PostgreSQL 15: ALTER ROLE <login> NOINHERIT'

/**
 * A sentence for the log where the login has the rights of `app` or `pipeline` without asking for them, or is above row-level
 * security: a query that missed its role would see every company. Null where the wall stands.
 */
export async function bareLoginFault(pool: Pool): Promise<string | null> {
  const { rows } = await pool.query<{ login: string; isAbove: boolean; inherits: boolean }>(
    `select rolname as login, rolsuper or rolbypassrls as "isAbove",
            pg_has_role(oid, 'app', 'usage') or pg_has_role(oid, 'pipeline', 'usage') as inherits
       from pg_roles where rolname = session_user`,
  )
  const [found] = rows
  if (found?.isAbove) return `the database login "${found.login}" is above row-level security: use an ordinary one`
  if (found?.inherits) return `the database login "${found.login}" inherits the roles app and pipeline. ${remedy}`
  return null
}
