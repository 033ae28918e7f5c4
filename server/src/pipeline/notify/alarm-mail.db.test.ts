import { expect, test } from 'vitest'
import { anAlarm } from '../../../test/alarm-factory.ts'
import { describeIngest } from '../../../test/describe-app.ts'
import { notifyStage, start } from '../../../test/notify-scene.ts'
import { createLog } from '../../platform/log/log.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { sendersOf } from './senders.ts'

const pipeline = describeIngest()
const { provider, rounds, scene } = notifyStage(() => pipeline)

/** The mails that the real sender makes of what is sent. */
function mailed(): Mail[] {
  const mails: Mail[] = []
  const { mail } = sendersOf({
    secret: Buffer.alloc(32),
    now: () => pipeline.clock.now(),
    pool: pipeline.pool,
    mailer: { send: async (one) => void mails.push(one) },
    outbox: '/nowhere',
    publicUrl: 'https://cold.test',
    webhookSecretOf: async () => Buffer.alloc(32),
    allowPrivate: false,
    accounts: { webPush: null, twilio: null, africasTalking: null, whatsApp: null },
    log: createLog('silent'),
  })
  provider.answer = (delivery) => mail.send(delivery)
  return mails
}
const plain = (text = '') => text.replace(/\u00a0/g, ' ')
const minute = 60_000

test('the mail of an alarm begins with what happened, has the last two hours as a picture, and says all of it as text', async () => {
  const { device } = await scene([{ channels: ['mail'] }])
  const mails = mailed()
  const from = Date.parse(start)
  for (const [index, temperatureC] of [4, 5, 9.4].entries()) {
    pipeline.clock.set(new Date(from + index * 5 * minute).toISOString())
    await pipeline.post(device, { at: pipeline.clock.now().toISOString(), temperatureC, lat: 6.45, lon: 3.39 })
  }
  await rounds()
  const [mail] = mails
  expect(plain(mail?.subject)).toBe('CRITICAL: Fridge 9.4 °C (limit 8.0), Lagos')
  const [first] = plain(mail?.text).split('\n')
  expect(first).toMatch(/^Fridge \(Lagos\): temperature 9\.4 °C, above 8\.0 °C, since 20 Nov 2026, 13:10 GMT\+1$/)
  expect(plain(mail?.text)).toContain('The last 2 hours: 4.0 °C to 9.4 °C. The dashed line is the limit, 8.0 °C.')
  expect(mail?.text).toContain('https://cold.test/alarms/triggered-alarms?trigger=')
  const [picture] = mail?.attachments ?? []
  expect(picture).toMatchObject({ contentType: 'image/png' })
  expect(mail?.html).toContain(`cid:${picture && 'cid' in picture && picture.cid}`)
})

test('the mail that it is over says value, duration and peak; older readings are not in the picture', async () => {
  const { device } = await scene([{ channels: ['mail'] }])
  const mails = mailed()
  const readings = [
    [-180, 1],
    [0, 9],
    [20, 9.4],
    [39, 7.2],
  ] as const
  for (const [minutes, temperatureC] of readings) {
    pipeline.clock.set(new Date(Date.parse(start) + minutes * minute).toISOString())
    await pipeline.post(device, { at: pipeline.clock.now().toISOString(), temperatureC })
    await rounds()
  }
  expect(mails.map(({ subject }) => plain(subject))).toEqual([
    'CRITICAL: Fridge 9.0 °C (limit 8.0)',
    'Back to normal: Fridge 7.2 °C (peak 9.4 °C, 39 min)',
  ])
  expect(mails[0]?.attachments).toBeUndefined()
  expect(plain(mails[1]?.text)).toContain('The last 2 hours: 7.2 °C to 9.4 °C')
})

test('the mail of a storm leads to the list of open alarms, and to one page that acknowledges them all', async () => {
  const { companyId, devices } = await scene([{ channels: ['mail'] }], { devices: 8 })
  const mails = mailed()
  await Promise.all(devices.map((device) => pipeline.post(device, { at: start, temperatureC: 9 })))
  await rounds()
  expect(mails).toHaveLength(1)
  expect(mails[0]?.text).toMatch(/https:\/\/cold\.test\/alarms\/triggered-alarms\s/)
  expect(mails[0]?.text).toMatch(/https:\/\/cold\.test\/acknowledge#[\w-]{43}/)
  const links = await pipeline.rows('select trigger_ids from acknowledge_links where company_id = $1', [companyId])
  expect(links).toEqual([{ trigger_ids: expect.any(Array) }])
  expect(links[0]?.trigger_ids).toHaveLength(8)
})

test('a name that is a link is none in the mail to an address; people read it as it is', async () => {
  const { companyId } = await scene([{ channels: ['mail'] }])
  const device = await pipeline.device({ companyId, name: 'Win at www.evil.test/x' })
  const people = await pipeline.rows('select id::text from users where company_id = $1', [companyId])
  const recipients = [
    { email: 'anybody@example.test', channels: ['mail' as const] },
    { userId: String(people[0]?.id), channels: ['mail' as const] },
  ]
  await anAlarm(pipeline, { companyId }, { severity: 'critical', deviceIds: [device.id], recipients })
  const mails = mailed()
  await pipeline.post(device, { at: start, temperatureC: 9 })
  await rounds()
  const of = (isAnybody: boolean) => mails.find(({ to }) => (to === 'anybody@example.test') === isAnybody)
  const parts = (mail?: Mail) => [mail?.subject, mail?.text, mail?.html].join()
  expect(parts(of(true))).not.toContain('www.evil')
  expect(of(true)?.subject).toContain('Win at www. evil. test/x')
  expect(of(false)?.subject).toContain('Win at www.evil.test/x')
})
