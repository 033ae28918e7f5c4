import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildCompany, buildUser } from '../../../test/factories.ts'
import { aKey } from '../../../test/key-factory.ts'
import { tellKeyEnds } from './jobs.ts'

const t = describeApp()
const dayMs = 86_400_000
const mailsTo = async (...addresses: string[]) => {
  await tellKeyEnds.run(t.services, {})
  return (await t.mails()).filter(({ to }) => addresses.includes(String(to))).map(({ to, subject }) => [to, subject])
}

test('every Admin is told 30, 7 and 1 days before a key ends, each once and in their language', async () => {
  const company = await buildCompany(t)
  const [ann, luc] = [await buildUser(t, { company }), await buildUser(t, { company, locale: 'fr' })]
  await buildUser(t, { company, role: 'manager' })
  await aKey(t, company, { admin: ann, expiresInDays: 90 })
  expect(await mailsTo(ann.email, luc.email)).toEqual([])
  t.clock.advance(60 * dayMs)
  const first = await mailsTo(ann.email, luc.email)
  expect(first).toHaveLength(2)
  expect(first.find(([to]) => to === ann.email)?.[1]).toBe('The API key “Warehouse” ends in 30 days')
  expect(first.find(([to]) => to === luc.email)?.[1]).toBe('La clé d’API «\u00a0Warehouse\u00a0» expire dans 30 jours')
  t.clock.advance(dayMs)
  expect(await mailsTo(ann.email, luc.email)).toHaveLength(2)
  t.clock.advance(22 * dayMs)
  expect(await mailsTo(ann.email, luc.email)).toHaveLength(4)
  t.clock.advance(6 * dayMs)
  const all = await mailsTo(ann.email)
  expect(all).toHaveLength(3)
  expect(all[2]?.[1]).toBe('The API key “Warehouse” ends tomorrow')
  t.clock.advance(2 * dayMs)
  expect(await mailsTo(ann.email)).toHaveLength(3)
})

test('a key for 30 days is told of a week before, and one that was revoked or prolonged not at all', async () => {
  const company = await buildCompany(t)
  const admin = await buildUser(t, { company })
  await aKey(t, company, { admin, expiresInDays: 30 })
  const [gone, longer] = [
    await aKey(t, company, { admin, expiresInDays: 30 }),
    await aKey(t, company, { admin, expiresInDays: 30 }),
  ]
  expect(await mailsTo(admin.email)).toEqual([])
  await t.call('DELETE', `/developer/keys/${gone.id}`, { token: admin.token })
  const body = { keys: [{ id: longer.id, expiresInDays: 365 }] }
  await t.call('PUT', '/enterprise/developer', { token: admin.token, body })
  t.clock.advance(23 * dayMs)
  expect(await mailsTo(admin.email)).toHaveLength(1)
})
