import type { readingsExport } from '@isotherm/contract/readings-export.ts'
import type { FastifyInstance } from 'fastify'
import { Counter } from 'prom-client'
import type { Handlers } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/services.ts'
import { exportReadings } from './export-readings.ts'
import { RunningExports } from './running-exports.ts'

export function readingsExportHandlers(app: FastifyInstance, { metrics }: Services): Handlers<typeof readingsExport> {
  const running = new RunningExports()
  const bytes = new Counter({
    name: 'readings_export_bytes_total',
    help: 'Bytes of readings that were exported',
    registers: [metrics],
  })
  app.addHook('preClose', async () => running.end())
  return { read: (ctx, { query }) => exportReadings(ctx, query, { running, bytes }) }
}
