// @vitest-environment page
import type { HandOverNote, Rota } from '@isotherm/contract/on-call.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually, find, isShown, leave, logInAs, press, type Request, serve, show } from '../../../test/show.tsx'
import { HandOverNews } from './hand-over-news.tsx'
import { HandOverNotes } from './hand-over-notes.tsx'
import { RotaForm } from './rota-form.tsx'
import { RotaPanel } from './rota-panel.tsx'

afterEach(leave)
beforeEach(() => logInAs('admin'))

const texts = { texts: ['onCall'] }
const [ada, ben] = [
  { id: '7', name: 'Ada' },
  { id: '8', name: 'Ben' },
]
const shift = (from: string, to: string, person = ada, insteadOf: Rota['onCall'] = null) => ({
  ...{ from: `2026-11-${from}T07:00:00.000Z`, to: `2026-11-${to}T07:00:00.000Z`, person, insteadOf },
})
const rotaOf = (over: Partial<Rota> = {}): Rota => ({
  ...{ id: '3', name: 'Nights', weekday: 1, time: '08:00', zone: 'Africa/Lagos', startsOn: '2026-11-16' },
  people: [
    { ...ada, isAvailable: true },
    { ...ben, isAvailable: false },
  ],
  onCall: ada,
  version: 1,
  shifts: [shift('16', '23'), shift('23', '30', ben)],
  overrides: [],
  ...over,
})
const noteOf = (over: Partial<HandOverNote> = {}): HandOverNote => ({
  ...{ id: '5', text: 'Watch the cold room', at: '2026-11-20T07:00:00.000Z', by: ben },
  ...{ readAt: null, readBy: null, canRead: true },
  ...over,
})
const withNote =
  (note: HandOverNote) =>
  ({ method }: Request) =>
    method === 'GET'
      ? { payload: { data: [note], meta: { page: 1, perPage: 1, total: 1, pageCount: 1 }, canWrite: true } }
      : { payload: note }

test('a rota says who is on call now, until when, and who is next; who cannot be told is named', async () => {
  await show(<RotaPanel rota={rotaOf()} />, texts)
  await find('b', 'Ada')
  expect(isShown('until 23 Nov 2026, 08:00 GMT+1')).toBe(true)
  await find('li', /Ben.*23\sNov\s2026,\s08:00 – 30\sNov\s2026,\s08:00/)
  await find('p', /Ada → Ben \(cannot be told\).*Monday at 08:00 \(Africa\/Lagos\)/)
})

test('where the one on call cannot be told, the one who is told instead stands there, and why', async () => {
  await show(<RotaPanel rota={rotaOf({ shifts: [shift('16', '23', ben)], onCall: ada })} />, texts)
  await find('b', 'Ada')
  expect(isShown('Ben cannot be told')).toBe(true)
})

test('a rota that reaches nobody warns', async () => {
  await show(<RotaPanel rota={rotaOf({ onCall: null })} />, texts)
  await find('[role=alert]', /reaches nobody/)
})

test('a stand-in can be taken back, by who may edit alarms', async () => {
  const rota = rotaOf({ overrides: [{ id: '9', person: ben, insteadOf: ada, ...pick(shift('18', '19')) }] })
  const requests = serve(() => ({ payload: { done: true } }))
  await show(<RotaPanel rota={rota} />, texts)
  await press(/Take back Ben/)
  await press(/^Take it back$/)
  await eventually(() =>
    expect(requests).toContainEqual({ method: 'DELETE', path: '/on-call/overrides/9', body: undefined }),
  )
  logInAs('staff')
  await show(<RotaPanel rota={rota} />, texts)
  await find('li', /Ben instead of Ada/)
  expect(document.querySelector('button')).toBeNull()
})
const pick = ({ from, to }: { from: string; to: string }) => ({ from, to })

test('the newest note stands above the alarms until somebody has read it', async () => {
  const requests = serve(withNote(noteOf()))
  await show(<HandOverNews />, texts)
  await find('aside', 'Hand-over note')
  expect(isShown('Watch the cold room')).toBe(true)
  await press('I have read it')
  await eventually(() =>
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toContain('PATCH /on-call/notes/5/read'),
  )
})

test('a note that was read is not shown any more; who may not read it off gets no button', async () => {
  const read = serve(withNote(noteOf({ readAt: '2026-11-20T09:00:00.000Z', readBy: 'Ada', canRead: false })))
  await show(
    <>
      <HandOverNews />
      <HandOverNotes />
    </>,
    texts,
  )
  await find('li', /Read by Ada/)
  expect(read).toHaveLength(2)
  expect(document.querySelector('aside')).toBeNull()
  leave()
  serve(withNote(noteOf({ canRead: false })))
  await show(<HandOverNews />, texts)
  await find('aside', 'Hand-over note')
  expect(document.querySelector('button')).toBeNull()
})

test('a note that nobody has read is shown though a newer one was read', async () => {
  const notes = [noteOf({ id: '6', text: 'All is well', readAt: '2026-11-20T09:00:00.000Z' }), noteOf()]
  serve(() => ({ payload: { data: notes, meta: { page: 1, perPage: 20, total: 2, pageCount: 1 }, canWrite: true } }))
  await show(<HandOverNews />, texts)
  await find('aside', 'Hand-over note')
  expect([isShown('Watch the cold room'), isShown('All is well')]).toEqual([true, false])
})

test('a rota needs people, and its form marks so', async () => {
  serve(() => ({ payload: { data: [], meta: { page: 1, perPage: 20, total: 0, pageCount: 0 } } }))
  await show(<RotaForm onClose={() => undefined} />, texts)
  expect((await find('[data-required]', 'People, in the order of their turns')).textContent).toBe(
    'People, in the order of their turns',
  )
})
