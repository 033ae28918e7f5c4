// @vitest-environment page
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { eventually, find, leave, logInAs, press, serve, show } from '../../../test/show.tsx'
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
  await eventually(() => expect(sent()).toEqual([{ ids: ['1', '2'], cause: 'doorOpen' }]))
})
