import { type Sso, SsoConnection, SsoDomain } from '@isotherm/contract/sso.ts'
import { adminsOf } from '../../core/sso/break-glass-queries.ts'
import { type ConnectionRow, connectionOf } from '../../core/sso/connection-queries.ts'
import { type DomainRow, domainsOf } from '../../core/sso/domain-queries.ts'
import { linkedPeople } from '../../core/sso/link-queries.ts'
import { redirectUrlOf } from '../../core/sso/oidc-client.ts'
import { recordOf } from '../../core/sso/prove-domain.ts'
import { peopleWithFactor } from '../../platform/auth/factors.ts'
import { passwordHolders } from '../../platform/auth/sso-sessions.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'

const instant = (at: Date | null) => at?.toISOString() ?? null

const presentConnection = (row: ConnectionRow): SsoConnection => ({
  issuer: row.issuer,
  clientId: row.client_id,
  state: SsoConnection.shape.state.parse(row.state),
  testedAt: instant(row.tested_at),
  joinRole: SsoConnection.shape.joinRole.parse(row.join_role),
  sessionHours: row.session_hours,
  asksFactor: row.asks_factor,
  version: row.version,
})

const presentDomain = (row: DomainRow): SsoDomain => ({
  id: row.id,
  domain: row.domain,
  record: recordOf(row),
  provedAt: instant(row.proved_at),
  provedBy: SsoDomain.shape.provedBy.parse(row.proved_by),
  checkedAt: instant(row.checked_at),
  missingSince: instant(row.missing_since),
})

/** Single sign-on of a company as its Admins see it: the client's secret is not among it. */
export async function readSso(ctx: Context): Promise<Sso> {
  const connection = await connectionOf(ctx)
  const admins = await adminsOf(ctx)
  const ids = admins.map(({ id }) => id)
  const [holders, withFactor] = await withLogin(ctx.tx, async () => [
    await passwordHolders(ctx.tx, ctx.companyId, ids),
    await peopleWithFactor(ctx.tx, ctx.companyId),
  ])
  const linkedIds = await linkedPeople(ctx)
  return {
    redirectUrl: redirectUrlOf(ctx.services.config, ctx.companyId),
    connection: connection ? presentConnection(connection) : null,
    domains: (await domainsOf(ctx)).map(presentDomain),
    admins: admins.map(({ is_break_glass: _, ...admin }) => ({
      ...admin,
      hasPassword: holders.has(admin.id),
      hasFactor: withFactor.includes(admin.id),
    })),
    breakGlassIds: admins.filter(({ is_break_glass }) => is_break_glass).map(({ id }) => id),
    linked: linkedIds.length,
    linkedIds,
  }
}

/** The facts of a connection in the trail. */
export const factsOfConnection = (row: ConnectionRow | undefined) => ({
  issuer: row?.issuer ?? null,
  clientId: row?.client_id ?? null,
  ssoState: row?.state ?? null,
  joinRole: row?.join_role ?? null,
  sessionHours: row?.session_hours ?? null,
  asksFactor: row?.asks_factor ?? null,
})

/** How the trail names it. */
export const targetOf = ({ issuer }: { issuer: string }) => ({ kind: 'ssoConnection', id: issuer, name: issuer })
export const targetOfDomain = ({ id, domain }: DomainRow) => ({ kind: 'ssoDomain', id, name: domain })
