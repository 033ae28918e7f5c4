import { beforeEach, expect, test } from 'vitest'
import { dismissErrors, dismissToast, getToasts, holdToasts, toastError, toastResult, toastSuccess } from './toast.ts'

const texts = () => getToasts().map(({ text }) => text)

beforeEach(() => {
  for (const { id } of getToasts()) dismissToast(id)
})

test('errors wait for each other, and are said once', () => {
  toastError('one')
  toastError('two')
  toastError('one')
  expect(texts()).toEqual(['one', 'two'])
})

test('a success takes the place of all that stood before, and an error that of a success', () => {
  toastError('one')
  toastSuccess('saved')
  expect(texts()).toEqual(['saved'])
  toastError('two')
  expect(texts()).toEqual(['two'])
})

test('errors that are over go, all or those named; a success stays', () => {
  toastError('one')
  toastError('two')
  dismissErrors(['one'])
  expect(texts()).toEqual(['two'])
  dismissErrors()
  toastSuccess('saved')
  dismissErrors()
  expect(texts()).toEqual(['saved'])
})

test('a result says what was done and what was not in one toast', () => {
  const rest = (done: string | null) => (done ? `${done}; 120 are left` : '120 are left')
  toastResult('500 resolved', null)
  expect(getToasts()).toMatchObject([{ kind: 'success', text: '500 resolved' }])
  toastResult('500 resolved', rest)
  expect(getToasts()).toMatchObject([{ kind: 'success', text: '500 resolved; 120 are left' }])
  toastResult(null, rest)
  expect(getToasts()).toMatchObject([{ kind: 'info', text: '120 are left' }])
})

test('what was done is told when the last that holds it back lets go; an error comes at once', () => {
  const [form, question] = [holdToasts(), holdToasts()]
  toastSuccess('saved')
  expect(texts()).toEqual([])
  toastError('no mail')
  expect(texts()).toEqual(['no mail'])
  form()
  expect(texts()).toEqual(['no mail'])
  question()
  expect(texts()).toEqual(['saved'])
})
