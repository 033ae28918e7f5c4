import { expect, test } from 'vitest'
import { eachApart } from './each-apart.ts'

test('what fails is told of, and keeps nothing else from its turn', async () => {
  const done: number[] = []
  const failed: unknown[] = []
  await eachApart([1, 2, 3, 4, 5], { concurrency: 2, failed: (one, err) => failed.push([one, err]) }, async (one) => {
    if (one === 2) throw new Error('no')
    done.push(one)
  })
  expect(done).toEqual([1, 3, 4, 5])
  expect(failed).toEqual([[2, new Error('no')]])
})
