import { afterEach, describe, expect, test, vi } from 'vitest'
import { Shares, type Turn } from './shares.ts'

const held = () => Promise.withResolvers<void>()
/** Lets everything go on that waits for nothing but its turn. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

afterEach(() => {
  vi.useRealTimers()
})

test('a company has no more than its share at once, and the others go on (M7)', async () => {
  const shares = new Shares(2)
  const gate = held()
  const begun: string[] = []
  const run = (companyId: number, name: string) =>
    shares.run(companyId, async () => {
      begun.push(name)
      await gate.promise
    })
  const all = [run(1, 'a'), run(1, 'b'), run(1, 'c'), run(1, 'd'), run(2, 'x')]
  await settle()
  expect(begun).toEqual(['a', 'b', 'x'])
  gate.resolve()
  await Promise.all(all)
  expect(begun).toEqual(['a', 'b', 'x', 'c', 'd'])
})

test('work that fails gives its place on', async () => {
  const shares = new Shares(1)
  await expect(shares.run(1, () => Promise.reject(new Error('as it should')))).rejects.toThrow('as it should')
  expect(await shares.run(1, async () => 'next')).toBe('next')
})

test('who waits too long is told to come again, and whoever is behind them is served (M7)', async () => {
  const shares = new Shares(1, { waitMs: 20 })
  const gate = held()
  const first = shares.run(1, () => gate.promise)
  await expect(shares.run(1, async () => 'late')).rejects.toMatchObject({ code: 'BUSY', retryAfterS: 2 })
  gate.resolve()
  await first
  expect(await shares.run(1, async () => 'next')).toBe('next')
})

test('calls that came together and wait too long are refused one by one, none sooner than after half of the time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  const shares = new Shares(1)
  const gate = held()
  const first = shares.run(1, () => gate.promise)
  let refused = 0
  for (let n = 0; n < 50; n++) shares.run(1, async () => {}).catch(() => refused++)
  await vi.advanceTimersByTimeAsync(4_900)
  expect(refused).toBe(0)
  await vi.advanceTimersByTimeAsync(2_600)
  expect(refused).toBeGreaterThan(5)
  expect(refused).toBeLessThan(45)
  await vi.advanceTimersByTimeAsync(2_500)
  expect(refused).toBe(50)
  gate.resolve()
  await first
})

test('calls of a company beyond two at once give way where others are here, and none does where it is alone', async () => {
  const shares = new Shares(5)
  const gate = held()
  const turns: Turn[] = []
  const run = (companyId: number) =>
    shares.run(companyId, (turn) => {
      turns.push(turn)
      return gate.promise
    })
  const alone = [run(1), run(1), run(1)]
  await settle()
  expect(turns.map(({ isHeldBack }) => isHeldBack)).toEqual([false, false, false])
  gate.resolve()
  await Promise.all(alone)
  turns.length = 0
  const both = [run(2), run(1), run(1), run(1), run(1)]
  await settle()
  expect(turns.map(({ isHeldBack }) => isHeldBack)).toEqual([false, false, false, true, true])
  await Promise.all(both)
})

test('a long call gives way from the first one on where others are here and want less, and not elsewhere', async () => {
  const shares = new Shares(5)
  const gate = held()
  const gaveWay: boolean[] = []
  const run = (companyId: number, isLong: boolean, work: () => Promise<void>) =>
    shares.run(
      companyId,
      ({ isHeldBack }) => {
        gaveWay.push(isHeldBack)
        return work()
      },
      { isLong },
    )
  await run(1, true, async () => {})
  expect(gaveWay.splice(0)).toEqual([false])
  await run(2, false, async () => {})
  await run(1, true, async () => {})
  expect(gaveWay.splice(0)).toEqual([false, true])
  const flood = [1, 2, 3].map(() => run(2, false, () => gate.promise))
  await run(1, true, async () => {})
  expect(gaveWay.at(-1)).toBe(false)
  gate.resolve()
  await Promise.all(flood)
})

test('only so many wait (M7)', async () => {
  const shares = new Shares(1)
  const gate = held()
  const waiting = Array.from({ length: 101 }, () => shares.run(1, () => gate.promise))
  await expect(shares.run(1, async () => {})).rejects.toMatchObject({ code: 'BUSY' })
  gate.resolve()
  await Promise.all(waiting)
})

describe('a company that keeps more than its steady share busy for long', () => {
  /** Six places at once, half a connection for good; company 1 has asked for so many at once and runs what it may. */
  function busy(asked: number) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
    const shares = new Shares(6, { steady: 0.5 })
    const running: (() => void)[] = []
    const hold = () => {
      const end = held()
      running.push(end.resolve)
      return end.promise
    }
    const ask = (companyId: number, work: (turn: Turn) => Promise<void> = companyId === 1 ? hold : async () => {}) =>
      shares.run(companyId, work)
    for (let n = 0; n < asked; n++) ask(1).catch(() => {})
    /** Ends what runs and tells how much runs then. */
    const endAll = async () => {
      for (const end of running.splice(0)) end()
      await settle()
      return running.length
    }
    const pass = async (ms: number) => {
      vi.advanceTimersByTime(ms)
      await settle()
    }
    return { ask, running, endAll, pass }
  }

  test('has all of its places at first', async () => {
    const { running } = busy(20)
    await settle()
    expect(running).toHaveLength(6)
  })

  test('pauses while another company asks, too, and more of its calls wait than may ever run at once', async () => {
    const { ask, endAll, pass, running } = busy(20)
    await settle()
    await pass(300)
    await ask(2)
    expect(await endAll()).toBe(0)
    // It owes 650 ms of a connection, and gets half a one.
    await pass(1_250)
    expect(running).toHaveLength(0)
    await pass(100)
    expect(running).toHaveLength(1)
  })

  test('has one call after the other while few of them wait', async () => {
    const { ask, endAll, pass } = busy(8)
    await settle()
    await pass(300)
    await ask(2)
    expect(await endAll()).toBe(1)
    expect(await endAll()).toBe(1)
  })

  test('is not held back where another one wants more, which is', async () => {
    const { ask, endAll, pass, running } = busy(20)
    const ends: (() => void)[] = []
    const others = Array.from({ length: 30 }, () =>
      ask(2, () => {
        const end = held()
        ends.push(end.resolve)
        return end.promise
      }),
    )
    for (const other of others) other.catch(() => {})
    await settle()
    await pass(300)
    for (const end of ends.splice(0)) end()
    await settle()
    expect([await endAll(), ends.length]).toEqual([6, 0])
    running.length = 0
  })

  test('goes on with all of its places while nobody else asks', async () => {
    const { endAll, pass } = busy(20)
    await settle()
    await pass(4_500)
    expect(await endAll()).toBe(6)
  })

  /** A company whose calls take 100 ms each, five at once, for two seconds, while another one asks, too; tells how many of them run at once in the end. */
  async function atOnceAfter(processorMs: number | undefined) {
    const { ask, pass } = busy(0)
    let running = 0
    const call = () =>
      ask(3, async (turn) => {
        running++
        await new Promise((resolve) => setTimeout(resolve, 100))
        running--
        if (processorMs !== undefined) turn.processorMs = processorMs
      })
    for (let n = 0; n < 20; n++) {
      for (let each = 0; each < 5; each++) call()
      await ask(2)
      await settle()
      if (n < 19) await pass(100)
    }
    return running
  }

  test('is held back by what the database does for it, not by how long its calls take while others keep the processors busy', async () => {
    expect(await atOnceAfter(5)).toBe(5)
    expect(await atOnceAfter(100)).toBeLessThan(2)
    expect(await atOnceAfter(undefined)).toBeLessThan(2)
  })

  test('has all of its places again when it has left them unused for a while', async () => {
    const { ask, endAll, pass, running } = busy(6)
    await settle()
    await pass(300)
    await ask(2)
    expect(await endAll()).toBe(0)
    await pass(4_000)
    await ask(2)
    for (let n = 0; n < 8; n++) ask(1).catch(() => {})
    await settle()
    expect(running).toHaveLength(6)
  })
})
