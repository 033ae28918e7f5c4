import type { ShareLinkKind } from '@isotherm/contract/share-links.ts'
import { insertLink } from '../src/features/share-links/queries.ts'
import { newToken, tokenHash } from '../src/platform/auth/tokens.ts'
import { aDevice } from './device-factory.ts'
import { buildUser, inCompany } from './factories.ts'
import { buildGroup } from './group-factory.ts'
import type { TestApp } from './harness.ts'

/** A link of a new device or group, or of a wall of all devices, made by an Admin of the company and good for a day. */
export const buildShareLink = (kind: ShareLinkKind) => async (test: TestApp, company: { companyId: number }) => {
  const maker = await buildUser(test, { company })
  const subject = {
    device: async () => ({ device_id: (await aDevice(test, company)).id }),
    group: async () => ({ group_ids: [(await buildGroup(test, company)).id] }),
    wall: async () => ({}),
  }
  const token = newToken()
  const now = test.clock.now()
  const row = {
    ...{ company_id: company.companyId, kind, label: 'Customer', user_id: maker.id, token_hash: tokenHash(token) },
    ...{ created_at: now, expires_at: new Date(now.getTime() + 86_400_000) },
    ...(await subject[kind]()),
  }
  const id = await inCompany(test, company.companyId, (ctx) => insertLink(ctx, row))
  return { id, token }
}
