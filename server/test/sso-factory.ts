import { insertDomain } from '../src/core/sso/domain-queries.ts'
import { inCompany, type Stage } from './factories.ts'

let count = 0

/** A mail domain that nobody else has. */
export const aDomain = (): string => `sso${++count}-${process.pid}.example.test`

/** A mail domain that a company has named, and not proved yet. */
export const anSsoDomain = (stage: Stage, { companyId }: { companyId: number }): Promise<{ id: string }> =>
  inCompany(stage, companyId, async (ctx) => {
    const row = await insertDomain(ctx, { domain: aDomain(), token: 'token', now: ctx.clock.now() })
    if (!row) throw new Error('the domain was named before')
    return row
  })
