import type { Sso } from '@isotherm/contract/sso.ts'
import {
  type ConnectionRow,
  connectionOf,
  insertConnection,
  lockConnection,
  updateConnection,
} from '../../core/sso/connection-queries.ts'
import { deleteLinks } from '../../core/sso/link-queries.ts'
import { oidcClientOf, sealClientSecret } from '../../core/sso/oidc-client.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { AfterCommit } from '../../platform/http/after-commit.ts'
import { describeIssuer, type IssuerFacts } from '../../platform/oidc/describe-issuer.ts'
import { endSsoSessions } from './end-sessions.ts'
import { goOn } from './go-on.ts'
import { inIssuerTurn } from './issuer-turns.ts'
import { factsOfConnection, readSso, targetOf } from './present.ts'

interface GivenIssuer {
  issuer: string
  clientId: string
  clientSecret?: string | undefined
  version: number
}

const refuseOutdated = (row: ConnectionRow | undefined, version: number) => {
  if ((row?.version ?? 0) !== version) throw new AppError('CHANGED_MEANWHILE', { name: row?.issuer ?? '' })
}

/**
 * Sets issuer and client, once the issuer has said what it is: the secret is kept where nothing else changes. Another issuer or client is off until it
 * was tested; those whom the one before linked are linked anew. Throws CHANGED_MEANWHILE, VALIDATION or BUSY.
 */
export async function saveIssuer(ctx: Context, input: GivenIssuer): Promise<AfterCommit<Sso>> {
  refuseOutdated(await connectionOf(ctx), input.version)
  const { config, log } = ctx.services
  return new AfterCommit(async (keepAnswer) => {
    const ask = () => describeIssuer(input.issuer, config.webhookAllowPrivate)
    const described = await inIssuerTurn(ctx.companyId, ask)
    if ('fault' in described) {
      const { fault, cause } = described
      log.info({ companyId: ctx.companyId, issuer: input.issuer, err: cause }, 'an issuer was refused')
      throw invalidField('issuer', fault)
    }
    return goOn(ctx, async (later) => {
      await keep(later, input, described.facts)
      const answer = await readSso(later)
      await keepAnswer(later.tx, answer)
      return answer
    })
  })
}

async function keep(ctx: Context, { clientId, clientSecret, version }: GivenIssuer, facts: IssuerFacts): Promise<void> {
  const { companyId, services, clock } = ctx
  const before = await lockConnection(ctx)
  refuseOutdated(before, version)
  const { issuer } = facts
  const isSame = before?.issuer === issuer && before.client_id === clientId
  const kept = before && isSame ? oidcClientOf(services, before)?.clientSecret : undefined
  const secret = clientSecret ?? kept
  if (secret === undefined) throw invalidField('clientSecret', before ? 'rule.secretAgain' : 'required')
  const now = clock.now()
  const set = {
    ...{ issuer, client_id: clientId, facts: JSON.stringify(facts), asked_at: now, updated_at: now },
    client_secret: sealClientSecret(services.secret, { companyId, issuer, clientId }, secret),
  }
  const after = before ? await change(ctx, before, set, isSame && secret === kept) : await insert(ctx, set)
  if (before && !isSame) {
    await deleteLinks(ctx)
    await endSsoSessions(ctx)
  }
  const changes = changesOf(factsOfConnection(before), factsOfConnection(after))
  ctx.audit({
    action: 'sso.issuerSet',
    target: targetOf(after),
    ...changes,
    ...(clientSecret !== undefined && { after: { ...changes.after, clientSecretChanged: true } }),
  })
}

type Set = Pick<ConnectionRow, 'issuer' | 'client_id' | 'client_secret' | 'asked_at' | 'updated_at'> & { facts: string }

async function insert(ctx: Context, set: Set): Promise<ConnectionRow> {
  if (!(await insertConnection(ctx.tx, { company_id: ctx.companyId, ...set })))
    throw new AppError('CHANGED_MEANWHILE', { name: set.issuer })
  const row = await connectionOf(ctx)
  if (!row) throw new Error('the connection is gone')
  return row
}

/** A new secret is to be tested, too, but it locks nobody out by itself. */
const change = (ctx: Context, before: ConnectionRow, set: Set, isTested: boolean) => {
  const isSame = before.issuer === set.issuer && before.client_id === set.client_id
  return updateConnection(ctx, {
    ...set,
    version: before.version + 1,
    ...(isSame ? {} : { state: 'off' }),
    ...(isTested ? {} : { tested_at: null }),
  })
}
