import { expect, test } from 'vitest'
import { withAction } from './with-action.ts'

const none = { view: false, addOrEdit: false, export: false }

test('who may edit or export may also view', () => {
  expect(withAction(none, 'addOrEdit', true)).toEqual({ view: true, addOrEdit: true, export: false })
  expect(withAction(none, 'export', true)).toEqual({ view: true, addOrEdit: false, export: true })
})

test('without view nothing is left', () => {
  expect(withAction({ view: true, addOrEdit: true, export: true }, 'view', false)).toEqual(none)
})

test('taking one action leaves the others', () => {
  expect(withAction({ view: true, addOrEdit: true, export: true }, 'export', false)).toEqual({
    view: true,
    addOrEdit: true,
    export: false,
  })
})
