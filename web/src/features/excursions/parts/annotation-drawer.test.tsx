// @vitest-environment page
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { eventually, field, find, isShown, leave, logInAs, press, serve, show, type } from '../../../test/show.tsx'
import { AnnotationDrawer } from './annotation-drawer.tsx'

afterEach(leave)
logInAs('admin')

const noted = (note: string) => ['1', '2'].map((id) => ({ id, annotations: [{ cause: null, note, owner: null }] }))

/** A list whose rows somebody else changes while the form is open. */
function List() {
  const [rows, setRows] = useState(noted('Before'))
  const given = { rows: rows as never, causes: [{ key: 'doorOpen', name: 'Door open', isRetired: false }] as never }
  return (
    <>
      <button type="button" onClick={() => setRows(noted('By somebody else'))}>
        Another note
      </button>
      <AnnotationDrawer {...given} ids={['1', '2']} owners={[]} onSaved={() => {}} onClose={() => {}} />
    </>
  )
}

test('only what was changed in the form is saved, also where somebody else wrote meanwhile', async () => {
  const asked = serve(() => ({ payload: {} }))
  await show(<List />, { texts: ['excursions'] })
  await find('input[data-path="cause"]')
  document.querySelector<HTMLInputElement>('input[data-path="cause"]')?.click()
  await (await find('[role=option]', 'Door open')).click()
  await press('Another note')
  await press(/^Save$/)
  const sent = () => asked.filter(({ method }) => method === 'PATCH').map(({ body }) => body)
  const seen = { cause: null, note: 'Before', ownerId: null }
  await eventually(() => expect(sent()).toEqual([{ ids: ['1', '2'], cause: 'doorOpen', seen }]))
})

test('a note that somebody else wrote meanwhile is not overwritten: it is shown above the one that was typed, which replaces it then', async () => {
  const refused = { status: 400, code: 'CHANGED_MEANWHILE', message: 'Somebody changed this meanwhile.' }
  const asked = serve(({ method, body }) => {
    if (method !== 'PATCH') return { payload: {} }
    return (body as { seen: { note: string } }).seen.note === 'Before' ? refused : { payload: { changed: 2 } }
  })
  await show(<List />, { texts: ['excursions', 'errors'] })
  type(await field('Note'), 'Mine')
  await press(/^Save$/)
  await eventually(() => expect(isShown('Somebody saved this meanwhile. Saving replaces what you change:')).toBe(true))
  await press('Another note')
  await eventually(() => expect(isShown('By somebody else')).toBe(true))
  expect((await field('Note')).value).toBe('Mine')
  await press(/^Save$/)
  const notes = () => asked.filter(({ method }) => method === 'PATCH').map(({ body }) => body)
  await eventually(() =>
    expect(notes()).toMatchObject([
      { note: 'Mine', seen: { note: 'Before' } },
      { note: 'Mine', seen: { note: 'By somebody else' } },
    ]),
  )
})
