import { expect, test } from 'vitest'
import { buildTrigger } from './test/build-alarm.ts'
import { wordsOf } from './test/texts.ts'
import { timelineOf } from './timeline.ts'

const t = await wordsOf('en', 'triggers')
const ada = { id: '7', name: 'Ada' }
const ben = { id: '8', name: 'Ben' }
const at = (clock: string) => `2026-11-20T${clock}:00.000Z`
const said = (over: Parameters<typeof buildTrigger>[0], comments: Parameters<typeof timelineOf>[1] = []) =>
  timelineOf(buildTrigger(over), comments, t).map(({ text }) => text.replace(/\s/g, ' '))

test('what happened and what people wrote stand in the order of their times', () => {
  const comments = [
    { id: '1', text: 'On my way', at: at('12:10'), by: ada },
    { id: '2', text: 'The door was open', at: at('12:40'), by: ben },
  ]
  const handled = {
    ...{ acknowledgedAt: at('12:05'), acknowledgedBy: ada, assignedAt: at('12:05'), assignee: ada, assignedBy: ada },
    ...{ normalAt: at('12:20'), resolvedAt: at('12:30'), resolvedBy: ben },
  }
  expect(said(handled, comments)).toEqual([
    'Outside: 8.3 °C',
    'Fired',
    'Ada acknowledged',
    'Ada took it',
    'On my way',
    'Back to normal',
    'Ben resolved it',
    'The door was open',
  ])
})

test('who gave it to whom is said; what is no measure just began; the system has no name', () => {
  expect(said({ condition: 'noData', value: 12, assignedAt: at('12:05'), assignee: ben, assignedBy: ada })).toEqual([
    'It began',
    'Fired',
    'Ada gave it to Ben',
  ])
  expect(said({ resolvedAt: at('12:30'), resolvedBy: { id: null, name: 'system' } }).at(-1)).toBe(
    'The system resolved it',
  )
})
