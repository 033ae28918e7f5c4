import type { LoginRules, LoginSession, OwnSecurity, Passkey } from '@isotherm/contract/security.ts'
import { LoginSession as SessionShape } from '@isotherm/contract/security.ts'
import type { CompanyRow } from '../../core/company/company.ts'
import { agentWords } from '../../platform/auth/agent-words.ts'
import type { Factors } from '../../platform/auth/factors.ts'
import type { Passkey as PasskeyRow } from '../../platform/auth/passkeys.ts'
import { passkeySite } from '../../platform/auth/webauthn.ts'
import type { Config } from '../../platform/config/config.ts'
import type { OwnSession } from './own-sessions.ts'

const hostOf = (publicUrl: string) => {
  const site = passkeySite(publicUrl)
  return 'host' in site ? site.host : null
}

export const presentPasskey = (row: PasskeyRow, publicUrl: string): Passkey => ({
  id: row.id,
  name: row.name,
  isSynced: row.isSynced,
  isOfFormerHost: row.host !== hostOf(publicUrl),
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
})

export function presentOwn(
  { factors, hasPassword }: { factors: Factors; hasPassword: boolean },
  company: CompanyRow,
  publicUrl: string,
): OwnSecurity {
  const site = passkeySite(publicUrl)
  return {
    hasPassword,
    codesSince: factors.codesSince?.toISOString() ?? null,
    recoveryCodesLeft: factors.recoveryCodesLeft,
    passkeys: factors.passkeys.map((each) => presentPasskey(each, publicUrl)),
    passkeysMissing: 'missing' in site ? site.missing : null,
    neededFrom: company.second_factor_from?.toISOString() ?? null,
  }
}

export const presentSession = (row: OwnSession, ownId: string | undefined): LoginSession => ({
  id: row.id,
  method: SessionShape.shape.method.parse(row.method),
  startedAt: row.startedAt.toISOString(),
  lastSeenAt: row.lastSeenAt.toISOString(),
  address: row.address,
  ...agentWords(row.agent ?? ''),
  isThis: row.id === ownId,
})

export const presentRules = (row: CompanyRow): LoginRules => ({
  secondFactorFrom: row.second_factor_from?.toISOString() ?? null,
  idleMinutes: row.session_idle_minutes,
  sessionHours: row.session_hours,
})

export const presentBounds = ({ idleMs, absoluteMs, absoluteAdminMs }: Config['sessions']) => ({
  idleMinutes: Math.floor(idleMs / 60_000),
  sessionHours: Math.floor(absoluteMs / 3_600_000),
  adminHours: Math.floor(absoluteAdminMs / 3_600_000),
})
