// @vitest-environment page
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Shape } from '../../features/places/fence-shapes.ts'
import { DrawHelp } from '../../features/places/parts/draw-help.tsx'
import { PlaceForm } from '../../features/places/parts/place-form.tsx'
import type { PlaceEdit } from '../../features/places/use-place-editor.ts'
import { type Playback, PlaybackBar } from '../../map/playback/playback-bar.tsx'
import { eventually, field, find, isShown, leave, logInAs, press, serve, show, type } from '../../test/show.tsx'
import { SelectedDevice } from '../maps/selected-device.tsx'
import { Shortcuts } from './shortcuts.tsx'

let closed: string[] = []
beforeEach(() => {
  closed = []
})
afterEach(leave)
logInAs('admin')
const device = {
  ...{ id: '7', imei: null, name: 'Van 3', tag: null, type: 'tracker', status: 'awaiting', visibility: 'public' },
  ...{ intervalS: 600, transmission: 'on', latest: null, position: null, clockAheadS: null, waiting: [], limits: {} },
  ...{ judgement: { temperature: null, humidity: null }, excursionSince: null, licenceUntil: null, hiddenFrom: null },
  ...{ createdAt: '2026-11-20T10:00:00Z', sampleUntil: null, version: 1 },
}
serve(({ path }) => ({ payload: path === '/devices/7' ? device : { points: [], segments: [] } }))

const closes = (name: string) => () => void closed.push(name)
const pressEscape = () =>
  (document.activeElement ?? document.body).dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }),
  )
/** The keys are heard once the shell has begun to listen. */
const escapes = (name: string) =>
  eventually(() => {
    if (closed.length === 0) pressEscape()
    expect(closed).toEqual([name])
  })

const circle: Shape = { kind: 'circle', centre: { lat: 6.5, lon: 3.4 }, radiusM: 200 }
const editOf = (shape: Shape | null): PlaceEdit => ({
  ...{ kind: 'circle', target: null, shape, name: '' },
  task: shape ? { edit: shape } : { begin: 'circle' },
})
const placeForm = (shape = circle) => (
  <PlaceForm
    edit={editOf(circle)}
    shape={shape}
    onRadius={() => undefined}
    onColour={() => undefined}
    onSaved={() => undefined}
    onCancel={closes('form')}
  />
)

test('Escape closes the card of a device', async () => {
  await show(
    <>
      <SelectedDevice id="7" onPlay={() => undefined} onClose={closes('card')} />
      <Shortcuts />
    </>,
    { texts: ['maps', 'devices'] },
  )
  await find('section', 'Van 3')
  await escapes('card')
})

test('Escape closes the bar of a playback', async () => {
  const playback = { marks: null, isLoading: true, error: null, close: closes('playback') } as unknown as Playback
  await show(
    <>
      <PlaybackBar playback={playback} name="Van 3" />
      <Shortcuts />
    </>,
    { texts: ['maps'] },
  )
  await find('strong', 'Van 3')
  await escapes('playback')
})

test('Escape ends a drawing, also from an empty search', async () => {
  await show(
    <>
      <input type="search" />
      <DrawHelp edit={editOf(null)} onCancel={closes('drawing')} />
      <Shortcuts />
    </>,
    { texts: ['places'] },
  )
  ;(await find('input')).focus()
  await escapes('drawing')
})

test('Escape in the name of a shape closes its form, where nothing was typed', async () => {
  await show(
    <>
      {placeForm()}
      <Shortcuts />
    </>,
    { texts: ['places'] },
  )
  ;(await field('Name')).focus()
  await escapes('form')
})

test('Escape in the form of a shape asks before typed words are lost', async () => {
  await show(
    <>
      {placeForm()}
      <Shortcuts />
    </>,
    { texts: ['places'] },
  )
  type(await field('Name'), 'Depot', { leave: false })
  // Again and again: until the shell has begun to listen, nobody hears it.
  await eventually(() => {
    if (!isShown('Leave')) pressEscape()
    expect(isShown('Leave')).toBe(true)
  })
  await find('[role=dialog] button', 'Leave')
  expect(closed).toEqual([])
  expect((await field('Name')).value).toBe('Depot')
  await press('Leave')
  await eventually(() => expect(closed).toEqual(['form']))
})

test('Escape first leaves other text, the list of a field and a search, and closes nothing meanwhile', async () => {
  await show(
    <>
      <button type="button" aria-keyshortcuts="Escape" onClick={closes('panel')} />
      <textarea defaultValue="a comment" />
      <input type="search" defaultValue="van" />
      <input role="combobox" aria-expanded="true" aria-controls="none" aria-label="Device" />
      <Shortcuts />
    </>,
  )
  ;(await find('input[role=combobox]')).focus()
  pressEscape()
  ;(await find('input[type=search]')).focus()
  pressEscape()
  const comment = await find('textarea')
  comment.focus()
  await eventually(() => {
    if (document.activeElement === comment) pressEscape()
    expect(document.activeElement).not.toBe(comment)
  })
  expect(closed).toEqual([])
  await escapes('panel')
})
