// @vitest-environment page
import { afterEach, expect, test, vi } from 'vitest'
import { find, leave, logInAs, serve, show } from '../../../test/show.tsx'
import { ShipmentSummary } from './shipment-summary.tsx'

afterEach(() => {
  leave()
  vi.unstubAllGlobals()
})

const summary = {
  ...{ all: 9, byState: { pending: 3, ongoing: 4, completed: 2, cancelled: 0 } },
  ...{ late: 2, arrivingSoon: 1, unwatched: 0 },
}

async function shown(filters: Record<string, string>, search = '') {
  logInAs('admin')
  serve(() => ({ payload: summary }))
  const change = vi.fn()
  const params = { ...{ page: 1, perPage: 25, search, sort: '-createdAt', filters }, change }
  await show(<ShipmentSummary params={params} />, { texts: ['shipments'] })
  return change
}

test('a figure chooses the list that it counts, and nothing else stays chosen', async () => {
  const change = await shown({ filter: 'pending' }, 'grapes')
  ;((await find('button', /Late/)) as HTMLButtonElement).click()
  expect(change).toHaveBeenLastCalledWith({ search: '', filters: { filter: undefined, attention: 'late' } })
  ;((await find('button', /Under way/)) as HTMLButtonElement).click()
  expect(change).toHaveBeenLastCalledWith({ search: '', filters: { filter: 'ongoing', attention: undefined } })
})

test('the chosen figure is pressed, and a second click takes the choice away', async () => {
  const change = await shown({ attention: 'late' })
  const late = (await find('button', /Late/)) as HTMLButtonElement
  expect([late.getAttribute('aria-pressed'), late.textContent]).toEqual(['true', 'Late2'])
  expect((await find('button', /Under way/)).getAttribute('aria-pressed')).toBe('false')
  late.click()
  expect(change).toHaveBeenLastCalledWith({ search: '', filters: { filter: undefined, attention: undefined } })
})
