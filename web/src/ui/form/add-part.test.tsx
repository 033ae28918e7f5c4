// @vitest-environment page
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { eventually, find, leave, show } from '../../test/show.tsx'
import { addPart } from './add-part.ts'

afterEach(leave)

function Stops() {
  const [stops, setStops] = useState([1])
  return (
    <form>
      {stops.map((stop) => (
        <p key={stop}>
          <input type="hidden" />
          <input aria-label={`Name ${stop}`} />
          <textarea aria-label={`Note ${stop}`} />
        </p>
      ))}
      <button type="button" onClick={(event) => addPart(event, () => setStops([...stops, stops.length + 1]))}>
        Add a stop
      </button>
    </form>
  )
}

test('a part that is added by a key has the focus in its first field, and a pointer leaves it at the button', async () => {
  await show(<Stops />)
  const add = await find('button', 'Add a stop')
  const press = (detail: number) => {
    add.focus()
    add.dispatchEvent(new MouseEvent('click', { bubbles: true, detail }))
  }
  press(0)
  await eventually(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Name 2'))
  press(1)
  await find('input', 'Name 3')
  expect(document.activeElement).toBe(add)
})
