// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { eventually, find, leave, logInAs, press, serve, show } from '../../../test/show.tsx'
import { CrewDialog } from './crew-dialog.tsx'

afterEach(leave)
logInAs('admin')
// The DOM of the tests has no fonts, which a field that grows with its text listens to.
Object.assign(document, { fonts: new EventTarget() })

const order = {
  ...{ id: '7', trackingCode: 'AB-1', version: 3, state: 'new', hiddenDevices: 0, receiverList: [], devices: [] },
  ...{ driver: { id: '1', name: 'Musa' }, vehicle: { id: '2', name: 'Blue van' } },
} as never

test('an order that has not started may have nobody, and its fields do not ask for somebody', async () => {
  const asked = serve(({ method }) => ({ payload: method === 'GET' ? [] : { id: '7' } }))
  await show(<CrewDialog order={order} onClose={() => undefined} />, { texts: ['orderLife'] })
  // The marks are there a moment after the form.
  await new Promise((wake) => setTimeout(wake, 100))
  expect(document.querySelectorAll('input[required]')).toHaveLength(0)
  for (const button of document.querySelectorAll<HTMLElement>('.mantine-InputClearButton-root')) button.click()
  await find('label', 'Driver')
  await press(/^Save$/)
  await eventually(() =>
    expect(asked.filter(({ method }) => method !== 'GET').map(({ body }) => body)).toEqual([
      { version: 3, driverId: null, vehicleId: null, devices: [] },
    ]),
  )
})
