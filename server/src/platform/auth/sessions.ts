import { sql } from 'kysely'
import type { Pool } from '../db/pool.ts'
import type { Tx } from '../db/transaction.ts'
import { newToken, tokenHash } from './tokens.ts'

const touchMs = 60_000

/** How long sessions last: without use, and in all; in milliseconds. */
export interface SessionLife {
  idleMs: number
  absoluteMs: number
  absoluteAdminMs: number
}

/** SQL condition: this row of `sessions` has not ended. Its four parameters come from `livesAt`; `first` is the number of the first. */
export const lives = (first: number, s: 's' | 'o' = 's'): string =>
  `${s}.last_seen_at > greatest($${first}, $${first + 3}::timestamptz - ${s}.idle_s * interval '1 second') and ${s}.created_at > case when ${s}.is_admin then $${first + 2}::timestamptz else $${first + 1} end
    and coalesce(${s}.ends_at > $${first + 3}, true)`
/** SQL: joins the session that opened `sessions s`, where it is in a sandbox. */
export const openerText = 'left join sessions o on o.token_hash = s.opened_by'
/** SQL condition: neither has the session that opened this one ended. */
export const openerLives = (first: number): string => `(s.opened_by is null or (${lives(first, 'o')}))`
export const livesAt = (now: Date, life: SessionLife): Date[] => [
  ...[life.idleMs, life.absoluteMs, life.absoluteAdminMs].map((ms) => new Date(now.getTime() - ms)),
  now,
]

export interface Session {
  hash: Buffer
  id: string
  /** How the person came in. */
  method: LoginMethod
  identityId: string
  companyId: number
  userId: string
  email: string
  /** When the person last proved who they are: by a login, or later. */
  provedAt: Date
  /** When they last proved it at their company's issuer, which asked for it anew; a login is no such proof. */
  ssoProvedAt?: Date | null
  /** `enrol`: the company asks for a second factor, and this session may set one up and nothing else. */
  scope: SessionScope
  /** It is in a sandbox, and a session of the company that made that has opened it, after a proof. */
  isInSandbox?: boolean
  /** No session, but an API key: `userId` is the id of the key, and `identityId` a name for counting its calls. */
  isKey?: true
}
export type SessionScope = 'full' | 'enrol'
/** How a person came in. */
export type LoginMethod = 'password' | 'passkey' | 'sso'

/** The session a bearer token belongs to, or undefined when it is unknown, revoked, or has reached its idle or absolute end. */
export async function findSession(
  pool: Pool,
  token: string,
  now: Date,
  life: SessionLife,
): Promise<Session | undefined> {
  const hash = tokenHash(token)
  const { rows } = await pool.query({
    name: 'find_session',
    text: `select s.id, s.method, s.identity_id, s.last_seen_at, s.proved_at, s.sso_proved_at, s.scope, s.opened_by, i.company_id, i.user_id, i.email
       from sessions s join identities i on i.id = s.identity_id ${openerText}
      where s.token_hash = $1 and ${lives(2)} and ${openerLives(2)}`,
    values: [hash, ...livesAt(now, life)],
  })
  const row = rows[0]
  if (!row) return undefined
  if (now.getTime() - row.last_seen_at.getTime() > touchMs)
    // One statement for each: a log-out locks them in the other order.
    for (const used of row.opened_by ? [hash, row.opened_by] : [hash])
      await pool.query('update sessions set last_seen_at = $2 where token_hash = $1', [used, now])
  return {
    ...{ hash, identityId: row.identity_id, companyId: row.company_id, userId: row.user_id, email: row.email },
    ...{ id: row.id, method: row.method, provedAt: row.proved_at, ssoProvedAt: row.sso_proved_at, scope: row.scope },
    isInSandbox: row.opened_by !== null,
  }
}

interface NewSession {
  isAdmin: boolean
  now: Date
  address: string
  agent: string
  /** Left out: password. */
  method?: LoginMethod
  /** Left out: full. */
  scope?: SessionScope
  /** When the person last proved who they are; left out: now. */
  provedAt?: Date | undefined
  /** An end of its own, before the one of all sessions. */
  endsAt?: Date | undefined
  /** Without use it ends after this time, before all sessions do. */
  idleS?: number | undefined
  /** The session that opens one in a sandbox: this one ends with it. */
  openedBy?: Buffer
}

/** Opens a session and returns its token, which is kept nowhere. As the login role. */
export async function openSession(tx: Tx, identityId: string, about: NewSession): Promise<string> {
  const token = newToken()
  await tx
    .insertInto('sessions')
    .values({
      token_hash: tokenHash(token),
      identity_id: identityId,
      created_at: about.now,
      last_seen_at: about.now,
      is_admin: about.isAdmin,
      address: about.address,
      agent: about.agent.slice(0, 300),
      method: about.method ?? 'password',
      scope: about.scope ?? 'full',
      proved_at: about.provedAt ?? about.now,
      ends_at: about.endsAt ?? null,
      idle_s: about.idleS ?? null,
      opened_by: about.openedBy ?? null,
    })
    .execute()
  return token
}

/** Whether a session was not ended. As the login role. */
export const isOpen = async (tx: Tx, hash: Buffer): Promise<boolean> =>
  (await tx.selectFrom('sessions').select('id').where('token_hash', '=', hash).executeTakeFirst()) !== undefined

const proofLastsMs = 15 * 60_000

/** Whether the person proved who they are within the last 15 minutes. */
export const isProofFresh = ({ provedAt }: Pick<Session, 'provedAt'>, now: Date): boolean =>
  now.getTime() - provedAt.getTime() <= proofLastsMs

/** Whether they did so at their company's issuer. */
export const isSsoProofFresh = ({ ssoProvedAt }: Pick<Session, 'ssoProvedAt'>, now: Date): boolean =>
  ssoProvedAt !== undefined && ssoProvedAt !== null && isProofFresh({ provedAt: ssoProvedAt }, now)

/** The person of a session proved again who they are, here or at their company's issuer. As the login role. */
export const markProved = (tx: Tx, hash: Buffer, now: Date, by: 'here' | 'sso' = 'here') =>
  tx
    .updateTable('sessions')
    .set({ proved_at: now, ...(by === 'sso' && { sso_proved_at: now }) })
    .where('token_hash', '=', hash)
    .execute()

/** The sessions of a person that have not ended, the newest first. As the login role. */
export function sessionsOf(tx: Tx, identityId: string, now: Date, life: SessionLife) {
  const [idle, absolute, admin] = livesAt(now, life)
  return tx
    .selectFrom('sessions as s')
    .select(['s.id', 's.method', 's.created_at as startedAt', 's.last_seen_at as lastSeenAt', 's.address', 's.agent'])
    .where('s.identity_id', '=', identityId)
    .where(
      sql<boolean>`s.last_seen_at > greatest(${idle}::timestamptz, ${now}::timestamptz - s.idle_s * interval '1 second')
        and s.created_at > case when s.is_admin then ${admin}::timestamptz else ${absolute}::timestamptz end
        and coalesce(s.ends_at > ${now}::timestamptz, true)`,
    )
    .orderBy('s.created_at', 'desc')
    .orderBy('s.id', 'desc')
    .execute()
}

/** Ends one session of a person by its id; false where it is not theirs. As the login role. */
export async function endSessionById(tx: Tx, identityId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('identity_id', '=', identityId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The rules of a company for its sessions, null: none. */
interface SessionRules {
  idleS: number | null
  hours: number | null
  secondFactorFrom: Date | null
}

/** Brings the sessions of a company within its rules: none gets a later end; those of people without a second factor end when one is needed. As the login role. */
export async function narrowSessions(
  tx: Tx,
  companyId: number,
  { idleS, hours, secondFactorFrom }: SessionRules,
): Promise<void> {
  await sql`
    update sessions s set
      idle_s = ${idleS}::int4,
      ends_at = least(
        s.ends_at,
        s.created_at + ${hours}::int4 * interval '1 hour',
        case when s.method <> 'sso'
            and not exists (select from totps t where t.identity_id = s.identity_id and t.confirmed_at is not null)
            and not exists (select from passkeys p where p.identity_id = s.identity_id)
          then ${secondFactorFrom}::timestamptz end)
    from identities i where i.id = s.identity_id and i.company_id = ${companyId} and s.scope = 'full'`.execute(tx)
}

/** Somebody has no second factor any more: their sessions last until one is needed, but for those of single sign-on. As the login role. */
export async function endWhenNeeded(tx: Tx, identityId: string, secondFactorFrom: Date): Promise<void> {
  await sql`
    update sessions set ends_at = least(ends_at, ${secondFactorFrom}::timestamptz)
    where identity_id = ${identityId}::int8 and method <> 'sso'`.execute(tx)
}

/**
 * The person of a session has a second factor from now on: what waited for it is over, and its end is the company's own. `hours` count from the login:
 * no factor that somebody adds makes a session longer. As the login role.
 */
export async function enrolSession(tx: Tx, hash: Buffer, hours: number | null, now: Date): Promise<void> {
  await sql`
    update sessions set scope = 'full', proved_at = ${now}::timestamptz,
      ends_at = case when method = 'sso' then ends_at else created_at + ${hours}::int4 * interval '1 hour' end
    where token_hash = ${hash}`.execute(tx)
}

/** Ends one session. As the login role. */
export const endSession = (tx: Tx, hash: Buffer) => tx.deleteFrom('sessions').where('token_hash', '=', hash).execute()

/** Ends every session of a person but the one kept. As the login role. */
export async function endSessions(tx: Tx, identityId: string, keep?: Buffer): Promise<void> {
  let query = tx.deleteFrom('sessions').where('identity_id', '=', identityId)
  if (keep) query = query.where('token_hash', '!=', keep)
  await query.execute()
}

/** Removes the rows of sessions that have ended; answers how many. */
export async function forgetEndedSessions(pool: Pool, now: Date, life: SessionLife): Promise<number> {
  const { rowCount } = await pool.query(`delete from sessions s where not (${lives(1)})`, livesAt(now, life))
  return rowCount ?? 0
}
