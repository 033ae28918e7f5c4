import { describe, expect, test } from 'vitest'
import { anAlarm, aTrigger } from '../../../test/alarm-factory.ts'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'

const t = describeApp()

const script = `<script>alert(1)</script>"><img src=x onerror=alert(1)>`
const huge = 'x'.repeat(100_000)
const inDays = (days: number) => new Date(t.clock.now().getTime() + days * 86_400_000).toISOString()

/** An Admin, a device of theirs and one of another company's; `ask` gives the status and the fields with their sentences. */
async function scene() {
  const admin = await buildUser(t)
  const device = await aDevice(t, { companyId: admin.companyId })
  const foreign = await aDevice(t)
  const ask = async (method: 'POST' | 'PATCH' | 'PUT', path: string, body: object) => {
    const answer = await t.call(method, path, { token: admin.token, body })
    return [answer.status, answer.body.fields ?? answer.body.code ?? null]
  }
  const alarm = (more: object) => ({
    name: 'Too warm',
    severity: 'critical',
    deviceIds: [String(device.id)],
    recipients: [{ userId: admin.id, channels: ['app'] }],
    rule: { kind: 'value', temperatureMaxC: 8 },
    ...more,
  })
  return { admin, device, foreign, ask, alarm }
}

describe('an alarm names the field that is wrong', () => {
  const max = 'The lower limit must be below the upper limit.'
  const value = (rule: object) => ({ rule: { kind: 'value', ...rule } })
  const total = (rule: object, more: object = {}) =>
    value({ temperatureMaxC: 8, ...rule, cumulative: { minutes: 60, window: '24h', ...more } })
  const hook = (webhook: string) => ({ recipients: [{ webhook }] })
  test.each<[string, object, string, string | RegExp]>([
    ['min above max', value({ temperatureMinC: 9, temperatureMaxC: 8 }), 'rule.temperatureMaxC', max],
    ['min that is max', value({ humidityMinPct: 50, humidityMaxPct: 50 }), 'rule.humidityMaxPct', max],
    ['no limit at all', value({}), 'rule.temperatureMaxC', 'Set at least one limit.'],
    ['colder than nothing', value({ temperatureMinC: -300 }), 'rule.temperatureMinC', /or more/],
    ['a negative delay', value({ temperatureMaxC: 8, delayMinutes: -1 }), 'rule.delayMinutes', /or more/],
    ['minutes in total and a delay', total({ delayMinutes: 5 }), 'rule.delayMinutes', /Leave out the delay/],
    ['a battery counted in total', total({ batteryMinPct: 5 }), 'rule.batteryMinPct', /temperature and humidity only/],
    ['no minutes in total', total({}, { minutes: 0 }), 'rule.cumulative.minutes', /or more/],
    ['more than a day has', total({}, { minutes: 1440 }), 'rule.cumulative.minutes', /A day has 1,440 minutes/],
    ['a window nobody knows', total({}, { window: 'week' }), 'rule.cumulative.window', /./],
    ['no recipients', { recipients: [] }, 'recipients', 'Choose at least one item.'],
    ['a recipient without a channel', { recipients: [{ userId: '1', channels: [] }] }, 'recipients.0', /./],
    ['no device', { deviceIds: [] }, 'deviceIds', 'Choose at least one device or group.'],
    ['an empty name', { name: '  ' }, 'name', /./],
    ['a name of 100,000 characters', { name: huge }, 'name', /^At most/],
    ['a webhook to this machine', hook('https://127.0.0.1/hook'), 'recipients.0.webhook', /private network/],
    ['one to it by name', hook('https://localhost:8443/hook'), 'recipients.0.webhook', /private network/],
    ['one in IPv6', hook('https://[::1]/hook'), 'recipients.0.webhook', /private network/],
    ['one by a number', hook('https://2130706433/hook'), 'recipients.0.webhook', /private network/],
    ['one to a cloud’s own data', hook('https://169.254.169.254/latest'), 'recipients.0.webhook', /private network/],
    ['one with a NUL', hook('https://hooks.example.test/\u0000x'), 'recipients.0.webhook', /ontrol/],
    ['one longer than an index holds', hook(`https://x.test/${'漢'.repeat(1_900)}`), 'recipients.0.webhook', /2000/],
    ['one without TLS', hook('http://hooks.example.test/'), 'recipients.0.webhook', /https/],
    ['one that is none', hook('javascript:alert(1)'), 'recipients.0', /./],
  ])('%s', async (_, more, field, sentence) => {
    const { ask, alarm } = await scene()
    const [status, fields] = await ask('POST', '/alarms', alarm(more))
    const [named] = Object.keys(fields)
    expect([status, Object.keys(fields).length]).toEqual([422, 1])
    expect(named?.startsWith(field)).toBe(true)
    expect(fields[named ?? ''][0]).toEqual(expect.stringMatching(sentence))
  })

  test('someone else’s device, person and group, on making as on changing', async () => {
    const { ask, alarm, foreign, admin } = await scene()
    const stranger = await buildUser(t)
    const gone = ['This is not there any more, or you may not see it.']
    const theirs = {
      deviceIds: [String(foreign.id)],
      groupIds: ['12345'],
      recipients: [{ userId: stranger.id, channels: ['app'] }],
    }
    const wrong = [422, { 'deviceIds.0': gone, 'groupIds.0': gone, 'recipients.0.userId': gone }]
    expect(await ask('POST', '/alarms', alarm(theirs))).toEqual(wrong)
    const { id } = await anAlarm(t, admin)
    expect(await ask('PATCH', `/alarms/${id}`, theirs)).toEqual(wrong)
    const other = await anAlarm(t, stranger)
    expect(await ask('PATCH', `/alarms/${other.id}`, { name: 'Mine' })).toEqual([404, 'NOT_FOUND'])
  })
})

describe('a snooze', () => {
  const past = ['The snooze must end in the future.']
  const long = ['An alarm can be snoozed for 7 days at most.']
  test.each<[string, () => unknown, unknown]>([
    ['into the past', () => inDays(-1), past],
    ['until now', () => inDays(0), past],
    ['beyond seven days', () => inDays(7.001), long],
    ['for ever', () => '9999-12-31T23:59:59Z', long],
    ['until no time', () => 'soon', expect.anything()],
    ['until a day that is none', () => '2026-02-30T00:00:00Z', expect.anything()],
  ])('%s is refused at `until`, of one and of all', async (_, until, sentences) => {
    const { admin, ask } = await scene()
    const { id } = await anAlarm(t, admin)
    for (const [method, path] of [['PATCH', `/alarms/${id}/snooze`] as const, ['PUT', '/alarms'] as const])
      expect(await ask(method, path, { until: until() })).toEqual([422, { until: sentences }])
  })
})

describe('a note', () => {
  test.each([
    ['of 100,000 characters', huge, 'At most 2000 characters are allowed.'],
    ['of blanks', '   ', expect.any(String)],
    ['with a NUL', 'a\0b', expect.any(String)],
  ])('%s is refused at `note`, of one trigger and of many', async (_, note, sentence) => {
    const { admin, ask } = await scene()
    const { id } = await aTrigger(t, admin)
    const wrong = [422, { note: expect.arrayContaining([sentence]) }]
    expect(await ask('PATCH', `/alarm-triggers/${id}/resolve`, { note })).toEqual(wrong)
    expect(await ask('PATCH', '/alarm-triggers', { ids: [id], action: 'resolve', note })).toEqual(wrong)
  })
})

test('a script in every name is kept and given back as the text it is', async () => {
  const { admin, ask, alarm, device } = await scene()
  const renamed = await ask('PATCH', `/devices/${device.id}`, { name: script })
  expect(renamed[0]).toBe(200)
  const [status] = await ask('POST', '/alarms', alarm({ name: script }))
  expect(status).toBe(200)
  const list = await t.call('GET', '/alarms', { token: admin.token, query: { search: '<script>' } })
  expect(list.body.payload.data).toMatchObject([{ name: script, devices: [{ name: script }] }])
  expect(list.headers['content-type']).toMatch(/^application\/json/)
  expect(list.headers['x-content-type-options']).toBe('nosniff')
})
