// @vitest-environment page
import { afterEach, expect, test } from 'vitest'
import type { Chosen } from '../../features/places/fence-shapes.ts'
import { PlaceCard } from '../../features/places/parts/place-card.tsx'
import { eventually, find, leave, logInAs, serve, show } from '../../test/show.tsx'
import { Rail } from './rail.tsx'
import { Shortcuts } from './shortcuts.tsx'

afterEach(leave)
logInAs('admin')
serve(() => ({ payload: {} }))

const pressKey = (key: string) => {
  const from = document.activeElement ?? document.body
  from.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
}

test('Escape closes what stands last, a chosen place as well', async () => {
  const closed: string[] = []
  const point = { id: '1', name: 'Depot', radiusM: 100, notify: { in: true, out: false } }
  await show(
    <>
      <button type="button" aria-keyshortcuts="Escape" onClick={() => closed.push('before')} />
      <PlaceCard
        chosen={{ kind: 'point', point } as unknown as Chosen}
        onEdit={() => undefined}
        onClose={() => closed.push('place')}
      />
      <Shortcuts />
    </>,
    { texts: ['places'] },
  )
  await find('section', 'Depot')
  await eventually(() => {
    pressKey('Escape')
    expect(closed[0]).toBe('place')
  })
})

test('the letters of alarms lead to what is open, though their address leads to the list', async () => {
  const { address } = await show(<Shortcuts />)
  await eventually(() => {
    for (const key of ['g', 'a']) pressKey(key)
    expect(address()).toBe('/alarms/triggered-alarms')
  })
})

test.each(['/alarms/list', '/alarms/7/settings'])('on %s the entry of alarms is the marked one', async (path) => {
  await show(<Rail />, { path, texts: ['shell'] })
  const marked = [...(await find('nav')).querySelectorAll('a[data-status=active]')]
  expect(marked.map((entry) => [entry.textContent, entry.getAttribute('href')])).toEqual([
    ['Alarms', '/alarms/triggered-alarms'],
  ])
})

test('a letter acts on the row, or on the panel, that has the focus', async () => {
  const acted: string[] = []
  const button = (name: string) => (
    <button type="button" aria-label={name} aria-keyshortcuts="e" onClick={() => acted.push(name)} />
  )
  await show(
    <>
      <div data-row>{button('row')}</div>
      <aside data-letter-keys>
        <a href="/">In the panel</a>
        {button('panel')}
      </aside>
      <Shortcuts />
    </>,
  )
  ;(await find('a', 'In the panel')).focus()
  await eventually(() => {
    pressKey('e')
    expect(acted[0]).toBe('panel')
  })
})
