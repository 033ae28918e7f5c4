import { z } from 'zod'
import { isLoopback, portOrOff } from './values.ts'

export const metricsVariables = {
  METRICS_PORT: portOrOff.default(9464),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_TOKEN: z.string().min(20, { error: 'must have at least 20 characters' }).optional(),
}

type Data = z.output<z.ZodObject<typeof metricsVariables>>

export const faultsOfMetrics = (data: Data): string[] => {
  if (data.METRICS_PORT === null || data.METRICS_TOKEN || isLoopback(data.METRICS_HOST)) return []
  return [
    `METRICS_TOKEN must be set with METRICS_HOST=${data.METRICS_HOST}: /metrics and /status tell strangers about the installation`,
  ]
}

export const metricsOf = (data: Data) => ({
  /** Port of metrics, checks and the operator's page; null: there are none. */
  metricsPort: data.METRICS_PORT,
  metricsHost: data.METRICS_HOST,
  /** Set: who asks there must have it. */
  metricsToken: data.METRICS_TOKEN ?? null,
})
