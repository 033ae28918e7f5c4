import { goBy } from './moved-clock.ts'

/* The server, with the clock of the bench. */
goBy(process.env.BENCH_CLOCK ?? '')

process.argv[2] = 'start'
await import('../../server/src/main.ts')
