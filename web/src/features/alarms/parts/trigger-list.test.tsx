// @vitest-environment happy-dom
import type { Trigger } from '@isotherm/contract/triggers.ts'
import { afterEach, expect, test } from 'vitest'
import { eventually, find, leave, logInAs, press, type Request, serve, show } from '../../../test/show.tsx'
import { buildTrigger } from '../test/build-alarm.ts'
import { TriggerList } from './trigger-list.tsx'

const withTriggers =
  (...data: Trigger[]) =>
  ({ method }: Request) =>
    method === 'GET'
      ? { payload: { data, meta: { page: 1, perPage: 25, total: data.length, pageCount: 1 }, counts: { open: 1 } } }
      : { payload: data[0] }
const list = <TriggerList empty={{ title: 'No alarm has fired' }} />
const texts = { texts: ['alarms', 'triggers'] }

afterEach(leave)

test('a trigger says in words what happened, with the buttons of those who may', async () => {
  logInAs('admin')
  serve(withTriggers(buildTrigger()))
  await show(list, texts)
  await find('li', /Van 3.*8/)
  await find('button', /^Acknowledge$/)
  await find('button', 'Resolve')
})

test('acknowledging goes to the server, for that trigger, and the list is asked for again', async () => {
  logInAs('admin')
  const requests = serve(withTriggers(buildTrigger()))
  await show(list, texts)
  await press(/^Acknowledge$/)
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

test('the state chosen in the address is asked for', async () => {
  logInAs('admin')
  const requests = serve(withTriggers())
  await show(list, { ...texts, path: '/?state=resolved&severity=critical' })
  await eventually(() => expect(requests[0]?.path).toContain('states=resolved&severity=critical'))
})
