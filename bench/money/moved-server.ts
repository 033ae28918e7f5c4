import { systemClock } from '../../server/src/platform/clock/clock.ts'
import { movedClock } from './moved-clock.ts'

/* The server, with the clock of the bench. */
systemClock.now = movedClock(process.env.BENCH_CLOCK ?? '')

process.argv[2] = 'start'
await import('../../server/src/main.ts')
