import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser } from '../../../test/factories.ts'
import { holdQuota } from '../../../test/held-quota.ts'
import { type OidcPeer, startOidcPeer } from '../../../test/oidc-peer.ts'
import { anSso, ssoCalls } from '../../../test/sso-scene.ts'

const t = describeApp({
  webhookAllowPrivate: true,
  publicUrl: 'http://isotherm.test',
  billing: { isOn: true, trialDays: 14 },
})
let peer: OidcPeer
beforeAll(async () => {
  peer = await startOidcPeer('http://isotherm.test/login/sso')
})
afterAll(() => peer.close())

test('somebody joins by single sign-on while another is invited: neither waits for what the other has', async () => {
  const admin = await buildUser(t)
  const scene = await anSso(t, peer, admin)
  const { version } = (await ssoCalls(t).read(admin)).body.payload.connection
  await ssoCalls(t).change(admin, { joinRole: 'staff', version })
  const email = `new@${scene.domain}`
  peer.people.set('new', { email, email_verified: true, name: 'New' })
  const answer = await scene.answerOf(await ssoCalls(t).start(email), 'new')
  const held = await holdQuota(t, admin.companyId, 'users')
  const joined = ssoCalls(t).finish(answer)
  await held.waitFor(1)
  const body = { fullname: 'Invited', email: `invited@${scene.domain}`, role: 'staff' }
  const invited = t.call('POST', '/users', { token: admin.token, body })
  await held.waitFor(2)
  await held.release()
  expect([(await joined).status, (await invited).status]).toEqual([200, 200])
})
