// @vitest-environment page
import type { ShareLink } from '@isotherm/contract/share-links.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually, field, find, leave, logInAs, serve, show, type } from '../../../test/show.tsx'
import { WallDialog } from './wall-dialog.tsx'

const link: ShareLink = {
  ...{ id: '7', kind: 'wall', label: 'Dock', device: null, groups: [{ id: '3', name: 'Hall' }] },
  ...{ showsPosition: false, showsChart: true, showsPrivate: false, turnS: 30, createdBy: { id: '1', name: 'Ann' } },
  ...{ createdAt: '2026-11-23T08:00:00.000Z', expiresAt: null, openings: 2, lastReadAt: null },
}

beforeEach(() => logInAs('admin'))
afterEach(leave)

test('a wall screen is changed: its name and how long a picture stays; its link stays as it is', async () => {
  const requests = serve(({ method }) => ({ payload: method === 'PATCH' ? link : { data: [], meta: {} } }))
  let isClosed = false
  const made: unknown[] = []
  const close = () => {
    isClosed = true
  }
  await show(<WallDialog link={link} onMade={(one) => made.push(one)} onClose={close} />, {
    texts: ['shareLinks', 'errors'],
  })
  type(await field('Name'), 'Loading dock')
  const turn = (await field('Each picture stays')) as unknown as HTMLSelectElement
  expect(turn.value).toBe('30')
  turn.value = '60'
  turn.dispatchEvent(new Event('change', { bubbles: true }))
  ;(await find('button[type=submit]')).click()
  await eventually(() => expect(isClosed).toBe(true))
  expect(requests.find(({ method }) => method === 'PATCH')).toEqual({
    method: 'PATCH',
    path: '/wall-screens/7',
    body: { label: 'Loading dock', turnS: 60 },
  })
  expect(made).toEqual([])
})
