// @vitest-environment page
import type { Trigger } from '@isotherm/contract/triggers.ts'
import { afterEach, expect, test } from 'vitest'
import { eventually, find, isShown, leave, logInAs, press, type Request, serve, show } from '../../../test/show.tsx'
import { buildTrigger } from '../test/build-alarm.ts'
import { TriggerList } from './trigger-list.tsx'

const countsOf = (all: readonly Trigger[]) => {
  const counts: Record<string, number> = { open: 0, acknowledged: 0, normal: 0, resolved: 0, pending: 0 }
  for (const { state } of all) counts[state] = (counts[state] ?? 0) + 1
  return counts
}
const withTriggers =
  (...data: Trigger[]) =>
  ({ method, path }: Request) => {
    if (method !== 'GET') return { payload: data[0] }
    // Nothing is known of the device: its answer may come before the test is over, or not.
    if (path.startsWith('/devices/')) return { payload: null }
    return {
      payload: {
        ...{ data, meta: { page: 1, perPage: 25, total: data.length, pageCount: 1 }, counts: countsOf(data) },
        assigned: { me: 0, nobody: data.length },
        filterCounts: { severity: { all: data.length, warning: 0, critical: data.length } },
      },
    }
  }
const list = <TriggerList empty={{ title: 'No alarm has fired' }} />
const texts = { texts: ['alarms', 'triggers'] }

afterEach(leave)

async function typeNote(text: string) {
  const note = await find('textarea:not([aria-hidden])')
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(note, text)
  note.dispatchEvent(new Event('input', { bubbles: true }))
}

test('a trigger says in words what happened, with the buttons of those who may', async () => {
  logInAs('admin')
  serve(withTriggers(buildTrigger()))
  await show(list, texts)
  await find('li', /Van 3.*8/)
  // Each row has the same ones: heard by themselves they say whose they are.
  await find('button', /^Acknowledge: Van 3, /)
  await find('button', /^Resolve: Van 3, /)
})

test('acknowledging goes to the server, for that trigger, and the list is asked for again', async () => {
  logInAs('admin')
  const requests = serve(withTriggers(buildTrigger()))
  await show(list, texts)
  await press(/^Acknowledge: /)
  await eventually(() => {
    const asked = requests.filter(({ method }) => method === 'GET').length
    expect(requests).toContainEqual({ method: 'PATCH', path: '/alarm-triggers/11/acknowledge', body: {} })
    expect(asked).toBe(2)
  })
})

test('one who only looks gets no buttons, and cannot tick', async () => {
  logInAs('staff')
  serve(withTriggers(buildTrigger({ canAcknowledge: false })))
  await show(list, texts)
  await find('li', /Van 3/)
  expect(document.querySelector('li button[type=button].mantine-Button-root, li input[type=checkbox]')).toBeNull()
})

test('the list begins with what is open, the most urgent device first', async () => {
  logInAs('admin')
  const requests = serve(withTriggers(buildTrigger()))
  await show(list, texts)
  await eventually(() => expect(requests[0]?.path).toContain('states=open%2Cacknowledged'))
  expect(requests[0]?.path).toContain('sort=urgency')
})

test('severities say how many each would leave; one without a trigger has no chip', async () => {
  logInAs('admin')
  serve(withTriggers(buildTrigger(), buildTrigger({ id: '12' })))
  await show(list, texts)
  await find('fieldset button', /^Critical\s*2/)
  const chips = [...document.querySelectorAll('fieldset button')].map(({ textContent }) => textContent)
  expect(chips.filter((text) => text?.startsWith('Warning'))).toEqual([])
})

test('states without a trigger have no chip; back to normal has its own', async () => {
  logInAs('admin')
  serve(withTriggers(buildTrigger(), buildTrigger({ id: '12', state: 'normal', normalAt: '2026-11-20T12:10:00.000Z' })))
  await show(list, texts)
  await find('fieldset button', /^Back to normal/)
  expect(
    [...document.querySelectorAll('fieldset[aria-label="Filter by state"] button')].map((chip) => chip.textContent),
  ).toEqual(['Active1', 'Not acknowledged1', 'Back to normal1'])
})

test('triggers of a device stand under its name', async () => {
  logInAs('admin')
  serve(
    withTriggers(
      buildTrigger(),
      buildTrigger({ id: '12' }),
      buildTrigger({ id: '13', deviceId: '6', deviceName: 'Van 4' }),
    ),
  )
  await show(list, texts)
  await find('li', /^Van 3, 2 alarms$/)
  await find('li', /^Van 4, 1 alarm$/)
})

test('a device whose triggers go on at the next page is named without a number', async () => {
  logInAs('admin')
  const page = withTriggers(buildTrigger(), buildTrigger({ id: '13', deviceId: '6', deviceName: 'Van 4' }))
  serve((request) => {
    const answer = page(request)
    return { payload: { ...answer.payload, meta: { page: 1, perPage: 2, total: 3, pageCount: 2 } } }
  })
  await show(list, texts)
  await find('li', /^Van 3, 1 alarm$/)
  await find('li', /^Van 4$/)
})

test('Staff can tick what they may acknowledge, and nothing else', async () => {
  logInAs('staff')
  serve(
    withTriggers(buildTrigger(), buildTrigger({ id: '12', canAcknowledge: false, deviceId: '6', deviceName: 'Van 4' })),
  )
  await show(list, texts)
  await find('li', /Van 4 above/)
  const boxes = [...document.querySelectorAll('li input[type=checkbox]')].map((box) => box.getAttribute('aria-label'))
  expect(boxes).toEqual([expect.stringContaining('Van 3')])
  expect(isShown('Resolve all that are over')).toBe(false)
})

test('all that are over are resolved with one note, in one call', async () => {
  logInAs('admin')
  const over = buildTrigger({ state: 'normal', normalAt: '2026-11-20T12:10:00.000Z' })
  const requests = serve((request) =>
    request.method === 'GET' ? withTriggers(over)(request) : { payload: { changed: 1, left: 0 } },
  )
  await show(list, { ...texts, path: '/?severity=warning' })
  await press(/^Resolve all that are over \(1\)$/)
  await typeNote('Door was open')
  ;(await find('[role=dialog] button', /^Resolve$/)).click()
  await eventually(() =>
    expect(requests).toContainEqual({
      method: 'PATCH',
      path: '/alarm-triggers/over',
      body: { severity: 'warning', note: 'Door was open' },
    }),
  )
})

test('resolving what is still outside asks first, with the value now', async () => {
  logInAs('admin')
  const at = new Date().toISOString()
  const latest = { measuredAt: at, temperatureAt: at, temperatureC: 12.3, humidityPct: null }
  const chart = { bucketS: 0, atMs: [], temperature: { avg: [] }, humidity: { avg: [] }, batteryPct: null }
  serve((request) => {
    if (request.path.includes('/history/chart')) return { payload: chart }
    if (request.path.startsWith('/devices/')) return { payload: { id: '5', intervalS: 600, latest } }
    return withTriggers(buildTrigger())(request)
  })
  await show(list, texts)
  await press(/^Resolve: /)
  await find('[role=dialog]', /Still 12\.3.°C\. Resolve anyway\?/)
  await find('[role=dialog] button', /^Resolve anyway$/)
})

test('resolving what is back to normal asks for the note alone', async () => {
  logInAs('admin')
  serve(withTriggers(buildTrigger({ state: 'normal', normalAt: '2026-11-20T12:10:00.000Z' })))
  await show(list, texts)
  await press(/^Resolve: /)
  await find('[role=dialog] button', /^Resolve$/)
  expect(isShown('Resolve anyway')).toBe(false)
})

test('the state chosen in the address is asked for', async () => {
  logInAs('admin')
  const requests = serve(withTriggers())
  await show(list, { ...texts, path: '/?state=resolved&severity=critical' })
  await eventually(() => expect(requests[0]?.path).toContain('states=resolved&severity=critical'))
})

test('resolving names a ticked alarm that is not over, though the list shows other alarms by now', async () => {
  logInAs('admin')
  const lasting = buildTrigger()
  const over = buildTrigger({ id: '12', deviceName: 'Van 4', state: 'normal', normalAt: '2026-11-20T12:10:00.000Z' })
  serve((request) =>
    (request.path.includes('states=normal') ? withTriggers(over) : withTriggers(lasting, over))(request),
  )
  await show(list, texts)
  ;(await find('li input[type=checkbox]')).click()
  await find('[role=toolbar] button', 'Resolve')
  await press(/^Back to normal/)
  await eventually(() => expect(document.querySelectorAll('li input[type=checkbox]')).toHaveLength(1))
  ;(await find('[role=toolbar] button', 'Resolve')).click()
  await find('[role=dialog]', 'It is not back to normal. Resolve anyway?')
})
