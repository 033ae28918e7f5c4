// @vitest-environment page
import { createMemoryHistory, createRouter, Link, RouterProvider, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { eventually, field, find, leave, show, type } from '../../test/show.tsx'
import { publicRoute, publicScreen, rootRoute } from './layouts.tsx'

afterEach(leave)

function Thing() {
  const { thingId } = useParams({ strict: false }) as { thingId: string }
  const [note, setNote] = useState('')
  return (
    <>
      <h1>Thing {thingId}</h1>
      <label htmlFor="note">Note</label>
      <input id="note" value={note} onChange={(event) => setNote(event.currentTarget.value)} />
      <Link to={'/things/2' as string}>The next one</Link>
      <Link to={'/things/1?tab=more' as string}>More of it</Link>
    </>
  )
}

test('a screen starts over with another thing, and only then', async () => {
  const thing = publicScreen('/things/$thingId', { load: async () => Thing, texts: ['common'] })
  const routeTree = rootRoute.addChildren([publicRoute.addChildren([thing])])
  const history = createMemoryHistory({ initialEntries: ['/things/1'] })
  const router = createRouter({ routeTree, history })
  await show(<RouterProvider router={router as never} />)
  type(await field('Note'), 'half a note')
  const more = await find('a', 'More of it')
  more.click()
  await eventually(() => expect(router.state.location.href).toContain('tab=more'))
  expect((await field('Note')).value).toBe('half a note')
  const next = await find('a', 'The next one')
  next.click()
  await find('h1', 'Thing 2')
  expect((await field('Note')).value).toBe('')
})
