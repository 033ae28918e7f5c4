import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser } from '../../../test/factories.ts'
import { mailsTo } from '../../../test/mailed.ts'
import { asLogin } from '../db/transaction.ts'
import { findIdentity } from './identities.ts'
import { createLink, linkLifetimeMs, sendLink } from './mail-links.ts'

const t = describeApp()

test('a link that is over is not mailed any more', async () => {
  const { email } = await buildUser(t)
  const tokenId = await asLogin(t.pool, async ({ tx }) => {
    const identityId = (await findIdentity(tx, email))?.id ?? ''
    return createLink(tx, t.services.secret, { identityId, purpose: 'reset', now: t.clock.now() })
  })
  const mail = { tokenId, purpose: 'reset', to: email, name: 'Ada', company: 'Acme', locale: 'en' } as const
  const again = async () => {
    await sendLink.run(t.services, mail)
    return (await mailsTo(t, email)).length
  }
  t.clock.advance(linkLifetimeMs.reset - 1)
  expect(await again()).toBe(1)
  t.clock.advance(1)
  expect(await again()).toBe(1)
})
