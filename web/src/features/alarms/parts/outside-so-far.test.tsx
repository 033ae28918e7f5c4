// @vitest-environment page
import type { OutsideSoFar as Counted } from '@isotherm/contract/alarms.ts'
import { afterEach, expect, test } from 'vitest'
import { find, isShown, leave, logInAs, serve, show } from '../../../test/show.tsx'
import { buildAlarm } from '../test/build-alarm.ts'
import { OutsideSoFar } from './outside-so-far.tsx'

const { rule } = buildAlarm()
const cumulative = (window: '24h' | 'record') => ({ ...rule, delayMinutes: 0, cumulative: { minutes: 60, window } })
const counted = (over: Partial<Counted>): Counted => ({
  ...{ device: { id: '5', name: 'Van 3' }, condition: 'temperatureMax', minutes: 42, since: null, recordFrom: null },
  ...over,
})
const open = (data: Counted[], of: object = cumulative('24h')) => {
  const requests = serve(() => ({ payload: { data } }))
  return show(<OutsideSoFar alarm={buildAlarm({ rule: of as typeof rule })} />, {
    texts: ['alarms', 'triggers'],
  }).then(() => requests)
}

afterEach(leave)
logInAs('admin')

test('the used and the allowed minutes of a device stand beside the limit, and since when it is outside', async () => {
  await open([
    counted({ since: '2026-11-01T08:00:00.000Z' }),
    counted({ device: { id: '6', name: 'Van 4' }, minutes: 0 }),
  ])
  await find('li', /Van 3.*42.min of 1.hr.*above 8\.0.°C · outside since/)
  await find('li', /Van 4.*under 1.min of 1.hr/)
})

test('nobody outside is said, within 24 h and within records', async () => {
  await open([])
  await find('p', 'No device was outside in the last 24 hours.')
  await open([], cumulative('record'))
  await find('p', 'No device was outside in a record that runs.')
})

test('an alarm that adds nothing up asks for nothing', async () => {
  const requests = await open([counted({})], rule)
  expect([isShown('Time outside so far'), requests.length]).toEqual([false, 0])
})
