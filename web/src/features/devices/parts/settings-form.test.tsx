// @vitest-environment page
import type { Device } from '@isotherm/contract/devices.ts'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { eventually, field, find, isShown, leave, logInAs, press, serve, show, type } from '../../../test/show.tsx'
import { Toasts } from '../../../ui/toasts.tsx'
import { buildDevice } from '../test/build-device.ts'
import { SettingsForm } from './settings-form.tsx'

afterEach(leave)
logInAs('admin')

const seen = buildDevice({ version: 4 })
const warned = 'Somebody changed this meanwhile: Van 3. Look at it again, and then change it.'

/** A server on which somebody has made `now` of the device; it refuses what was made from another version. */
function serverWith(now: Device) {
  const requests = serve(({ method, body }) => {
    if (method !== 'PATCH') return { payload: now }
    const { version, ...change } = body as { version?: number; limits?: object }
    if (version !== now.version) return { status: 400, code: 'CHANGED_MEANWHILE', message: warned }
    return { payload: { ...now, ...change, version: now.version + 1 } }
  })
  return () => requests.flatMap(({ method, body }) => (method === 'PATCH' ? [body] : []))
}

/** The page: a push brings the device as it is on the server. */
function Page({ now }: { now: Device }) {
  const [device, setDevice] = useState(seen)
  return (
    <>
      <SettingsForm device={device} />
      <Toasts />
      <button type="button" onClick={() => setDevice(now)}>
        Push
      </button>
      <p>{`pushed ${device.version}`}</p>
    </>
  )
}

const texts = ['devices', 'errors']
const warmest = async () => field('Highest temperature')

test('limits typed from an older version are refused in words; the form shows those of now, keeps the name that was typed, and saves then', async () => {
  const now = { ...seen, limits: { ...seen.limits, temperatureMaxC: 6 }, version: 5 }
  const sent = serverWith(now)
  await show(<Page now={now} />, { texts })
  type(await warmest(), '12')
  type(await field('Name'), 'Van 5')
  await press('Push')
  await find('p', 'pushed 5')
  await press('Save')
  await eventually(() => expect(isShown(warned)).toBe(true))
  await eventually(async () => expect((await warmest()).value).toContain('6'))
  expect((await field('Name')).value).toBe('Van 5')
  type(await warmest(), '12')
  await press('Save')
  const limits = { ...seen.limits, temperatureMaxC: 12 }
  await eventually(() =>
    expect(sent()).toEqual([
      { limits, name: 'Van 5', version: 4 },
      { limits, name: 'Van 5', version: 5 },
    ]),
  )
})

test('limits typed while somebody else changed the name only are saved, and the name stays', async () => {
  const now = { ...seen, name: 'Van 4', version: 5 }
  const sent = serverWith(now)
  await show(<Page now={now} />, { texts })
  type(await warmest(), '12')
  await press('Save')
  const limits = { ...seen.limits, temperatureMaxC: 12 }
  await eventually(() =>
    expect(sent()).toEqual([
      { limits, version: 4 },
      { limits, version: 5 },
    ]),
  )
  await eventually(async () => expect((await field('Name')).value).toBe('Van 4'))
  expect([isShown(warned), (await warmest()).value]).toEqual([false, expect.stringContaining('12')])
})

test('a form that nobody typed in shows the limits that somebody else saved', async () => {
  const now = { ...seen, limits: { ...seen.limits, temperatureMaxC: 6 }, version: 5 }
  serverWith(now)
  await show(<Page now={now} />, { texts })
  await warmest()
  await press('Push')
  await eventually(async () => expect((await warmest()).value).toContain('6'))
})
