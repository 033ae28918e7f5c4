// @vitest-environment page
import type { Trigger } from '@isotherm/contract/triggers.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  eventually,
  find,
  isShown,
  leave,
  logInAs,
  press,
  type Request,
  serve,
  show,
  type,
} from '../../../test/show.tsx'
import { buildTrigger } from '../test/build-alarm.ts'
import { TriggerPanel } from './trigger-panel.tsx'

afterEach(leave)
beforeEach(() => logInAs('admin'))

const minute = 60_000
const panel = <TriggerPanel id="11" isPhone={false} onClose={() => undefined} buttons={() => null} />
// Over, so that the value now is not asked for.
const over = { normalAt: '2026-11-20T12:05:00.000Z', state: 'normal' } as const
const texts = { texts: ['alarms', 'triggers'] }

/** A device that has measured these values, ten minutes apart, the last one two minutes ago. */
function serveDevice(trigger: Trigger, values: readonly number[]) {
  const last = Date.now() - 2 * minute
  const atMs = values.map((_, index) => last - (values.length - 1 - index) * 10 * minute)
  const range = { min: values, avg: values, max: values }
  const measuredAt = new Date(last).toISOString()
  const latest = { measuredAt, temperatureAt: measuredAt, temperatureC: values.at(-1), humidityPct: null }
  return serve(({ path }: Request) => {
    if (path.startsWith('/alarm-triggers/')) return { payload: trigger }
    if (path.includes('/history/chart'))
      return { payload: { bucketS: 0, atMs, temperature: range, humidity: range, batteryPct: null } }
    return { payload: { id: '5', intervalS: 600, latest } }
  })
}

test('a link to a trigger that is there no more says so, and offers nothing to try again', async () => {
  serve(() => ({ status: 404, code: 'NOT_FOUND', message: 'Not found.' }))
  await show(<TriggerPanel id="999999" isPhone={false} onClose={() => undefined} buttons={() => null} />, texts)
  await find('h2, h3, p, div', 'This trigger is not there any more')
  expect(isShown('Try again')).toBe(false)
})

test('the sheet begins with the value now, its direction and age, and draws the last two hours', async () => {
  serveDevice(buildTrigger(), [7, 8, 9, 12.3])
  await show(panel, texts)
  // The direction comes with the chart, which is asked for by itself.
  const now = await find('section[aria-label=Now] p', /12\.3.°C.*rising/)
  expect(now.textContent).toMatch(/2 min/)
  expect(now.textContent).toMatch(/limit 8\.0.°C/)
  await find('svg[role=img]', /The last 2 hours: 7\.0.°C to 12\.3.°C/)
})

test('the times are one line; the rest is folded', async () => {
  serveDevice(
    buildTrigger({ acknowledgedAt: '2026-11-20T12:05:00.000Z', acknowledgedBy: { id: '7', name: 'Amina' } }),
    [9],
  )
  await show(panel, texts)
  const line = await find('summary', /Outside since 20 Nov 2026, 12:48 GMT\+1 · fired 12:58 · acknowledged 13:05/)
  expect(line.closest('details')?.open).toBe(false)
})

test('of what is resolved the value now is not asked for', async () => {
  const resolved = { state: 'resolved', resolvedAt: '2026-11-20T13:00:00.000Z' } as const
  const requests = serveDevice(buildTrigger(resolved), [9])
  await show(panel, texts)
  await find('summary', /resolved/)
  expect(requests.map(({ path }) => path)).toEqual(['/alarm-triggers/11'])
})

test('comments stand in the timeline; one more is sent as it was typed, and comes up by itself', async () => {
  const by = { id: '7', name: 'Amina' }
  const comments = [{ id: '1', text: 'On my way', at: '2026-11-20T12:10:00.000Z', by }]
  const requests = serve(({ path, method, body }: Request) => {
    if (path === '/alarm-triggers/11/comments' && method === 'POST') {
      const comment = { id: '2', at: '2026-11-20T12:20:00.000Z', by, ...(body as { text: string }) }
      comments.push(comment)
      return { payload: comment }
    }
    if (path === '/alarm-triggers/11/comments') return { payload: comments }
    if (path.startsWith('/alarm-triggers/')) return { payload: buildTrigger({ comments: comments.length, ...over }) }
    return { status: 404, code: 'NOT_FOUND', message: 'Not found.' }
  })
  await show(panel, texts)
  await find('ol li', /On my way/)
  const field = (await find('textarea:not([aria-hidden])')) as HTMLTextAreaElement
  type(field, 'The door was open')
  await press(/^Comment$/)
  await find('ol li:last-child', /The door was open/)
  await eventually(() => expect(field.value).toBe(''))
  expect(requests.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
    { text: 'The door was open' },
  ])
})

test('who may not handle it reads the comments and has no field', async () => {
  serve(({ path }: Request) =>
    path.endsWith('/11')
      ? { payload: buildTrigger({ canHandle: false, ...over }) }
      : { status: 404, code: 'NOT_FOUND', message: 'Not found.' },
  )
  await show(panel, texts)
  await find('section[aria-label=Timeline] li', /Fired/)
  expect(document.querySelector('textarea')).toBeNull()
  expect(isShown('Take it')).toBe(false)
})
