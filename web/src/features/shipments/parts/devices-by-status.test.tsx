// @vitest-environment page
import { afterEach, expect, test, vi } from 'vitest'
import { eventually, find, leave, logInAs, serve, show } from '../../../test/show.tsx'
import { DevicesByStatus } from './devices-by-status.tsx'

afterEach(() => {
  leave()
  vi.unstubAllGlobals()
})

test('the devices of a status are on the page only once somebody opens it', async () => {
  logInAs('admin')
  const devices = [{ id: '5', name: 'Logger', shipments: [{ id: '7', number: 'SHP-000007' }] }]
  serve(() => ({ payload: { total: 1, hidden: 0, byStatus: [{ status: 'offline', count: 1, devices }] } }))
  await show(
    <DevicesByStatus search={undefined} filter={undefined} attention={undefined} nameOf={(status) => status} />,
    {
      texts: ['shipments'],
    },
  )
  const status = (await find('details', /offline/)) as HTMLDetailsElement
  expect(document.querySelectorAll('li')).toHaveLength(0)
  status.open = true
  status.dispatchEvent(new Event('toggle'))
  await eventually(() => expect(status.querySelector('li')?.textContent).toBe('Logger · SHP-000007'))
})
