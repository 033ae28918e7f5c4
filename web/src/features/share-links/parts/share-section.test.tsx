// @vitest-environment page
import type { ShareLink } from '@isotherm/contract/share-links.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  eventually,
  field,
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
import { ShareSection } from './share-section.tsx'

const link: ShareLink = {
  ...{ id: '7', kind: 'device', label: 'Hospital', device: { id: '3', name: 'Fridge' }, groups: [] },
  ...{ showsPosition: true, showsChart: false, showsPrivate: false, turnS: null, createdBy: { id: '1', name: 'Ann' } },
  ...{ createdAt: '2026-11-23T08:00:00.000Z', expiresAt: '2026-11-24T08:00:00.000Z', openings: 2, lastReadAt: null },
}
let links: ShareLink[]
const answer = ({ method }: Request) => {
  if (method === 'POST') {
    links = [link]
    return { payload: { ...link, token: 'the-token' } }
  }
  if (method === 'DELETE') {
    links = []
    return { payload: { done: true } }
  }
  return { payload: links }
}
const section = <ShareSection subject={{ kind: 'device', id: '3', name: 'Fridge' }} />

beforeEach(() => {
  links = []
  logInAs('manager')
})
afterEach(leave)

test('a link is made with what was chosen; its address is shown once, with the token after the #', async () => {
  const requests = serve(answer)
  await show(section, { texts: ['shareLinks', 'errors'] })
  await press('Make a link')
  type(await field('Label'), 'Hospital')
  ;(await field('Show the position on the map')).click()
  await press('Make the link')
  const address = await field('Link')
  expect(address.value).toBe(`${location.origin}/share#the-token`)
  expect(requests.find(({ method }) => method === 'POST')).toMatchObject({
    path: '/devices/3/share-links',
    body: { label: 'Hospital', hours: 24, showsPosition: true, showsChart: false },
  })
  await press('Done')
  await find('ul', 'Live share links')
  await eventually(() => expect(isShown('opened 2 times')).toBe(true))
  expect(document.body.innerHTML).not.toContain('the-token')
})

test('revoking asks first, and then the link is gone from the list', async () => {
  links = [link]
  const requests = serve(answer)
  await show(section, { texts: ['shareLinks', 'errors'] })
  await press('Revoke Hospital')
  await find('[role=dialog]')
  expect(requests.some(({ method }) => method === 'DELETE')).toBe(false)
  await press(/^Revoke$/)
  await eventually(() => expect(isShown('Hospital')).toBe(false))
  expect(requests.find(({ method }) => method === 'DELETE')?.path).toBe('/device-share-links/7')
})
