// @vitest-environment page
import type { Geofence, PointOfInterest } from '@isotherm/contract/places.ts'
import { afterEach, expect, test } from 'vitest'
import { eventually, field, find, isShown, leave, logInAs, press, serve, show, type } from '../../../test/show.tsx'
import { Toasts } from '../../../ui/toasts.tsx'
import { type Chosen, newest, type Shape } from '../fence-shapes.ts'
import { shapeOf } from '../use-place-editor.ts'
import { PlaceForm } from './place-form.tsx'

afterEach(leave)
logInAs('admin')

const times = { createdAt: '2026-11-20T10:00:00Z', updatedAt: '2026-11-20T10:00:00Z' }
const circle = { kind: 'circle', centre: { lat: 6.5, lon: 3.4 }, radiusM: 300 } as const
const fence: Geofence = {
  ...{ id: '4', name: 'Depot', colour: 'red', area: circle, areaKm2: 0.28, notify: { in: false, out: true } },
  ...{ ...times, version: 2 },
}
const point: PointOfInterest = {
  ...{ id: '5', name: 'Gate', position: { lat: 6.5, lon: 3.4 }, radiusM: 200, notify: { in: true, out: false } },
  ...{ ...times, version: 2 },
}
const refusalOf = (name: string) => `Somebody changed this meanwhile: ${name}. Look at it again, and then change it.`

/** A server on which somebody has made `now` of the place; it refuses what was made from another version. */
function serverWith(now: Geofence | PointOfInterest) {
  const requests = serve(({ method, path, body }) => {
    if (method !== 'PATCH')
      return { payload: path.startsWith('/geofence') ? { data: [now], meta: { pageCount: 1 } } : now }
    const { version, ...change } = body as { version?: number }
    if (version !== now.version) return { status: 400, code: 'CHANGED_MEANWHILE', message: refusalOf(now.name) }
    return { payload: { ...now, ...change, version: now.version + 1 } }
  })
  return () => requests.flatMap(({ method, body }) => (method === 'PATCH' ? [body] : []))
}

const saved: Chosen[] = []
const showForm = (target: Chosen, shape: Shape = shapeOf(target)) =>
  show(
    <>
      <PlaceForm
        edit={{ kind: shape.kind, target, shape, task: { edit: shape }, name: '' }}
        shape={shape}
        onRadius={() => undefined}
        onColour={() => undefined}
        onSaved={(chosen) => saved.push(chosen)}
        onCancel={() => undefined}
      />
      <Toasts />
    </>,
    { texts: ['places', 'errors'] },
  )

test('a notification of a fence that somebody else changed too is refused in words, and stays ticked', async () => {
  const sent = serverWith({ ...fence, notify: { in: false, out: false }, version: 3 })
  await showForm({ kind: 'geofence', fence })
  ;(await field('comes in')).click()
  await press('Save')
  await eventually(() => expect(isShown(refusalOf('Depot'))).toBe(true))
  expect([sent(), saved, (await field('comes in')).checked]).toEqual([
    [{ notify: { in: true, out: true }, version: 2 }],
    [],
    true,
  ])
})

test('a name is saved where somebody else has drawn the fence anew, and their area stays', async () => {
  const drawn = { ...circle, radiusM: 900 }
  const sent = serverWith({ ...fence, area: drawn, version: 3 })
  await showForm({ kind: 'geofence', fence })
  type(await field('Name'), 'Old depot')
  await press('Save')
  await eventually(() => expect(saved.splice(0)).toMatchObject([{ fence: { name: 'Old depot', area: drawn } }]))
  expect(sent()).toEqual([
    { name: 'Old depot', version: 2 },
    { name: 'Old depot', version: 3 },
  ])
})

test('a point of interest that somebody else renamed too is refused; the form shows their name, and another one is saved then', async () => {
  const sent = serverWith({ ...point, name: 'North gate', version: 3 })
  await showForm({ kind: 'point', point })
  type(await field('Name'), 'South gate')
  await press('Save')
  await find('li', refusalOf('North gate'))
  await eventually(async () => expect((await field('Name')).value).toBe('North gate'))
  expect(saved).toEqual([])
  type(await field('Name'), 'South gate')
  await press('Save')
  await eventually(() => expect(saved.splice(0)).toMatchObject([{ point: { name: 'South gate' } }]))
  expect(sent().at(-1)).toEqual({ name: 'South gate', version: 3 })
})

test('a chosen place is shown as it was last saved, by oneself or by somebody else', () => {
  const chosen = { kind: 'geofence', fence } as const
  const later = { ...fence, name: 'Yard', version: 3 }
  expect(newest(chosen, [later], [])).toEqual({ kind: 'geofence', fence: later })
  expect(newest({ kind: 'geofence', fence: later }, [fence], [])).toEqual({ kind: 'geofence', fence: later })
  const moved = { ...point, radiusM: 80, version: 3 }
  expect(newest({ kind: 'point', point }, [], [moved])).toEqual({ kind: 'point', point: moved })
  expect(newest(chosen, [], [])).toBe(chosen)
})
