import { expect, test } from 'vitest'
import { listParams, params, period } from './search-params.ts'

test('a screen keeps the search parameters it names, as texts, and drops others', () => {
  expect(params('trigger')({ trigger: 7, token: 'secret' })).toEqual({ trigger: '7' })
  expect(params()({ page: '2' })).toEqual({})
})

test('an absent parameter stays absent', () => {
  expect(params('page', 'compare')({ page: undefined, compare: null })).toEqual({})
})

test('a list knows its search, order and page beside its filters', () => {
  const given = { search: 'van', sort: '-name', page: '2', perPage: '50', state: 'open', from: 'a', other: 'x' }
  expect(listParams('state', ...period)(given)).toEqual({
    search: 'van',
    sort: '-name',
    page: '2',
    perPage: '50',
    state: 'open',
    from: 'a',
  })
})
