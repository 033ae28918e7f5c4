import { randomBytes } from 'node:crypto'
import { type Sso, ssoLimits } from '@isotherm/contract/sso.ts'
import { announceRevocation } from '../../core/people/accounts.ts'
import { lockConnection } from '../../core/sso/connection-queries.ts'
import {
  type DomainRow,
  deleteDomain,
  domainById,
  domainsOf,
  insertDomain,
  provedDomains,
} from '../../core/sso/domain-queries.ts'
import { missRecord, proveDomain, recordOf } from '../../core/sso/prove-domain.ts'
import { isPublicDomain } from '../../core/sso/public-domains.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, invalidField, orNotFound } from '../../platform/errors/app-error.ts'
import { AfterCommit } from '../../platform/http/after-commit.ts'
import { txtRecords } from '../../platform/net/txt-records.ts'
import { goOn } from './go-on.ts'
import { readSso, targetOfDomain } from './present.ts'

/** Names a mail domain of the company. Throws DOMAIN_TAKEN for one whose addresses anybody may have, or VALIDATION. */
export async function addDomain(ctx: Context, domain: string): Promise<Sso> {
  if (isPublicDomain(domain)) throw new AppError('DOMAIN_TAKEN')
  if ((await domainsOf(ctx)).length >= ssoLimits.domains)
    throw invalidField('domain', 'tooBigList', { limit: ssoLimits.domains })
  const token = randomBytes(20).toString('hex')
  const row = await insertDomain(ctx, { domain, token, now: ctx.clock.now() })
  if (!row) throw invalidField('domain', 'rule.nameTaken')
  ctx.audit({ action: 'sso.domainNamed', target: targetOfDomain(row) })
  return readSso(ctx)
}

/** Looks for the record of a domain, once the call's transaction is over. Throws NOT_FOUND, DOMAIN_NOT_PROVED or DOMAIN_TAKEN. */
export async function checkDomain(ctx: Context, id: string): Promise<AfterCommit<Sso>> {
  const { domain } = orNotFound(await domainById(ctx, id))
  return new AfterCommit(async () => {
    const records = await txtRecords(ctx.services, domain)
    const isProved = await goOn(ctx, async (later) => judge(later, orNotFound(await domainById(later, id)), records))
    if (!isProved) throw new AppError('DOMAIN_NOT_PROVED')
    return goOn(ctx, readSso)
  })
}

async function judge(ctx: Context, row: DomainRow, records: readonly string[] | null): Promise<boolean> {
  const now = ctx.clock.now()
  if (!records) return row.proved_by === 'provider'
  if (!records.includes(recordOf(row))) {
    if (row.proved_by !== 'provider') await missRecord(ctx, row, now)
    return row.proved_by === 'provider'
  }
  await proveDomain(ctx, row, 'dns', now, ctx.sessionHash)
  if (row.proved_at) return true
  announceRevocation(ctx)
  ctx.audit({ action: 'sso.domainProved', target: targetOfDomain(row) })
  return true
}

/** Gives a domain up. The last proved one stays while single sign-on is on. Throws NOT_FOUND or DOMAIN_NEEDED. */
export async function removeDomain(ctx: Context, id: string): Promise<Sso> {
  const row = orNotFound(await domainById(ctx, id))
  const state = (await lockConnection(ctx))?.state ?? 'off'
  if (state !== 'off' && row.proved_at && (await provedDomains(ctx)).size === 1) throw new AppError('DOMAIN_NEEDED')
  await deleteDomain(ctx, id)
  ctx.audit({ action: 'sso.domainRemoved', target: targetOfDomain(row) })
  return readSso(ctx)
}
